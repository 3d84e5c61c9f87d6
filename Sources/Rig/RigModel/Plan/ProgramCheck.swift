/// How the work of a program that fetches nothing is judged: by a command of its user's.
///
/// A shell reads the commands. `{dir}` is the program's folder, `{said}` the file of its lines.
package struct ProgramCheck: Sendable, Hashable, Codable {
    /// Ends with 0 for what is sound, with 1 for a violation; anything else says nothing.
    package let command: String
    /// Fills the folder before the program is started; nil for a program that begins with nothing.
    package var prepare: String?
    /// Damages the folder so that the check must notice it; nil where none is named.
    package var sees: String?
    /// True when what a kill has left is checked before the relaunch as well, on a copy.
    package var isRunBefore = false
    /// ``standardOutput``, ``nothing``, or a file below the folder, by which the program promises.
    package var said = Self.standardOutput
    /// When the program is ended, in seconds from its launch; nil for one that ends by itself.
    package var seconds: Double?
    package var relaunches = true

    package static let standardOutput = "stdout"
    package static let nothing = "none"

    package init(_ command: String) { self.command = command }

    /// The file below the folder in which the program says what it has done; nil for none.
    package var saidFile: String? {
        [Self.standardOutput, Self.nothing].contains(said) ? nil : said
    }

    /// True where the check is told what was said, so that it can hold the program to it.
    package var looksAtLines: Bool {
        said != Self.nothing && Placeholders.names(in: command).contains("said")
    }

    package var options: [String] {
        ["--check", command] + (prepare.map { ["--prepare", $0] } ?? [])
            + (sees.map { ["--check-sees", $0] } ?? []) + (isRunBefore ? ["--check-before"] : [])
            + (said == Self.standardOutput ? [] : ["--said", said])
            + (seconds.map { ["--for", "\($0)s"] } ?? []) + (relaunches ? [] : ["--no-relaunch"])
    }
}
