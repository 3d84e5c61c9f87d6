/// An option of a command: what can be set for it elsewhere than on the command line.
package struct OptionFact: Sendable, Hashable {
    /// What follows the option.
    package enum Kind: Sendable, Hashable {
        /// Nothing: it is there or not.
        case flag
        /// A value.
        case value
        /// A value that is a list, its items separated by commas.
        case list
    }

    /// Its long name, without dashes: `video-size`.
    package let name: String
    /// Its other names as they are written: `-v`.
    package let otherNames: [String]
    /// What follows it.
    package let kind: Kind
    /// True when it may be given more than once.
    package let isRepeating: Bool
    /// What applies when nobody sets it; nil for nothing.
    package let standard: String?

    /// An option.
    package init(
        name: String, otherNames: [String] = [], kind: Kind, isRepeating: Bool = false,
        standard: String? = nil
    ) {
        self.name = name
        self.otherNames = otherNames
        self.kind = kind
        self.isRepeating = isRepeating
        self.standard = standard
    }

    /// The environment variable that sets it: `RIG_VIDEO_SIZE`.
    package var variable: String {
        "RIG_" + name.uppercased().replacing("-", with: "_")
    }
}

/// The options of a command that settings can be given for, in the order of its help.
package struct OptionCatalogue: Sendable, Hashable {
    /// The options.
    package let options: [OptionFact]

    /// Options that say where settings come from, and those that print a text and do nothing else.
    package static let notSettings: Set = [
        "config", "profile", "no-config", "print-config", "help", "version",
    ]

    /// The options of a command.
    ///
    /// - Parameter all: every option that it has; ``notSettings`` are left out.
    package init(_ all: [OptionFact]) {
        options = all.filter { !Self.notSettings.contains($0.name) }
    }

    /// The option of a name; nil where there is none.
    package subscript(name: String) -> OptionFact? { options.first { $0.name == name } }

    /// The words behind `--`, which are no option but are chosen like one.
    package static let command = "command"
}
