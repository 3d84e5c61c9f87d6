internal import ArgumentParser

/// The sources of settings that are not on the command line.
struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Named settings from rig.yml. Command line > RIG_* environment > rig.yml.",
            valueName: "name"), completion: .settingsProfile)
    var profile: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The file with the profiles; rig.yml in this folder by default, where there is one.",
            valueName: "file"), completion: .yaml)
    var config: String?

    @Flag(name: .long, help: "Read neither rig.yml nor RIG_* variables.")
    var noConfig = false

    @Flag(
        name: .long,
        help: "Print every setting that applies, with its source, as a rig.yml; start nothing.")
    var printConfig = false
}
