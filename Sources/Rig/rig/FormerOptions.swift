internal import RigModel

/// Options of kill-test that have become commands.
enum FormerOptions {
    private static let commands = [
        "--self-check": "rig self-check", "--bugs": "rig self-check",
        "--documented": "rig verify-claims", "--bounds": "rig verify-claims",
    ]

    /// Rejects such an option, and names the command.
    ///
    /// - Parameter words: the whole command line.
    /// - Throws: ``RigError`` with exit code 64.
    static func check(_ words: [String]) throws(RigError) {
        guard let name = words.first, name == "kill-test" || name == "plan" else { return }
        for word in words.prefix(while: { $0 != "--" }) {
            let option = String(word.prefix { $0 != "=" })
            guard let command = commands[option] else { continue }
            throw RigError(
                .usage,
                "\(option) is no option of \(name) any more: use \(command), and see "
                    + "\(command) --help")
        }
    }
}
