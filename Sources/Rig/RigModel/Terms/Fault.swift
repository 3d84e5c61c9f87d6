package enum Fault: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
    /// The process dies, the kernel lives: nothing handed to the kernel is lost.
    case sigkill
    /// The process dies by signal 6, as after a failed assertion (T9).
    case abort
    /// The process dies by signal 11, as after a wild pointer access (T9).
    case segv
    /// The kernel kills the process because its control group is out of memory (T9).
    case oom
    /// The process is asked to end by signal 15, and dies by 9 when its grace is over (T12).
    case term
    /// The file system loses what was not synced, and the process dies (T11).
    case powerCut = "power-cut"
    /// A modelled power cut: unsynced writes are kept, lost or torn at sectors, in any order (T11).
    case powerCutTorn = "power-cut-torn"
    /// A call fails, and the process goes on (T13).
    case callError = "call-error"
    /// The disk of its state is full, and the process goes on (T13).
    case diskFull = "disk-full"

    /// The signal that is sent first, and of which the process must have died, except of a request
    /// to end; a failing call sends none, and 9 ends only a process that is given up.
    package var signal: Int32 {
        switch self {
        case .sigkill, .oom, .powerCut, .powerCutTorn, .callError, .diskFull: 9
        case .abort: 6
        case .segv: 11
        case .term: 15
        }
    }

    /// The fault of a chain's kill, from 1: a call fails in the first, later ones are killed.
    package func ofKill(_ number: Int) -> Fault {
        self == .callError && number > 1 ? .sigkill : self
    }

    /// What a worker has met under ``diskFull``, in words.
    package static let fullDisk = "the disk was full"

    /// True when nothing ends the process, which may stop by itself.
    package var letsItGoOn: Bool { self == .callError || self == .diskFull }

    /// True when its state is on a file system of its own.
    package var needsVolume: Bool { self == .powerCut || self == .diskFull }

    /// True when unsynced data is lost as well.
    package var isPowerCut: Bool { self == .powerCut || self == .powerCutTorn }
}
