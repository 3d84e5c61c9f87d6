internal import ArgumentParser
internal import OriginFaults
internal import RigModel
internal import RigRun

extension Workload: ExpressibleByArgument {
    /// Those that a user chooses by name: `--check` implies its own.
    static var allValueStrings: [String] {
        allCases.filter { $0 != .check }.map(\.rawValue)
    }
}

/// `KEY=VALUE`.
struct SettingArgument: ExpressibleByArgument {
    let key: String
    let value: String

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty else { return nil }
        key = String(parts[0])
        value = String(parts[1])
    }
}

extension [SettingArgument] {
    /// The given values, by key.
    var values: [String: String] {
        Dictionary(map { ($0.key, $0.value) }, uniquingKeysWith: { _, last in last })
    }

    /// Rejects a key that is set twice.
    func check() throws {
        try require(Set(map(\.key)).count == count, "--set names a key twice; name each once.")
    }
}

/// What the worker does until it is killed, and how it is configured.
struct WorkloadOptions: ParsableArguments {
    @Option(
        name: .customLong("workload"),
        help: ArgumentHelp(
            "What the worker does: download (the default); playback (a player seeks and cancels in "
                + "one video); switching (a player switches between five); two-players (each plays a "
                + "video with a threshold of its own); offline-library (a list and its images are "
                + "refreshed). A program with --check has a work of its own.", valueName: "name"))
    var named: Workload?

    @OptionGroup var program: CheckOptions

    /// What is named, or what ``CheckOptions/check`` implies.
    var workload: Workload { named ?? (program.check == nil ? .download : .check) }

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Fill a placeholder of the worker's own, e.g. storage=rows; may be repeated.",
            valueName: "key=value"))
    var settings: [SettingArgument] = []

    /// With less room, the data being read and the data being saved would not fit.
    static let leastCapacity: Int64 = 4 << 20

    /// What the options ask for.
    var spec: RunSpec { RunSpec(workload: workload, settings: settings.values) }

    /// Rejects options that the workload does not support.
    func check(policies: [Policy], video options: VideoOptions) throws {
        try settings.check()
        try program.reject(in: workload)
        guard workload.hasBytes else { return try checkProgram(video: options) }
        try checkCapacity(policies)
        try checkPlayers(policies)
        if workload.videoCount > 1 || workload == .offlineLibrary, options.video != nil {
            throw ValidationError(
                "--workload \(workload.rawValue) generates what it serves; leave out --video.")
        }
        if workload == .offlineLibrary, policies.contains(where: { $0.threshold == nil }) {
            throw ValidationError(
                "--workload offline-library has no 'disabled': a list and its images are always "
                    + "saved; give sizes to --thresholds.")
        }
        let versions = options.originFault.filter(\.kind.facts.isNewVersion)
        try require(
            versions.count < 2,
            "--origin-fault \(versions[0].text) and \(versions[1].text) are two new versions of "
                + "one video; give one.")
        // A player cannot tell a broken connection from a broken worker.
        if workload != .download,
            let fault = options.originFault.first(where: {
                !$0.kind.facts.isHarmless && !spec.changes(by: $0)
            })
        {
            throw ValidationError(
                "--origin-fault \(fault.text) cannot be judged with --workload "
                    + "\(workload.rawValue): what it breaks may be the worker's doing as well. Use "
                    + "it with --workload download.")
        }
    }

    /// Rejects what only a program can have that downloads something.
    private func checkProgram(video options: VideoOptions) throws {
        let given: [(String, Bool)] = [
            ("--set", !settings.isEmpty), ("--video", options.video != nil),
            ("--bandwidth", options.bandwidth != nil), ("--port", options.port != 0),
            ("--tls", options.tls), ("--origin-fault", !options.originFault.isEmpty),
        ]
        // Others have a default, so their values do not tell whether they were given.
        let words = Configuration.words.prefix { $0 != "--" }
        let others = ["--thresholds", "--durability", "--video-size", "--video-limit"]
        let written = others.first { option in
            words.contains { $0 == option || $0.hasPrefix("\(option)=") }
        }
        guard let option = given.first(where: { $0.1 })?.0 ?? written else { return }
        throw ValidationError(
            "\(option) is about a download, and --check judges a program without one; leave it out."
        )
    }

    /// Rejects thresholds for another number of players.
    private func checkPlayers(_ policies: [Policy]) throws {
        if workload == .twoPlayers, let one = policies.first(where: { $0.players == nil }) {
            throw ValidationError(
                "--workload two-players needs a threshold for each player, and has \(one.name); "
                    + "give two that differ, such as --thresholds 256KB+1MB.")
        }
        if workload != .twoPlayers, let two = policies.first(where: { $0.players != nil }) {
            throw ValidationError(
                "the thresholds \(two.name) are for two players; add --workload two-players.")
        }
    }

    /// Rejects a capacity with which the promises could not be kept.
    private func checkCapacity(_ policies: [Policy]) throws {
        guard spec.values["capacity"] != nil else { return }
        try require(
            workload.hasPlayer,
            "--set capacity needs a workload with a player: use it with --workload playback "
                + "or switching.")
        guard let largest = policies.map(\.threshold?.bytes).max(by: { ($0 ?? 0) < ($1 ?? 0) }),
            let largest, policies.allSatisfy({ $0.threshold != nil })
        else {
            throw ValidationError(
                "--set capacity cannot be judged with 'disabled': a request is saved as a whole "
                    + "then, and may not fit; give sizes to --thresholds.")
        }
        let least = max(Self.leastCapacity, 16 * largest)
        guard let capacity = spec.capacity, capacity.bytes >= least else {
            throw ValidationError(
                "--set capacity must be a size of at least \(ByteSize(bytes: least)): 4MB, and 16 "
                    + "times the threshold.")
        }
    }
}
