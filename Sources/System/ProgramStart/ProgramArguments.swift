internal import CProgram

/// The words of this program's command line as the kernel has handed them over: `CommandLine` reads
/// `/proc` instead, and finds none where that is not mounted.
package enum ProgramArguments {
    package static let given: [String] = words.map { $0.text }

    /// The first of them that is no UTF-8, as far as it can be shown: it has become another word,
    /// which as a name would lead elsewhere.
    package static let unreadable: String? = words.first { !$0.isWhole }?.text

    private static let words: [(text: String, isWhole: Bool)] = {
        guard var next = program_arguments() else {
            return CommandLine.arguments.dropFirst().map { (text: $0, isWhole: true) }
        }
        var words: [(text: String, isWhole: Bool)] = []
        while let word = next.pointee {
            let isWhole = String(validatingCString: word) != nil
            words.append((text: String(cString: word), isWhole: isWhole))
            next += 1
        }
        return Array(words.dropFirst())
    }()
}
