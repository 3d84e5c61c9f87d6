/// Banned constructs, and the folders where they are allowed.
enum BanRule {
    /// One banned construct.
    struct Ban {
        /// Its tokens in the source.
        let sequence: [String]
        /// Folders where it is allowed; each ends in `/`.
        var owners: [String] = []
        /// False if tests may use it.
        var appliesToTests = false
        /// True if a member of that name is something else.
        var ignoresMembers = false
        /// True if a space between the first two tokens makes it something else.
        var isGlued = false
        /// True if naming a generator, `using:`, makes it right.
        var isRightWithGenerator = false
        /// What to do instead.
        let advice: String
    }

    /// The executables, which pass clock, randomness and output to the libraries.
    private static let executables = [
        "Sources/Cache/downloader/", "Sources/Cache/downloader-with-bugs/", "Sources/Rig/rig/",
    ]
    private static let clock = "take the clock as a parameter"
    private static let seed = "take a seeded generator as a parameter"
    private static let output = "return the text, or take the writer as a parameter"

    /// All banned constructs.
    static let bans: [Ban] = [
        Ban(sequence: ["Date", "(", ")"], owners: executables, advice: clock),
        Ban(sequence: ["Date", ".", "now"], owners: executables, advice: clock),
        Ban(sequence: ["Date", "(", "timeIntervalSinceNow"], owners: executables, advice: clock),
        Ban(
            sequence: [".", "random", "("], owners: executables, isRightWithGenerator: true,
            advice: seed),
        Ban(
            sequence: [".", "randomElement", "("], owners: executables, isRightWithGenerator: true,
            advice: seed),
        Ban(
            sequence: [".", "shuffled", "("], owners: executables, isRightWithGenerator: true,
            advice: seed),
        Ban(
            sequence: [".", "shuffle", "("], owners: executables, isRightWithGenerator: true,
            advice: seed),
        // The proxy's key must not follow from a seed.
        Ban(
            sequence: ["SystemRandomNumberGenerator"],
            owners: executables + ["Sources/Cache/PlaybackProxy/"], advice: seed),
        Ban(sequence: ["UUID", "(", ")"], owners: executables, advice: seed),
        Ban(sequence: ["print", "("], owners: executables, ignoresMembers: true, advice: output),
        Ban(
            sequence: ["debugPrint", "("], owners: executables, ignoresMembers: true,
            advice: output),
        Ban(
            sequence: ["try", "!"], appliesToTests: true, isGlued: true,
            advice: "handle or pass on the error"),
        Ban(
            sequence: ["@", "unchecked"], appliesToTests: true,
            advice: "use a Mutex, an actor or a value"),
        Ban(
            sequence: ["NSString", ")", ".", "deletingLastPathComponent"], appliesToTests: true,
            advice: "use parentFolder; this crashes where the path is one character"),
    ]

    /// The banned constructs in the file.
    static func violations(in source: SwiftSource) -> [Violation] {
        bans.flatMap { ban -> [Violation] in
            guard ban.appliesToTests || source.path.hasPrefix("Sources/"),
                !ban.owners.contains(where: source.path.hasPrefix)
            else { return [] }
            return source.occurrences(of: ban.sequence).filter {
                isBroken(ban, at: $0, in: source)
            }.map {
                Violation(
                    path: source.path, line: source.tokens[$0].line,
                    text: "no \(ban.sequence.joined()) here: \(ban.advice)")
            }
        } + unexplainedUnsafety(in: source)
    }

    private static func isBroken(_ ban: Ban, at index: Int, in source: SwiftSource) -> Bool {
        if ban.ignoresMembers {
            let before = source.tokens[..<index].suffix(2).map(\.text)
            if before.last == "func" { return false }
            if before.last == ".", before.first != "Swift" { return false }
        }
        if ban.isGlued, !source.tokens[index + 1].isGlued { return false }
        if ban.isRightWithGenerator {
            let opening = index + ban.sequence.count - 1
            let end = source.closing(of: opening) ?? opening
            return !source.tokens[opening...end].contains { $0.text == "using" }
        }
        return true
    }

    /// Uses of `nonisolated(unsafe)` without a comment on the line above that says why it is safe.
    private static func unexplainedUnsafety(in source: SwiftSource) -> [Violation] {
        source.occurrences(of: ["nonisolated", "(", "unsafe", ")"]).map { source.tokens[$0].line }
            .filter { line in
                line < 2 || !source.lines[line - 2].drop(while: \.isWhitespace).hasPrefix("//")
            }.map {
                Violation(
                    path: source.path, line: $0,
                    text: "nonisolated(unsafe) needs a comment right above that says why it is safe"
                )
            }
    }
}
