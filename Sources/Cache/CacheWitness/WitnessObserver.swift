internal import Foundation
public import VideoCache
public import Witness

/// Keeps the witness page of a cache, so that `rig kill-test` can judge everything about an app that
/// uses one: what it had received and acknowledged, and what it was doing when it was killed.
///
/// It observes the cache, the fetches and the loader:
/// ```swift
/// let observer: any CacheObserver = try WitnessObserver.wanted() ?? SilentObserver()
/// let cache = try VideoCache(folder: folder, observer: observer)
/// for try await _ in cache.fetch(url, by: CurlTransport(), observer: observer) {}
/// ```
public struct WitnessObserver: CacheObserver {
    private let writer: WitnessWriter

    /// Creates an observer that writes to a page.
    public init(writer: WitnessWriter) { self.writer = writer }

    /// The observer that the environment asks for with `RIG_WITNESS`; nil where nothing is asked
    /// for, because the app was not started by the rig.
    ///
    /// It notes the phase ``CachePhase/recovering``, as the cache is opened next. Every call returns
    /// the same observer: a second writer would begin the page anew.
    ///
    /// - Throws: ``WitnessError`` if the page cannot be used.
    public static func wanted() throws(WitnessError) -> WitnessObserver? { try shared.get() }

    private static let shared = Result { () throws(WitnessError) -> WitnessObserver? in
        let environment = ProcessInfo.processInfo.environment
        guard let path = environment[WitnessWriter.environmentVariable] else { return nil }
        let observer = WitnessObserver(writer: try WitnessWriter(path: path))
        observer.entered(.recovering)
        return observer
    }

    /// Notes that the work is over: the process may end when this returns.
    ///
    /// Blocks while the rig holds the app in its last phase, so that it is killed there.
    public func finish() { writer.finish() }

    /// Notes the phase; blocks while the rig holds the app in the phase that it would leave.
    public func entered(_ phase: CachePhase) { writer.enter(Self.phase(phase)) }

    /// Notes bytes that will be missing because of an eviction.
    public func willEvict(_ range: ByteRange, of url: String) {
        writer.evict(url: url, start: UInt64(range.offset), length: UInt64(range.length))
    }

    /// Notes a request, and returns what notes its bytes.
    public func requestBegan(url: String, start: Int64) -> any RequestObserver {
        WitnessRequestObserver(
            writer: writer, request: writer.begin(url: url, start: UInt64(start)))
    }

    private static func phase(_ phase: CachePhase) -> WitnessPhase {
        switch phase {
        case .recovering: .recovering
        case .connecting: .connecting
        case .receiving: .receiving
        case .committing: .committing
        case .checkpointing: .checkpointing
        case .evicting: .evicting
        case .cancelling: .cancelling
        case .completing: .completing
        case .idle: .idle
        }
    }
}

/// Records one request in the witness page.
private struct WitnessRequestObserver: RequestObserver {
    let writer: WitnessWriter
    let request: WitnessRequest?

    func received(_ count: Int) { request?.receive(count) }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        request?.acknowledge(upTo: UInt64(acknowledged))
        if stored > 0 { writer.commitReturned() }
    }

    func ended(_ end: RequestEnd) { request?.end() }
}
