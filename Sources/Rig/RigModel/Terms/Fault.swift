@dynamicMemberLookup
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
    /// A modelled power cut: what was not synced is there, lost or torn, as a disk allows (T11).
    case powerCutTorn = "power-cut-torn"
    /// A call fails, and the process goes on (T13).
    case callError = "call-error"
    /// The disk of its state is full, and the process goes on (T13).
    case diskFull = "disk-full"

    package subscript<Value>(dynamicMember path: KeyPath<Facts, Value>) -> Value {
        facts[keyPath: path]
    }

    /// The fault of a chain's kill, from 1: a call fails in the first, later ones are killed.
    package func ofKill(_ number: Int) -> Fault {
        self == .callError && number > 1 ? .sigkill : self
    }

    /// All that is known of a death; another one is a case, and its line in ``Fault/facts``.
    package struct Facts: Sendable {
        package enum Way: Sendable {
            /// By signal 9, before which the power may go; a failing call only ends so if given up.
            case kill
            case signal
            /// By signal 15, and by 9 after the grace.
            case request
            case shortage
            /// Its disk is filled, and nothing ends it.
            case filling
        }

        /// When a kill has ended a worker, or may have: a disconnected one, or one out of memory, may
        /// die of that before signal 9 arrives, and any reaction to another signal is the rig's doing.
        package enum Proof: Sendable {
            case signal, sent, answer, moment
            /// It goes on, and may end well or with an error.
            case nothing
        }

        /// How the rig brings it about.
        package let way: Way
        /// The signal that is sent first, and of which the process must have died, except of a
        /// request to end; a failing call sends none, and 9 ends only a process that is given up.
        package var signal: Int32 = 9
        package let proof: Proof
        /// True for a death that would make the kernel write a core dump; of a full disk it is SIGBUS.
        package var dumpsCore = false
        /// True when unsynced data is lost as well.
        package var isPowerCut = false
        /// True when the state of the worker is on a file system of its own.
        package var needsVolume = false
        /// True when nothing ends the process, which may stop by itself.
        package var letsItGoOn: Bool { proof == .nothing }
        /// False when no kill comes: of no moment is it known what was received, or lost.
        package var hasMoment: Bool { way != .filling }
        /// What a process has met that goes on, in words; of a failing call the call tells it.
        package var met: String? { way == .filling ? "the disk was full" : nil }
    }

    package var facts: Facts {
        switch self {
        case .sigkill: Facts(way: .kill, proof: .signal)
        case .abort: Facts(way: .signal, signal: 6, proof: .signal, dumpsCore: true)
        case .segv: Facts(way: .signal, signal: 11, proof: .signal, dumpsCore: true)
        case .oom: Facts(way: .shortage, proof: .moment)
        case .term: Facts(way: .request, signal: 15, proof: .answer)
        case .powerCut: Facts(way: .kill, proof: .sent, isPowerCut: true, needsVolume: true)
        case .powerCutTorn: Facts(way: .kill, proof: .signal, isPowerCut: true)
        case .callError: Facts(way: .kill, proof: .nothing)
        case .diskFull: Facts(way: .filling, proof: .nothing, dumpsCore: true, needsVolume: true)
        }
    }
}
