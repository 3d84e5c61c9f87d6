internal import ArgumentParser

/// The sources of settings that are not on the command line.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Named settings from rig.yml, which options on the command line override.",
            valueName: "name"), completion: .settingsProfile)
    var profile: String?

    @Option(
        help: ArgumentHelp(
            "The file with the profiles; rig.yml in this folder by default, where there is one.",
            valueName: "file"), completion: .yaml)
    var config: String?

    @Flag(help: "Do not read rig.yml.")
    var noConfig = false
}
