internal import CProgram

/// The words of this program's command line.
///
/// They are those that the kernel has handed over. `CommandLine` reads `/proc` instead, and finds
/// none where that is not mounted.
package enum ProgramArguments {
    /// The words after the program's name.
    package static let given: [String] = {
        guard var next = program_arguments() else {
            return Array(CommandLine.arguments.dropFirst())
        }
        var words: [String] = []
        while let word = next.pointee {
            words.append(String(cString: word))
            next += 1
        }
        return Array(words.dropFirst())
    }()
}
