/// Decides when the bytes of a running request are saved.
///
/// It is asked after every read. The bound of B1 holds strictly if `shouldSave` returns true before
/// the next read could take the unsaved bytes over the threshold.
public protocol SaveSchedule: Sendable {
    /// The most bytes that may be read from the socket at once.
    var readSize: Int { get }
    /// The most unsaved bytes that can accumulate; nil if there is no limit.
    var capacity: Int? { get }
    /// True when `unsaved` bytes must be saved before anything more is read.
    func shouldSave(unsaved: Int) -> Bool
}

/// How many bytes a killed process may lose per active request (B1, B2, B11).
public struct SavePolicy: SaveSchedule, Hashable {
    /// The smallest threshold that needs no override, in bytes (B11).
    public static let minimumThreshold = 256 << 10
    /// The smallest threshold for experiments and tests, in bytes: a read must fit well within it.
    public static let minimumExperimentalThreshold = 16 << 10
    /// The largest threshold, in bytes: this much memory is allocated when a request begins.
    public static let maximumThreshold = 1 << 30
    /// The most bytes read at once: what libcurl delivers in one piece.
    public static let maximumReadSize = 16 << 10

    /// The most bytes that may be unsaved, in bytes; nil saves only at the end of the request.
    public let threshold: Int?

    private init(unchecked threshold: Int?) { self.threshold = threshold }

    /// Creates a policy with the given threshold in bytes.
    ///
    /// - Parameters:
    ///   - threshold: the most bytes that may be unsaved; at least 256 KB (B11), at most 1 GB.
    ///   - allowingSmall: accepts thresholds down to 16 KB, for experiments.
    /// - Throws: ``CacheError/thresholdTooSmall(bytes:minimum:)`` or
    ///   ``CacheError/thresholdTooLarge(bytes:maximum:)``.
    public init(threshold: Int, allowingSmall: Bool = false) throws(CacheError) {
        let minimum = allowingSmall ? Self.minimumExperimentalThreshold : Self.minimumThreshold
        guard threshold >= minimum else {
            throw .thresholdTooSmall(bytes: threshold, minimum: minimum)
        }
        guard threshold <= Self.maximumThreshold else {
            throw .thresholdTooLarge(bytes: threshold, maximum: Self.maximumThreshold)
        }
        self.threshold = threshold
    }

    /// Loses little: 256 KB.
    public static let conservative = Self(unchecked: 256 << 10)
    /// The default: 512 KB.
    public static let `default` = Self(unchecked: 512 << 10)
    /// Writes rarely: 1 MB.
    public static let aggressive = Self(unchecked: 1 << 20)
    /// Saves only when the request ends, for whatever reason (B2).
    public static let disabled = Self(unchecked: nil)

    /// The preset of this name; nil if there is none (B11).
    package static func preset(_ name: String) -> Self? {
        [
            "conservative": Self.conservative, "default": Self.default,
            "aggressive": Self.aggressive, "disabled": Self.disabled,
        ][name.lowercased()]
    }

    /// The most bytes that may be read from the socket at once.
    public var readSize: Int {
        threshold.map { min(Self.maximumReadSize, $0 / 16) } ?? Self.maximumReadSize
    }

    /// The most unsaved bytes that can accumulate: the threshold.
    public var capacity: Int? { threshold }

    /// True as soon as one more read could take the unsaved bytes over the threshold (B1).
    public func shouldSave(unsaved: Int) -> Bool {
        threshold.map { unsaved + readSize > $0 } ?? false
    }
}

/// What a committed save must survive.
public enum Durability: String, Sendable, Hashable, CaseIterable {
    /// The death of the process; a power cut may lose the last commits, and with files everything
    /// that the system has not written yet.
    case process
    /// A power cut: every commit waits for the disk.
    case power
}
