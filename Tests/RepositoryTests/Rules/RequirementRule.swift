/// The promises' ids in comments, tests and reports, and the page that explains them.
enum RequirementRule {
    /// The page with a line for each promise.
    static let page = "docs/requirements.md"

    /// A line of one of the page's tables.
    struct Requirement: Hashable {
        /// For example `B1`.
        let id: String
        /// Names of checkers and measures.
        let judges: [String]
        /// Names of test files, without folder and extension.
        let tests: [String]
    }

    /// Ids in a text, such as `B1` and `T12`: one of the documents' letters and one or two digits.
    static func ids(in text: some StringProtocol) -> [String] {
        words(in: text).filter { word in
            let digits = word.dropFirst()
            return word.first.map("BSCTOF".contains) == true && digits.first != "0"
                && (1...2).contains(digits.count) && digits.allSatisfy(\.isASCIIDigit)
        }
    }

    /// The lines of the page's tables, in order.
    static func requirements(in page: String) -> [Requirement] {
        page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.drop(while: \.isWhitespace) }
            guard line.hasPrefix("| "), cells.count > 2, let id = ids(in: cells[0]).first
            else { return nil }
            // The texts between back quotes in the middle cells.
            let judges = cells.dropFirst(2).dropLast().flatMap { cell in
                cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                    .filter { $0.offset % 2 == 1 }.map { String($0.element) }
            }
            let tests = words(in: cells[cells.count - 1]).filter { $0.hasSuffix("Tests") }
            return Requirement(id: id, judges: judges, tests: tests)
        }
    }

    /// The ids of a Swift file that the page lacks, in code, strings and comments alike.
    static func violations(in source: SwiftSource, known: Set<String>) -> [Violation] {
        source.lines.enumerated().flatMap { index, line in
            ids(in: line).filter { !known.contains($0) }.map {
                Violation(
                    path: source.path, line: index + 1,
                    text: "\($0) is not in \(page): give it a line there, or mend the id")
            }
        }
    }

    /// Errors of the page: ids with two lines, and tests or judges that do not exist.
    static func violations(
        ofPage requirements: [Requirement], tests: Set<String>, judges: Set<String>
    ) -> [Violation] {
        let twice = Dictionary(grouping: requirements, by: \.id).filter { $0.value.count > 1 }.keys
        return twice.sorted().map { Violation(path: page, text: "\($0) has two lines") }
            + requirements.flatMap { requirement in
                requirement.tests.filter { !tests.contains($0) }.map {
                    "\(requirement.id) names \($0), which is no test file"
                }
                    + requirement.judges.filter { !judges.contains($0) }.map {
                        "\(requirement.id) names \($0), which is no checker and no measure"
                    }
                    + (requirement.tests.isEmpty ? ["\(requirement.id) names no test"] : [])
            }.map { Violation(path: page, text: $0) }
    }

    private static func words(in text: some StringProtocol) -> [String] {
        text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map { String($0) }
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}
