/// The phase, the number of entries of each, and the hold.
///
/// The writer calls these under its lock, one thread at a time.
extension WitnessMapping {
    /// Resets an earlier worker's figures, and begins in a phase with one entry.
    func begin(in phase: WitnessPhase) {
        for known in WitnessPhase.allCases {
            store64(0, at: Self.entriesOffset(of: known.rawValue))
        }
        store64(0, at: WitnessLayout.waitingOffset)
        store32(phase.rawValue, at: WitnessLayout.phaseOffset)
        store64(1, at: Self.entriesOffset(of: phase.rawValue))
    }

    /// Moves to a phase; false while the rig holds the worker in its current one.
    func move(to phase: WitnessPhase) -> Bool {
        guard load32(WitnessLayout.phaseOffset) != phase.rawValue else { return true }
        guard !isHeld else { return false }
        store32(phase.rawValue, at: WitnessLayout.phaseOffset)
        // Counted after the phase is stored, so that a reader that sees the count can rely on the
        // phase.
        store64(entries(of: phase.rawValue) + 1, at: Self.entriesOffset(of: phase.rawValue))
        return true
    }

    /// True while the rig holds the worker in its current phase.
    var isHeld: Bool {
        let hold = load64(WitnessLayout.holdOffset)
        let phase = load32(WitnessLayout.phaseOffset)
        return hold != 0 && hold & 0xFF == UInt64(phase) && entries(of: phase) >= hold >> 8
    }

    /// How often a phase was entered from another one.
    func entries(of phase: UInt32) -> UInt64 { load64(Self.entriesOffset(of: phase)) }

    /// Changes the number of waiting threads: by 1 when one begins to wait, by -1 when it goes on.
    func noteWaiting(_ change: Int64) {
        let count = Int64(bitPattern: load64(WitnessLayout.waitingOffset)) + change
        store64(UInt64(bitPattern: count), at: WitnessLayout.waitingOffset)
    }

    private static func entriesOffset(of phase: UInt32) -> Int {
        WitnessLayout.entriesOffset + 8 * Int(phase)
    }
}
