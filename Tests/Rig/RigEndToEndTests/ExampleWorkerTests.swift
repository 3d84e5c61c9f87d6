import Foundation
import RigModel
import TestSupport
import Testing

/// A newcomer's worker, `harness/examples`: sixty lines without a witness page.
///
/// Its bugs are typical: it acknowledges bytes that are still in its own buffer, resumes at the
/// wrong place, or goes back by a block. Each is found from outside.
@Suite struct ExampleWorkerTests {
    private let place = Workplace()

    private static let folder = "harness/examples"

    /// A bug, as the lines that make it, and the checker that finds it.
    struct Bug: Sendable, CustomTestStringConvertible {
        let name: String
        let changes: [(line: String, becomes: String)]
        /// By the bytes at the origin, at the sockets and in the completed file.
        let foundOutside: Checker
        /// By the state that the kill left; nil if that shows no more.
        let foundInState: Checker?

        var testDescription: String { name }
    }

    private static let bugs = [
        // After a kill the length includes bytes that were never written, and the next life
        // leaves a hole there.
        Bug(
            name: "acknowledges early",
            changes: [
                (
                    #""r+b" if done > 0 else "wb") as file"#,
                    #""r+b" if done > 0 else "wb", 1 << 20) as file"#
                ), ("            file.flush()\n", ""),
            ], foundOutside: .completion, foundInState: .integrity),
        Bug(
            name: "seeks wrongly on resume",
            changes: [("file.seek(done)", "file.seek(max(0, done - 1))")],
            foundOutside: .completion, foundInState: nil),
        // The file is right in the end, but a kill costs a block more than it may.
        Bug(
            name: "forgets the last block",
            changes: [
                (
                    #"fetch(int(recall("length") or 0))"#,
                    #"fetch(max(0, int(recall("length") or 0) - BLOCK))"#
                )
            ], foundOutside: .bound, foundInState: .resumption),
    ]

    /// The worker's script with a bug, or unchanged.
    private func script(_ bug: Bug? = nil, in place: Workplace) throws -> String {
        var text = try Checkout.text(of: "\(Self.folder)/downloader.py")
        for (line, replacement) in bug?.changes ?? [] {
            try #require(text.ranges(of: line).count == 1, "the script has changed: \(line)")
            text.replace(line, with: replacement)
        }
        try text.save(as: "downloader.py", in: place)
        return place.path("downloader.py")
    }

    /// The worker's profile with another script; without `inspect` it is observed only from
    /// outside.
    private func profile(script: String, isInspected: Bool, in place: Workplace) throws -> String {
        var text = try Checkout.text(of: "\(Self.folder)/downloader.yml")
        let name = "harness/examples/downloader.py"
        try #require(text.contains(name))
        text.replace(name, with: script)
        if !isInspected {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let others = lines.filter { !$0.hasPrefix("inspect:") }
            try #require(others.count == lines.count - 1)
            text = others.joined(separator: "\n")
        }
        try text.save(as: "example.yml", in: place)
        return place.path("example.yml")
    }

    private static let options = ["--video-size", "3MB", "--seed", "7", "--quiet"]
    private static let gates = [
        "--gate", "violations == 0", "--gate", "corrupt_bytes == 0", "--gate",
        "lost_bytes.max <= 72KB",
    ]

    @Test func sixtyLinesPass() async throws {
        let lines = try Checkout.text(of: "\(Self.folder)/downloader.py")
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 61, "the last one ends in a line break")
        let profile = try profile(script: script(in: place), isInspected: true, in: place)
        // By bytes: on a busy machine timed kills may come after the work is done.
        try await place.killTest(
            Self.options, "--iterations", "8", "--trigger", "bytes", "--worker", profile, exits: 0)
        let rows = try place.rows(8)
        #expect(rows.filter { $0.verdict == .fail }.map(\.reason) == [])
        let passed = rows.filter { $0.verdict == .pass }
        #expect(passed.count >= 7)
        #expect(passed.allSatisfy { $0.boundOK == true && $0.receivedBytes != nil })
        // At least one kill must cost something, or the loss was not measured.
        #expect(passed.contains { ($0.lostBytes ?? 0) > 0 })
    }

    /// Without a profile or a page, there is only the program's command.
    @Test func itsCommandAloneIsEnough() async throws {
        try await place.killTest(
            Self.options + ["--iterations", "6", "--trigger", "bytes"] + Self.gates, "--",
            "python3", script(in: place), "{url}", "{dir}", "{output}", exits: 0)
        #expect(try place.rows().count == 6)
    }

    @Test(arguments: bugs)
    func itsBugIsFoundFromOutside(bug: Bug) async throws {
        let profile = try profile(script: script(bug, in: place), isInspected: false, in: place)
        try await expect(bug.foundOutside, of: ["--worker", profile], in: place)
    }

    @Test(arguments: bugs.filter { $0.foundInState != nil })
    func itsBugIsFoundInItsState(bug: Bug) async throws {
        let profile = try profile(script: script(bug, in: place), isInspected: true, in: place)
        try await expect(try #require(bug.foundInState), of: ["--worker", profile], in: place)
    }

    /// The allowed loss can be given as a gate too.
    @Test func aBlockThatIsForgottenIsFoundWithItsCommandAlone() async throws {
        try await place.killTest(
            Self.options + ["--iterations", "6", "--trigger", "bytes"] + Self.gates, "--",
            "python3", script(Self.bugs.last, in: place), "{url}", "{dir}", "{output}", exits: 99)
    }

    private func expect(_ checker: Checker, of worker: [String], in place: Workplace) async throws {
        try await place.killTest(
            Self.options + ["--iterations", "4", "--trigger", "bytes"] + worker, exits: 99)
        let reasons = try place.rows().filter { $0.verdict == .fail }.map(\.reason)
        #expect(reasons.contains { $0.contains("\(checker.rawValue): ") }, "\(reasons)")
    }
}
