/// What happens at the kill.
package enum Fault: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
    /// The process dies, the kernel lives: nothing handed to the kernel is lost.
    case sigkill
    /// The process dies as of a failed assertion, by signal 6 (T9).
    case abort
    /// The process dies as of a wild pointer, by signal 11 (T9).
    case segv
    /// The kernel kills the process because its control group is out of memory (T9).
    case oom
    /// The file system loses what was not synced, and the process dies (T11).
    case powerCut = "power-cut"
    /// The same by a model: unsynced writes are kept, lost, torn at sectors, in any order (T11).
    case powerCutTorn = "power-cut-torn"

    /// The signal that has to have ended the process.
    package var signal: Int32 {
        switch self {
        case .sigkill, .oom, .powerCut, .powerCutTorn: 9
        case .abort: 6
        case .segv: 11
        }
    }

    /// True when data that was not synced is gone, too.
    package var isPowerCut: Bool { self == .powerCut || self == .powerCutTorn }
}
