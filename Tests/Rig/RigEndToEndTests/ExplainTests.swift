import Foundation
import RigModel
import TestSupport
import Testing

/// `rig explain` names the call, the rule and the cure of a failed power cut.
@Suite struct ExplainTests {
    private let place = Workplace()

    private static let examples = "\(OwnWorker.repository)/harness/examples/after-a-finding"

    private static let cuts = [
        "--fault", "power-cut-torn", "--states", "10", "--no-relaunch", "--iterations", "8",
        "--seed", "3",
    ]

    /// A C program that renames a file without a sync: the write and the rename are named, with
    /// the function that wrote, and the sync that is missing mends it for real.
    @Test(.enabled(if: installed("cc") != nil))
    func aMissingSyncBeforeARenameIsNamed() async throws {
        let save = place.path("save")
        try await Programs.run(
            try #require(installed("cc")), ["-g", "-o", save, "\(Self.examples)/save.c"],
            in: place.url, exits: 0)
        try await place.killTest(
            Self.cuts, "--check", "\(save) check {dir}", "--check-sees",
            "truncate -s 100 {dir}/letters", "--", save, "{dir}", exits: 99)
        // What was not synced is kept of every cut, and is on the page.
        for row in try place.rows() where row.crashStates != nil {
            let path = "run/\(RowIdentity(row).evidencePath)/unsynced.json"
            let text = try place.text(path)
            // A kill before the first write leaves nothing unsynced, and breaks nothing.
            #expect(text.contains("\"path\"") || row.verdict == .pass, "\(text)")
        }
        #expect(try place.text("run/report.html").contains("Not synced at the kill"))

        let outcome = try await rig("explain", "run", in: place, exits: 0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let rule = try #require(lines.first)
        #expect(rule.hasPrefix("RULE  call "), "\(outcome.output)")
        #expect(
            rule.contains(/rename\w*\(letters\.tmp → letters\), was on the disk and call/),
            "\(outcome.output)")
        #expect(rule.contains("write(letters.tmp, 8192 bytes at 0), was"), "\(outcome.output)")
        #expect(rule.hasSuffix("no sync of letters.tmp lies between them"), "\(outcome.output)")
        #expect(lines[1].hasPrefix("CURE  fdatasync of letters.tmp"), "\(outcome.output)")
        #expect(lines[1].hasSuffix("carried out, 0 of 20 kills fail"), "\(outcome.output)")
        if installed("llvm-symbolizer") ?? installed("addr2line") != nil {
            outcome.prints("save at save.c:")
        }

        let json = try await rig("explain", "run", "--json", "--kills", "0", in: place, exits: 0)
        let told = try #require(
            try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        #expect((told["rule"] as? String)?.hasSuffix("lies between them") == true)
        #expect(told["carried_out"] is NSNull)
        #expect(((told["unsynced"] as? [Any])?.count ?? 0) > 0)
    }

    /// Succeeds in an interpreter whose lines can be told.
    private static let isKnown = """
        import sys, sysconfig
        isFree = sysconfig.get_config_var("Py_GIL_DISABLED")
        isOurs = sys.implementation.name == "cpython" and (3, 11) <= sys.version_info < (3, 14)
        sys.exit(isFree or not isOurs)
        """

