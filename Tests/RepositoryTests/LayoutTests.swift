import TestSupport
import Testing

/// The top level is as listed, and the documents name files that exist.
@Suite struct LayoutTests {
    static let documents =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "results/reference/README.md"]
        + ((try? pages()) ?? []).map { "docs/\($0)" }

    /// The pages of `docs`, which has a folder of examples as well.
    private static func pages() throws -> [String] {
        try Checkout.entries(of: "docs").filter { $0.hasSuffix(".md") }
    }

    /// Readers do not find a page without a link, and get lost in one that is too long.
    @Test func thePagesAreShortAndTheReadmeLeadsToThem() throws {
        let readme = try Checkout.text(of: "README.md")
        let index = try Checkout.text(of: "docs/README.md")
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
        #expect(readme.contains("](docs/README.md)"))
        for page in try Self.pages() {
            #expect(
                page == "README.md" || index.contains("](\(page))"),
                "docs/README.md does not lead to \(page)")
            let lines = try Checkout.text(of: "docs/\(page)")
                .split(separator: "\n", omittingEmptySubsequences: false).count
            #expect(lines <= 301, "\(page) has \(lines) lines")
        }
    }

    /// A log of every mend between unpublished states had 101 lines, and hid what the rig does.
    @Test func theChangeLogIsShort() throws {
        let lines = try Checkout.text(of: "CHANGELOG.md")
            .split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(lines <= 61, "CHANGELOG.md has \(lines - 1) lines: keep what a user needs")
    }

    @Test func onlyTheListedEntriesStandAtTheTop() throws {
        #expect(LayoutRule.violations(inTopLevel: try Checkout.entries()) == [])
    }

    @Test func everyListedEntryIsThere() throws {
        #expect(LayoutRule.entries.subtracting(try Checkout.entries()) == [])
    }

    @Test(arguments: ["Utilities", "documents", "rig.yml", ".github"])
    func aStrayEntryIsCaught(name: String) {
        #expect(LayoutRule.violations(inTopLevel: ["Sources", ".git", name]).map(\.path) == [name])
    }

    @Test func theMapNamesEveryTarget() throws {
        let readme = try Checkout.text(of: LayoutRule.mapPage)
        let rooms = try Checkout.entries(of: "Sources")
        let folders = try rooms.flatMap { room in
            [room] + (room == "Witness" ? [] : try Checkout.entries(of: "Sources/\(room)"))
        }
        #expect(LayoutRule.violations(ofMapIn: readme, folders: folders) == [])
    }

    @Test func aTargetMissingOnTheMapIsCaught() {
        let readme = "Sources/\n  RigModel/   values\n  about RigLab/\n"
        let found = LayoutRule.violations(ofMapIn: readme, folders: ["RigModel", "RigLab"])
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.text.contains("RigLab") })
    }

    @Test(arguments: documents)
    func everyScriptNamedInADocumentCanBeRun(path: String) throws {
        let document = try Checkout.text(of: path)
        let found = LayoutRule.violations(
            ofCommandsIn: document, path: path, isRunnable: Checkout.isExecutable)
        #expect(found == [])
    }

    @Test func theReadmeNamesTheTwoCommands() throws {
        let commands = LayoutRule.commands(in: try Checkout.text(of: "README.md"))
        #expect(Set(commands).isSuperset(of: ["harness/rig", "harness/test"]))
    }

    @Test func aScriptThatIsNotThereIsCaught() {
        let document = """
            | `harness/gone --now` | and harness/rig. |
            [a](harness/lost) bash .ci/gone harness/lib/build.sh harness/ci/ over-harness/x
            """
        let found = LayoutRule.violations(
            ofCommandsIn: document, path: "A.md", isRunnable: { $0 == "harness/rig" })
        #expect(found.count == 3)
        #expect(
            LayoutRule.commands(in: document)
                == [".ci/gone", "harness/gone", "harness/lost", "harness/rig"])
    }

    @Test(arguments: documents)
    func everyLinkInADocumentLeadsSomewhere(path: String) throws {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        let found = LayoutRule.violations(
            ofLinksIn: try Checkout.text(of: path), path: path,
            exists: { Checkout.contains(folder.isEmpty ? $0 : "\(folder)/\($0)") })
        #expect(found == [])
    }

    @Test func aLinkThatLeadsNowhereIsCaught() {
        let document = "[a](LICENSE) [b](gone.md#part) [c](https://example.org) [d](#part)"
        let found = LayoutRule.violations(
            ofLinksIn: document, path: "A.md", exists: { $0 == "LICENSE" })
        #expect(found.count == 1)
        #expect(found.allSatisfy { $0.text.contains("gone.md") })
    }
}
