internal import ArgumentParser
internal import Foundation
internal import RigModel
internal import RigProfiles
internal import RigRun
internal import RigSettings

/// The options of the commands that consist of several runs and choose their kills themselves.
struct TrialOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The worker: the name of a profile, which 'rig workers' lists, or a profile's file, by a "
                + "path with a / or an end in .yml. \(WorkerProfile.referenceName) by default.",
            valueName: "name|file"), completion: .worker)
    var worker: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Fill a placeholder of the worker's own in every part, e.g. storage=rows; may be "
                + "repeated. A part's own settings take precedence.", valueName: "key=value"))
    var values: [SettingArgument] = []

    @Flag(help: "Serve every part over https.") var tls = false
    @Option(help: "The number that all kills follow from; random by default.") var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "The folder of all parts; results/<run-id> by default.", valueName: "dir"),
        completion: .directory)
    var out: String?

    @Flag(help: "Print one JSON document.") var json = false

    func validate() throws {
        if let objection = values.objection { throw ValidationError(objection) }
        guard values.values["capacity"] == nil else {
            throw ValidationError("--set capacity: the parts choose it themselves; leave it out.")
        }
    }

    func settings(for command: [String] = []) throws(RigError) -> TrialSettings {
        let profile =
            command.isEmpty
            ? try Workers.named(worker ?? WorkerProfile.referenceName)
            : try WorkerOptions.profile(worker, command)
        var settings = TrialSettings(
            profile: profile, workerOption: worker, values: values.values,
            seed: seed ?? UInt64.random(in: 0...0xFFFF_FFFF), startedAt: .now, out: out, json: json)
        settings.tls = tls
        settings.command = command
        settings.hasSettingsFile = FileManager.default.fileExists(atPath: SettingsFile.name)
        return settings
    }
}
