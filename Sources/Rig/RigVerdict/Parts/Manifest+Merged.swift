internal import RigModel

extension Manifest {
    /// The manifest of the merged run, which follows from the parts alone: they agree in all that
    /// matters, so merging them again gives the same bytes.
    static func merged(
        _ parts: [FoundPart], like first: Manifest, copies: [Int: Int]
    ) -> Manifest {
        let manifests = parts.map(\.manifest)
        let earliest = manifests.min { ($0.startedAt, $0.runID) < ($1.startedAt, $1.runID) }
        var versions: [String: String] = [:]
        for name in Set(manifests.flatMap(\.versions.keys)) {
            versions[name] = joined(manifests.map { $0.versions[name] ?? "not known" })
        }
        var merged = Manifest(
            runID: "\((earliest ?? first).runID)-merged", command: first.commandOfWhole,
            versions: versions, machine: machine(of: manifests.map(\.machine), like: first.machine),
            worker: first.worker, profile: first.profile, workerOption: first.workerOption,
            fault: first.fault, workload: first.workload, settings: first.settings ?? [:],
            environment: first.environment ?? [:], plan: first.plan, video: first.video,
            bandwidth: first.bandwidth, originFaults: first.originFaults ?? [],
            timeLimit: first.timeLimit, gates: first.gates,
            startedAt: (earliest ?? first).startedAt,
            parts: parts.map { part in
                let count = copies[part.partition.index] ?? 0
                return MergedPart(
                    partition: part.partition, runID: part.manifest.runID,
                    host: part.manifest.machine.host, startedAt: part.manifest.startedAt,
                    copies: count > 0 ? count : nil)
            },
            port: first.port, baseline: first.baseline,
            jobs: manifests.flatMap(\.jobCounts).max() ?? 1)
        merged.tls = first.tls
        merged.pacesOnlyKills = first.pacesOnlyKills
        merged.calls = first.calls
        merged.crashModel = first.crashModel
        merged.relaunch = first.relaunch
        merged.grace = first.grace
        merged.callFailure = first.callFailure
        merged.history = first.history
        merged.provenance = .joined(manifests.map(\.provenance))
        let folders = Set(manifests.map(\.workingDirectory))
        merged.workingDirectory = folders.count == 1 ? first.workingDirectory : nil
        return merged
    }

    /// The command of the whole run: the command line without its `--partition` option.
    private var commandOfWhole: [String] {
        let option = "--partition"
        // Arguments after `--` belong to the worker.
        let end = command.firstIndex(of: "--") ?? command.endIndex
        var words: [String] = []
        var isValue = false
        for word in command[..<end] {
            let isOption = word == option
            if !isValue, !isOption, !word.hasPrefix("\(option)=") { words.append(word) }
            isValue = isOption
        }
        return words + command[end...]
    }

    /// What several machines have in common, or each one's value; the minimum of numbers.
    private static func machine(of machines: [Machine], like first: Machine) -> Machine {
        let hosts = Set(machines.map(\.host))
        return Machine(
            system: joined(machines.map(\.system)), processor: joined(machines.map(\.processor)),
            cores: machines.map(\.cores).min() ?? first.cores,
            memoryBytes: machines.map(\.memoryBytes).min() ?? first.memoryBytes,
            fileSystem: joined(machines.map(\.fileSystem)),
            host: hosts.count == 1 ? first.host : nil)
    }

    private static func joined(_ texts: [String]) -> String {
        Set(texts).sorted().joined(separator: " | ")
    }
}
