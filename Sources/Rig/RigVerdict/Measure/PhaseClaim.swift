import RigModel

/// Checks the worker's phase against the origin's requests and the worker's own; kills are counted
/// by phase, so a false claim would make a run look thorough.
enum PhaseClaim {
    /// Why the phase cannot be true; nil when it may be true.
    ///
    /// The origin cannot check the other phases, which are steps inside the worker.
    static func contradiction(_ evidence: IterationEvidence) -> String? {
        guard let witness = evidence.witness else { return nil }
        let claim = "says it was \(witness.phase.rawValue) when it was killed, although"
        switch witness.phase {
        case .starting, .recovering:
            let count = evidence.requests.count
            guard count > 0 else { return nil }
            return "\(claim) it had sent \(count) \(count == 1 ? "request" : "requests")"
        case .receiving:
            return witness.received.isEmpty ? "\(claim) it had received nothing" : nil
        case .idle:
            // The player may have connected again at that moment.
            let isAtWork =
                evidence.workload == .download
                && witness.requests.contains { $0.isActive && $0.received > 0 }
            return isAtWork ? "\(claim) a request was under way" : nil
        case .connecting, .committing, .checkpointing, .evicting, .cancelling, .completing:
            return nil
        }
    }
}
