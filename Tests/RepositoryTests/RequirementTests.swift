import Foundation
import TestSupport
import Testing

/// Every promise's id has a line in docs/requirements.md, which names existing tests and judges.
@Suite struct RequirementTests {
    private static func requirements() throws -> [RequirementRule.Requirement] {
        RequirementRule.requirements(in: try Checkout.text(of: RequirementRule.page))
    }

    @Test(arguments: Repository.swiftFolders)
    func everyIdHasItsLine(folder: String) throws {
        let known = Set(try Self.requirements().map(\.id))
        let sources = try Repository.swiftSources(below: folder)
            .filter { !$0.path.hasPrefix("Tests/RepositoryTests/") }
        #expect(sources.flatMap { RequirementRule.violations(in: $0, known: known) } == [])
    }

    @Test func everyPromiseOnTrialHasItsLine() throws {
        let bounds = try Checkout.text(of: "Sources/Rig/RigProfiles/bounds.yml")
        let known = Set(try Self.requirements().map(\.id))
        #expect(Set(RequirementRule.ids(in: bounds)).subtracting(known) == [])
        #expect(known.count > 40)
    }

    @Test func whatThePageNamesIsThere() throws {
        let tests = try Repository.swiftSources(below: "Tests").map {
            String($0.path.split(separator: "/").last?.dropLast(6) ?? "")
        }
        let bounds = try Checkout.text(of: "Sources/Rig/RigProfiles/bounds.yml")
        let measures = bounds.components(separatedBy: "measure: ").dropFirst().map {
            String($0.prefix { $0.isLetter || $0 == "_" })
        }
        let verdict = try Checkout.text(of: "Sources/Rig/RigModel/Terms/Checker.swift")
        let cases = verdict.split(separator: "\n").filter { $0.hasPrefix("    case ") }
        let checkers = cases.flatMap { $0.dropFirst(9).split(separator: ", ") }.map {
            String($0.split(separator: "\"").dropFirst().first ?? $0)
        }
        let found = RequirementRule.violations(
            ofPage: try Self.requirements(), tests: Set(tests), judges: Set(measures + checkers))
        #expect(found == [])
    }

    @Test func anIdWithoutALineIsCaught() {
        let text = "/// It holds (B1, T12).\nlet a = \"C99\" // S7, not 0xB7, B0 or XB1\n"
        let source = SwiftSource(path: "Sources/Rig/RigLab/A.swift", text: text)
        let found = RequirementRule.violations(in: source, known: ["B1", "T12"])
        #expect(found.map(\.line) == [2, 2])
    }

    @Test func aLineThatLeadsNowhereIsCaught() {
        let page = """
            | id | promise | judged by | tests |
            |---|---|---|---|
            | B1 | Of `this` no more. | `bound`; `gone` | ATests, LostTests |
            | B1 | Twice. | — | ATests |
            | B2 | Not tested. | — | none |
            """
        let requirements = RequirementRule.requirements(in: page)
        #expect(requirements.map(\.id) == ["B1", "B1", "B2"])
        #expect(requirements[0].judges == ["bound", "gone"])
        let found = RequirementRule.violations(
            ofPage: requirements, tests: ["ATests"], judges: ["bound"])
        #expect(found.count == 4)
    }
}
