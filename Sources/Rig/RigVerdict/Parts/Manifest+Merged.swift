internal import RigModel

extension Manifest {
    /// It follows from the parts alone, so merging them again gives the same bytes.
    static func merged(_ parts: [FoundPart], like first: Manifest, copies: [Int: Int]) -> Manifest {
        let manifests = parts.map(\.manifest)
        let earliest = manifests.min { ($0.startedAt, $0.runID) < ($1.startedAt, $1.runID) }
        var versions: [String: String] = [:]
        for name in Set(manifests.flatMap(\.record.versions.keys)) {
            versions[name] = joined(manifests.map { $0.versions[name] ?? "not known" })
        }
        var merged = first
        merged.runID = "\((earliest ?? first).runID)-merged"
        merged.command = first.commandOfWhole
        merged.versions = versions
        merged.machine = machine(of: manifests.map(\.record.machine), like: first.machine)
        merged.startedAt = (earliest ?? first).startedAt
        merged.parts = parts.map { part in
            MergedPart(
                partition: part.partition, runID: part.manifest.runID,
                host: part.manifest.machine.host, startedAt: part.manifest.startedAt,
                copies: (copies[part.partition.index] ?? 0).unless(0))
        }
        merged.jobs = manifests.flatMap(\.jobCounts).max()?.unless(1)
        (merged.spec.partition, merged.spec.evidence, merged.record.resumed) = (nil, nil, nil)
        merged.provenance = .joined(manifests.map(\.record.provenance))
        merged.replaced = Set(manifests.flatMap { $0.record.replaced ?? [] }).sorted().unless([])
        let folders = Set(manifests.map(\.record.workingDirectory))
        merged.workingDirectory = folders.count == 1 ? first.workingDirectory : nil
        return merged
    }

    /// The command of the whole run: the command line without its `--partition` option.
    private var commandOfWhole: [String] {
        let option = "--partition"
        // Arguments after `--` belong to the worker.
        let command = spec.command
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
