/// What a power cut, real or modelled, may leave of what was not synced.
package struct CrashModel: Sendable, Hashable, Codable {
    package var disk: DiskModel
    /// Which crash states are tried per kill; one by default, and one of a real power cut.
    package var states: StateChoice

    /// The model in words, such as `posix`, `posix, 10 states` or `posix, sweep`.
    package var words: String {
        switch states {
        case .drawn(1): disk.rawValue
        case .drawn(let count): "\(disk.rawValue), \(count) states"
        case .sweep: "\(disk.rawValue), \(states.text)"
        }
    }

    package init(disk: DiskModel = .ext4, states: StateChoice = .drawn(1)) {
        (self.disk, self.states) = (disk, states)
    }
}

/// Which of the states that a modelled power cut can leave are tried.
package enum StateChoice: Sendable, Hashable, TextCoded {
    package static var kind: String { "choice of states" }

    /// So many at most, drawn one after another by the seed.
    case drawn(Int)
    /// Those of a sweep, so many at most.
    case sweep(most: Int)

    package static let mostStates = 10_000
    /// The limit of a sweep where none is given: a minute or two of short relaunches.
    package static let usualSweep = 500

    private static let sweepName = "sweep"

    package var isSweep: Bool { if case .sweep = self { true } else { false } }

    package var most: Int {
        switch self {
        case .drawn(let most), .sweep(let most): most
        }
    }

    /// Parses `10`, `sweep` or `sweep:200`, maybe out of range; nil for other text.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        switch (parts[0] == Self.sweepName, parts.count) {
        case (true, 1): self = .sweep(most: Self.usualSweep)
        case (true, 2):
            guard let most = Int(parts[1]) else { return nil }
            self = .sweep(most: most)
        case (false, 1):
            guard let count = Int(parts[0]) else { return nil }
            self = .drawn(count)
        default: return nil
        }
    }

    package var text: String {
        switch self {
        case .drawn(let count): "\(count)"
        case .sweep(Self.usualSweep): Self.sweepName
        case .sweep(let most): "\(Self.sweepName):\(most)"
        }
    }
}

/// What a disk and its file system may do with what was not synced.
package enum DiskModel: String, Sendable, Hashable, Codable, CaseIterable {
    /// As ext4 by default: ordered data, delayed allocation, `auto_da_alloc`, `dioread_nolock`.
    case ext4
    /// As XFS does: a length comes with its data, and an fsync commits up to what it syncs.
    case xfs
    /// As btrfs does: data goes to new blocks, and an fsync writes a log of the one file.
    case btrfs
    /// No more than POSIX promises: each change of a name or a length is there or not, whatever
    /// became of the others; a file's name is certain only with its folder's sync.
    case posix
    /// As `ext4`, on a disk that spoils the sector of 4096 bytes that it was writing when the power
    /// failed, with what lies beside the write (unlike SQLite's
    /// `SQLITE_IOCAP_POWERSAFE_OVERWRITE`).
    case garbage

    /// Whether a real power cut has it: btrfs has no shutdown.
    package var isReal: Bool { self == .ext4 || self == .xfs }
}
