import DownloaderCommands
import Foundation
import PlantedBugs
import Testing
import VideoCache

/// A downloader with a planted bug differs from the downloader by the bug only.
///
/// A wrapper that left out a requirement with a default implementation got that one: the stores
/// with bugs looked up each chunk separately.
@Suite struct ForwardingTests {
    /// The calls of a store in which a bug is, even before anything triggers it.
    private static let changed: [String: Set<String>] = [
        "vanish-as-eviction": ["save"], "evict-newest": ["save"], "evict-row-only": ["save"],
        "stride-lookup": ["chunk", "dropDamaged"], "restart": ["cachedRange"],
        "drop-at-close": ["close"], "index-late": ["save"], "file-name-keys": ["store"],
        "stops-at-gap": ["cachedRange", "chunk"], "complete-on-full-disk": ["cachedRange"],
    ]
    private static let changedOfRequests: [String: Set<String>] = [
        "acknowledge-early": ["willCommit", "committed"], "note-late": ["received"],
        "endless-requests": ["ended"],
    ]
    private static let changedOfResponses: [String: Set<String>] = [
        "stitched-versions": ["head"], "file-name-keys": ["head"],
    ]

    @Test(arguments: PlantedBug.all)
    func aStoreForwardsWhatTheBugDoesNotChange(bug: PlantedBug) throws {
        let folder = try Self.newFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = try SQLiteChunkStore(folder: folder.appendingPathComponent("disk").path)
        for call in RecordingStore.calls where Self.changed[bug.name]?.contains(call.name) != true {
            let (plain, base) = (RecordingStore(on: disk), RecordingStore(on: disk))
            let store = try bug.parts.store(OpenedStore(base, capacity: 1 << 20))
            _ = base.log.taken()
            expectSame(call, plain, plain.log, store, base.log)
        }
        try disk.close()
    }

    /// A call does, and returns, the same on a recorder and on what forwards to another one.
    private func expectSame<Target>(
        _ call: Call<Target>, _ plain: Target, _ plainLog: CallLog, _ planted: Target,
        _ log: CallLog
    ) {
        let result = call.result(on: plain)
        #expect(call.result(on: planted) == result, "\(call.name)")
        #expect(log.taken() == plainLog.taken(), "\(call.name)")
    }

    private static func newFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("PlantedBugsTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    @Test(arguments: PlantedBug.all)
    func anObserverForwardsWhatTheBugDoesNotChange(bug: PlantedBug) {
        for call in RecordingObserver.calls {
            let (plain, base) = (RecordingObserver(), RecordingObserver())
            expectSame(call, plain, plain.log, bug.parts.witness(base), base.log)
        }
        for call in RecordingObserver.requestCalls
        where Self.changedOfRequests[bug.name]?.contains(call.name) != true {
            let (plain, base) = (RecordingObserver(), RecordingObserver())
            let request = bug.parts.witness(base).requestBegan(url: "u", start: 0)
            _ = base.log.taken()
            expectSame(call, plain, plain.log, request, base.log)
        }
    }

    /// The request has a condition, and is for the whole video.
    @Test(arguments: PlantedBug.all)
    func aTransportForwardsWhatTheBugDoesNotChange(bug: PlantedBug) throws {
        let request = HTTPRequest(url: "u", target: .whole, ifRange: "\"v\"", readSize: 1)
        for call in RecordingHandler.calls
        where Self.changedOfResponses[bug.name]?.contains(call.name) != true {
            let (plain, handler) = (RecordingHandler(), RecordingHandler())
            _ = call.result(on: plain)
            let transport = bug.parts.transport(CallingTransport(call: call), SilentObserver())
            try transport.perform(request, handler: handler, cancellation: Cancellation())
            #expect(handler.log.taken() == plain.log.taken(), "\(call.name)")
        }
    }

    /// A requirement that is added to a protocol gets a use here.
    @Test func everyRequirementIsUsed() throws {
        func names<Target>(_ calls: [Call<Target>]) -> [String] {
            calls.map { String($0.name.prefix { $0.isLetter }) }.sorted()
        }
        let observers = "Request/CacheObserver.swift"
        #expect(
            try names(RecordingStore.calls)
                == requirements(of: "ChunkStore", in: "Store/ChunkStore.swift"))
        #expect(
            try names(RecordingObserver.calls.filter { $0.name != "finish" })
                == requirements(of: "CacheObserver", in: observers))
        #expect(
            try names(RecordingObserver.requestCalls)
                == requirements(of: "RequestObserver", in: observers))
        #expect(
            try names(RecordingHandler.calls)
                == requirements(of: "HTTPResponseHandler", in: "Request/HTTPTransport.swift"))
    }

    /// A recorder that left one out would get the default implementation itself.
    @Test func everyUseIsRecordedUnderItsName() throws {
        let folder = try Self.newFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let disk = try SQLiteChunkStore(folder: folder.path)
        for call in RecordingStore.calls {
            let store = RecordingStore(on: disk)
            _ = call.result(on: store)
            #expect(store.log.taken().map { $0.hasPrefix("\(call.name) [") } == [true])
        }
        try disk.close()
        for call in RecordingObserver.requestCalls {
            let observer = RecordingObserver()
            _ = call.result(on: observer)
            #expect(observer.log.taken().map { $0.hasPrefix("\(call.name) [") } == [true])
        }
    }
}