    /// The same in Python: the lines of its source are named, not those of the interpreter.
    @Test(.enabled(if: installed("python3") != nil))
    func aMissingSyncIsNamedByItsLineOfPython() async throws {
        let save = "\(Self.examples)/save.py"
        try await place.killTest(
            Self.cuts, "--check", "python3 \(save) check {dir}", "--check-sees",
            "truncate -s 100 {dir}/letters", "--", "python3", save, "{dir}", exits: 99)
        let outcome = try await rig("explain", "run", "--kills", "0", in: place, exits: 0)
        let rule = try #require(outcome.output.split(separator: "\n").first)
        #expect(rule.contains("no sync of letters.tmp lies between them"), "\(outcome.output)")
        let known = try await Programs.run(
            try #require(installed("python3")), ["-c", Self.isKnown], in: place.url)
        let lines = try String(contentsOfFile: save, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        func isNamed(_ call: String) throws -> Bool {
            let line = try #require(lines.firstIndex { $0.contains(call) }) + 1
            return outcome.output.contains("    save at save.py:\(line)  \(save)\n")
        }
        // Where the buffer is larger, the bytes leave the program at the end of the `with`, which
        // Python counts to its first line.
        let isWrite = try isNamed("file.write(") || isNamed("with open(\"letters.tmp\"")
        #expect(isWrite == (known.exitCode == 0), "\(outcome.output)")
        #expect(try isNamed("os.replace(") == isWrite, "\(outcome.output)")
    }

    private static let syncedFiles = ["data/1", "cache.sqlite-wal", "cache.sqlite"]

    /// One of three syncs is taken out of the reference cache: of its data, its index, or its log.
    ///
    /// The write that it was for is named, and its cure, and no other.
    @Test(arguments: Nightly.cases(syncedFiles, usual: 2))
    func oneMissingSyncOfTheDownloaderIsNamed(file: String) async throws {
        try await place.killTest(
            "--fault", "power-cut-torn", "--states", "30", "--video-size", "4MB", "--durability",
            "power", "--set", "storage=file", "--iterations", "6", "--seed", "5",
            environment: planted("missing-fdatasync:/\(file)"), exits: 99)
        let outcome = try await rig("explain", "run", "--kills", "0", in: place, exits: 0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let write = try Regex("call \\d+, \\w*write\\w*\\(\(file), ")
        #expect(lines[0].contains(write), "\(outcome.output)")
        #expect(lines[0].contains("no sync of \(file) "), "\(outcome.output)")
        let cure = try Regex("(fdatasync|fsync) of \(file) right (before|after)")
        #expect(lines[1].contains(cure), "\(outcome.output)")
        #expect(lines[1].contains(/: (\d+) of \1 failing states pass/), "\(outcome.output)")
        for other in Self.syncedFiles where other != file {
            #expect(!lines[0].contains("no sync of \(other) "), "\(outcome.output)")
            #expect(!lines[1].contains("sync of \(other) "), "\(outcome.output)")
        }
    }

    /// A kill at a call takes nothing that was written: the call is named, and no more.
    @Test func aKillAtACallNamesTheCall() async throws {
        try await place.killTest(
            "--trigger", "syscall", "--at", "2", "--iterations", "1", "--no-relaunch",
            "--check", "[ ! -e {dir}/a ] || [ -e {dir}/b ]", "--check-sees", "rm {dir}/b", "--",
            "/bin/sh", "-c", ": >\"$1/a\"; : >\"$1/b\"", "sh", "{dir}", exits: 99)
        let outcome = try await rig("explain", "run", "--iteration", "1", in: place, exits: 0)
        #expect(outcome.output.hasPrefix("RULE  the kill came before open"), "\(outcome.output)")
        outcome.prints("/b, call 2 of the launch")
    }

    /// A relaunch that cannot do with what the kill has left: of the files that it reads, the one
    /// that is not as an unharmed launch leaves it is named.
    @Test func aKillAtACallNamesWhatTheRelaunchRead() async throws {
        // The fourth call is the write to b.
        let script = """
            read x <"$1/a"; [ ! -e "$1/b" ] || read x <"$1/b" || exit 3
            echo one >"$1/a"; echo two >"$1/b"
            """
        try await place.killTest(
            "--trigger", "syscall", "--at", "4", "--iterations", "1", "--check", "[ -s {dir}/a ]",
            "--check-sees", "rm {dir}/a", "--", "/bin/sh", "-c", script, "sh", "{dir}", exits: 99)
        let outcome = try await rig("explain", "run", "--iteration", "1", in: place, exits: 0)
        #expect(outcome.output.hasPrefix("RULE  the kill came before write"), "\(outcome.output)")
        outcome.prints("\n  b: 0 bytes, and 4 bytes after an unharmed launch\n")
        #expect(!outcome.output.contains("\n  a: "), "\(outcome.output)")
    }

    /// What cannot be explained says why.
    @Test func aPassIsNotExplained() async throws {
        let run = try await place.killTest(
            "--iterations", "1", "--check", "test -d {dir}", "--no-relaunch", "--", "/bin/sh",
            "-c", "sleep 0.2; : >\"$1/a\"", "sh", "{dir}")
        #expect([0, 98].contains(run.exitCode), "\(run.output)\(run.complaint)")
        try await rig("explain", "run", in: place, exits: 64, complains: "no kill of run failed")
        try await rig(
            "explain", "run", "--iteration", "1", in: place, exits: 64, complains: "did not fail")
    }
}
