internal import RigModel
internal import Witness

/// The phase in which a worker is to be held until it is killed.
struct PhaseHold: Sendable, Hashable {
    let phase: Phase
    /// Which entry into the phase, from 1.
    let entry: Int
}

extension WitnessPhase {
    /// The witness page's name for a phase.
    init?(_ phase: Phase) {
        guard let found = Self.allCases.first(where: { "\($0)" == phase.rawValue }) else {
            return nil
        }
        self = found
    }
}
