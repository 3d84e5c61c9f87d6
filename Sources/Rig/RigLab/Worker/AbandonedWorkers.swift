package enum AbandonedWorkers {
    package static let ownerVariable = "RIG_OWNER"

    /// The variable's value for this rig's workers; nil where `/proc` does not identify it.
    package static var owner: String? { ProcessIdentity.own?.text }

    /// Seconds to wait for the guardian of a rig that was just killed to do its own cleanup.
    private static let graceSeconds = 0.5

    /// Kills the abandoned workers; returns one line for each dead rig whose workers were killed.
    package static func end() -> [String] {
        let began = ContinuousClock.now
        var found = ofDeadRigs
        while !found.isEmpty, (ContinuousClock.now - began).seconds < graceSeconds {
            Pause.seconds(0.01)
            found = ofDeadRigs
        }
        for worker in found { worker.process.kill() }
        return Dictionary(grouping: found, by: \.rig).sorted { $0.key < $1.key }.map {
            let names = $0.value.map { "\($0.process.name) (process \($0.process.id))" }
            return "ended what a rig (process \($0.key)) that is dead had left: "
                + names.joined(separator: ", ")
        }
    }

    private static var ofDeadRigs: [(rig: Int32, process: ProcessFacts)] {
        RunProcesses.all.compactMap { process, environment in
            let prefix = Array("\(ownerVariable)=".utf8)
            guard
                let entry = environment.split(separator: 0).first(where: {
                    $0.starts(with: prefix)
                }),
                let rig = ProcessIdentity(
                    String(decoding: entry.dropFirst(prefix.count), as: UTF8.self)),
                rig.isDead, let facts = ProcessFacts(of: process), !facts.hasEnded
            else { return nil }
            return (rig.process, facts)
        }
    }
}
