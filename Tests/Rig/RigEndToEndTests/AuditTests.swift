import Foundation
import RigModel
import Testing
import TestSupport

/// `rig audit`, on programs with one mistake each, and on one without.
///
/// `harness/examples/mistakes/audit` tries them all, which takes three minutes each.
@Suite struct AuditTests {
    private let place = Workplace()

    /// With no time at all each situation has its four kills, or is not tried.
    @Test func aMistakeIsFoundAndTheCommandRepeatsIt() async throws {
        // Nearly every kill in the first two situations shows it.
        let outcome = try await rig(
            "audit", "--minutes", "0.02", "--seed", "1", "--out", "run", "--",
            Checkout.path("harness/examples/mistakes/preallocated.py"), "{url}", "{output}",
            "{dir}", in: place, exits: 99)
        outcome.prints("FAIL ").prints("not tried: the time was over; give --minutes")
            .prints("\n  One kill  rig replay run/")
        // Each line as it ends.
        outcome.complains("\nrig: killed all over its work (")
        // It renames nothing, and syncs nothing.
        let none = outcome.output.components(separatedBy: "not tried: it makes no such call")
        #expect(none.count == 3, "\(outcome.output)")
        let line = try #require(
            outcome.output.split(separator: "\n").first { $0.hasPrefix("  Repeat  rig ") })
        let again = try await Programs.run(
            "/bin/sh",
            ["-c", "\(Programs.rig) \(line.dropFirst("  Repeat  rig ".count)) >/dev/null 2>&1"],
            in: place.url)
        #expect(again.exitCode == 99, "\(line)")
        #expect(try place.text("run/audit.json").contains("\"outcome\": \"fail\""))
        #expect(place.has("run/anywhere/report.html"))
        #expect(try place.text("run/report.html").contains("href=\"anywhere/report.html\""))
        outcome.prints("Report  run/report.html")
        #expect(try place.text("run/junit.xml").contains("rig.audit.preallocated-py.anywhere"))
        // It was told to be a self-check.
        try await rig(
            "open", "run", in: place, exits: 65, complains: "the parts of an audit, whose page is ")
    }

    /// What `--json` prints is the document of the folder, whole and alone.
    ///
    /// An audit that named no program took the rig's own downloader, and passed, whatever program
    /// `rig.yml` names. What an audit chooses itself is not taken from the file.
    @Test func theProgramOfTheFileIsAuditedAndTheResultIsOneDocument() async throws {
        try "profiles: {default: {worker: wget, iterations: 1, trigger: bytes}, ci: {worker: curl}}"
            .save(as: "rig.yml", in: place)
        let outcome = try await rig(
            "audit", "--minutes", "0.001", "--seed", "1", "--out", "run", "--profile=ci", "--json",
            "--quiet", in: place)
        let stored = try place.text("run/audit.json")
        #expect(outcome.output == stored)
        let read = try #require(
            try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
        #expect(read["exit_code"] as? Int == outcome.exitCode.map { Int($0) })
        let situations = try #require(read["situations"] as? [[String: Any]])
        #expect(
            situations.compactMap { $0["situation"] as? String } == AuditSituation.all.map(\.name))
        #expect(try place.text("run/audit.md").contains("Audit of curl: "))
        // The command that repeats a situation would take the other settings of the file.
        #expect(stored.contains("rig kill-test --no-config --seed 1 "), "\(stored)")
    }

    @Test func oneThatDoesNotDoItsWorkIsNotAudited() async throws {
        let outcome = try await rig(
            "audit", "--out", "run", "--", "/bin/sh", "-c", "curl -q -sS -r 0-9 -o \"$1\" \"$0\"",
            "{url}", "{output}", in: place, exits: 69
        ).complains("its file ends after 10 B of 4.0 MB")
        #expect(outcome.output.isEmpty)
    }

    /// Ten minutes were waited for each kill of a program that starts over for ever after it.
    ///
    /// It refuses to be traced, so that one situation alone shows it.
    @Test func oneThatNeverEndsIsCutOffAndNoPass() async throws {
        let script = """
            grep -q '^TracerPid:.*[1-9]' /proc/$$/status && exit 1
            while [ -e "$2/seen" ]; do curl -q -sS -o /dev/null "$0"; sleep 1; done
            : > "$2/seen"
            curl -q -sS -o "$1" "$0"
            rm "$2/seen"
            """
        let outcome = try await rig(
            "audit", "--minutes", "0.02", "--seed", "1", "--out", "run", "--", "/bin/sh", "-c",
            script, "{url}", "{output}", "{dir}", in: place, exits: 98)
        outcome.complains("killed all over its work: cannot be judged: ")
            .complains("then its time was over; give --minutes")
            .prints("0 of 0 situations fail; 2 could not be judged; 21 were not tried")
    }

    /// A program that looks at how its calls end is not blamed for what it does then.
    @Test(
        arguments: Nightly.cases(
            [
                ("full-disk", "ignores-write-error.py", 99), ("io-error", "right-parts.sh", 0),
                ("full-disk", "right-takes-over.js", 0), ("sync-error", "right-again.pl", 0),
                ("rename-error", "forgets-rename.sh", 99), ("rename-error", "right-state.py", 0),
                ("io-error", "ignores-write-error.py", 99), ("full-disk", "right-over.js", 0),
                ("full-disk", "right-append.pl", 0), ("sync-error", "right-blocks.py", 0),
            ] as [(String, String, Int32)], usual: 5))
    func callsFail(situation: String, program: String, code: Int32) async throws {
        let path = Checkout.path("harness/examples/mistakes/\(program)")
        let options = try #require(AuditSituation.all.first { $0.name == situation }).options
        try await place.killTest(
            options, "--iterations", code == 99 ? "6" : "3", "--seed", "5", "--video-size", "2MB",
            "--", path, "{url}", "{output}", "{dir}", exits: code)
        let rows = try place.rows()
        rows.all { $0.failedCall != nil }
        if code == 99 { #expect(rows.contains { $0.checkers.contains(.falseSuccess) }) }
    }

    /// A program that does not try again by itself used to be refused, right or wrong.
    @Test(
        arguments: Nightly.cases(
            [
                ("truncate:1MB:1", "right-over.sh", 0), ("truncate:1MB:6", "right-over.sh", 99),
                ("truncate:1MB:1", "no-length-check.py", 99), ("status:503:1", "right-over.sh", 0),
                ("reset:1MB:2", "right-over.js", 0),
            ] as [(String, String, Int32)], usual: 3))
    func whatGivesUpAtAFaultIsStartedAgain(
        fault: String, program: String, code: Int32
    ) async throws {
        let path = Checkout.path("harness/examples/mistakes/\(program)")
        try await place.killTest(
            "--iterations", "4", "--seed", "5", "--video-size", "4MB", "--origin-fault", fault,
            "--", path, "{url}", "{output}", "{dir}", exits: code)
    }
}
