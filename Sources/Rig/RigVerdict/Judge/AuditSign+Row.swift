import RigModel

extension AuditSign {
    /// The worst of what a failed row shows; nil where no finding is told.
    init?(_ row: IterationRow) {
        let order = [Checker.stitched] + Checker.allCases.filter { $0 != .stitched }
        let signs = order.compactMap { checker in
            row.finding(of: checker).map { AuditSign(checker, Self.file(checker, $0)) }
        }
        guard let worst = signs.min(by: { $0.rank < $1.rank }) else { return nil }
        self = worst
    }

    /// What the file is like, in the checkers' words; nil where none was called completed.
    private static func file(_ checker: Checker, _ detail: String) -> File? {
        switch checker {
        case .stitched: detail.hasPrefix("all ") ? .oldPart : .joined
        case .completion: file(detail)
        case .exit, .falseSuccess:
            detail.split(separator: "ended with exit code 0, and ", maxSplits: 1)
                .dropFirst().first.flatMap { file(String($0)) }
        default: nil
        }
    }

    private static func file(_ words: String) -> File? {
        // What the program says follows, so only the beginning counts.
        let none = ["the relaunched worker ended well and left no", "there was no completed file"]
        if none.contains(where: { words.hasPrefix($0) }) { return .missing }
        for subject in ["the completed file ", "its file "] where words.hasPrefix(subject) {
            let rest = words.dropFirst(subject.count)
            if rest.hasPrefix("is empty") { return .empty }
            if rest.hasPrefix("ends ") { return .tooShort }
            return rest.contains("too long") ? .tooLong : nil
        }
        guard words.prefixMatch(of: /[0-9]+ bytes? of (the completed|its) file/) != nil,
            words.contains("unlike the video's")
        else { return nil }
        return words.contains("past its end") ? .wrongAndLong : .wrong
    }
}
