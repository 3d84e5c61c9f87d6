/// An option of a command that can also be set elsewhere than on the command line.
package struct OptionFact: Sendable, Hashable {
    /// The value that follows the option.
    package enum Kind: Sendable, Hashable {
        /// No value: the option is present or absent.
        case flag
        /// A single value.
        case value
        /// A list of values, separated by commas.
        case list
    }

    /// Its long name, without dashes: `video-size`.
    package let name: String
    /// Its other names as written: `-v`.
    package let otherNames: [String]
    /// The kind of value that follows it.
    package let kind: Kind
    /// True when it may be given more than once.
    package let isRepeating: Bool
    /// The default; nil for none.
    package let standard: String?

    /// Creates an option.
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

/// The options of a command that can be set, in the order of its help.
package struct OptionCatalogue: Sendable, Hashable {
    /// The options.
    package let options: [OptionFact]

    /// Options that select the sources of settings, and options that only print a text.
    package static let notSettings: Set = [
        "config", "profile", "no-config", "print-config", "help", "version",
    ]

    /// Creates the catalogue of a command.
    ///
    /// - Parameter all: all its options; those in ``notSettings`` are removed.
    package init(_ all: [OptionFact]) {
        options = all.filter { !Self.notSettings.contains($0.name) }
    }

    /// The option with a name; nil if there is none.
    package subscript(name: String) -> OptionFact? { options.first { $0.name == name } }

    /// The name for the words after `--`, which are not an option but are set like one.
    package static let command = "command"
}
