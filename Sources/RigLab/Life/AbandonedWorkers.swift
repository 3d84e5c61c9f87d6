/// Workers that rigs have left which were killed together with their guardians.
package enum AbandonedWorkers {
    /// The environment variable that names a worker's rig.
    package static let ownerVariable = "RIG_OWNER"

    /// Its value for the workers of this rig; nil where the system does not tell.
    package static var owner: String? { ProcessIdentity.own?.text }

    /// How long the guardian of a rig that was killed a moment ago may take for its own work.
    private static let graceSeconds = 0.5

    /// Ends those that are there.
    ///
    /// - Returns: what was ended, a line for each dead rig; none where nothing tells whose a process
    ///   is.
    package static func end() -> [String] {
        #if os(Linux)
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
        #else
            return []
        #endif
    }

    #if os(Linux)
        private static var ofDeadRigs: [(rig: Int32, process: RunProcess)] {
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
                return (rig.process, RunProcess(facts))
            }
        }
    #endif
}
