import Foundation
@testable import RigLab
import RigModel
import Testing

/// Workers that would get an unearned pass, with the verdict that each deserves.
///
/// Daemons that dropped their mark survived every kill and passed, 11 orphans were left
/// after three iterations, and a file copied from the rig's own descriptor passed with
/// "recovered 4.9 MB of 3.0 MB served".
@Suite struct CheatingWorkerTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let script: String
        let status: RigModel.ExitStatus
        let says: String

        init(_ name: String, _ status: RigModel.ExitStatus, _ says: String, _ script: String) {
            (testDescription, self.script, self.status, self.says) = (name, script, status, says)
        }
    }

    /// Resumes the download from the end of the file.
    private static let fetch = #"curl -sS -C - -o "$3" "$1""#
    /// Runs the following command in a new session, without environment.
    private static let hidden = "env -i PATH=\"$PATH\" setsid"

    static let processes: [Case] = [
        Case(
            "a daemon that goes on through the kill", .gateFailed, "leftover",
            // The file becomes complete whatever happens to the worker.
            """
            \(hidden) sh -c 'curl -sS -C - -o "$1" "$0"; : > "$1.done"' "$1" "$3" &
            until [ -e "$3.done" ]; do sleep 0.01; done; rm "$3.done"
            """),
        Case(
            "a daemon without a parent that leads its own group", .gateFailed, "leftover",
            """
            python3 - "$1" "$3" <<'END'
            import os, subprocess, sys, time
            if os.fork() == 0:
                os.setsid()
                if os.fork() == 0:
                    os.setpgid(0, 0)
                    subprocess.run(["curl", "-sS", "-C", "-", "-o", sys.argv[2], sys.argv[1]], env={"PATH": os.environ["PATH"]})
                    open(sys.argv[2] + ".done", "w").close()
                os._exit(0)
            while not os.path.exists(sys.argv[2] + ".done"):
                time.sleep(0.01)
            os.remove(sys.argv[2] + ".done")
            END
            """),
        Case(
            "a name space of processes of its own", .gateFailed, "leftover",
            """
            \(hidden) unshare --fork --pid curl -sS -C - -o "$3" "$1" &
            wait
            """),
        Case(
            "a helper that ends with its worker, and not with its kill", .gateFailed,
            "leftover",
            """
            \(hidden) sleep 1000 & helper=$!
            # Before it has a session and a name of its own it would not be found at the end.
            until pgrep -s $helper -x sleep >/dev/null; do :; done
            \(fetch); pkill -KILL -s $helper -x sleep
            """),
        Case(
            "an orphan of an orphan that is left", .unavailable,
            "(sleep) running; run it in the foreground",
            "\(hidden) sh -c 'setsid sleep 1000 & exit' & \(fetch)"),
        Case(
            "a worker that is a daemon from the start", .unavailable,
            "running; run it in the foreground",
            "\(hidden) sh -c 'curl -sS -o \"$1\" \"$0\"; sleep 1000' \"$1\" \"$3\" &"),
    ]

    /// Each may write to the test's folder and to shared memory, as its profile says.
    ///
    /// `$4` is its own file there, `$5` the file that the origin serves.
    static let bytes: [Case] = [
        Case(
            "a copy that was put aside in an earlier iteration", .gateFailed, "unearned",
            """
            [ -e "$2/seen" ] && [ -e "$4" ] && exec cp "$4" "$3"
            : > "$2/seen"; \(fetch) && cp "$3" "$4"
            """),
        Case(
            "a copy in shared memory", .gateFailed, "unearned",
            """
            copy=/dev/shm/$(echo "$4" | tr / -)
            [ -e "$2/seen" ] && [ -e "$copy" ] && exec mv "$copy" "$3"
            : > "$2/seen"; \(fetch) && cp "$3" "$copy"
            """),
        Case(
            "a copy with which its work is done before the kill", .inconclusive,
            "before the kill",
            """
            [ -e "$4" ] || { \(fetch) && cp "$3" "$4"; exit; }
            curl -sS -r 0-99999 -o "$2/some" "$1"; cp "$4" "$3"
            """),
        Case(
            "the file that the origin serves, put aside before anything has come",
            .gateFailed, "unearned",
            """
            [ -e "$2/whole" ] && exec mv "$2/whole" "$3"
            cp "$5" "$2/whole"; \(fetch) && rm "$2/whole"
            """),
        Case(
            "the file that the origin serves, on the relaunch", .gateFailed, "unearned",
            "[ -e \"$2/seen\" ] && exec cp \"$5\" \"$3\"; : > \"$2/seen\"; \(fetch)"),
        Case(
            "the file that the rig has open", .gateFailed,
            Confinement.isPossible ? "exit" : "unearned",
            """
            [ -e "$2/seen" ] || { : > "$2/seen"; \(fetch); exit; }
            for file in /proc/$PPID/fd/*; do
                [ "$(readlink $file)" = "$5" ] && exec cp "$file" "$3"
            done
            exit 3
            """),
        Case(
            "a relaunch that writes beyond what it has fetched", .gateFailed, "unearned",
            """
            [ -e "$2/seen" ] || { : > "$2/seen"; \(fetch); exit; }
            curl -sS -r 0-2097151 -o "$3" "$1"; tail -c +2097153 "$5" >> "$3"
            """),
        Case(
            "an empty file on the relaunch", .gateFailed, "completion",
            "[ -e \"$2/seen\" ] && { : > \"$3\"; exit; }; : > \"$2/seen\"; \(fetch)"),
        // A program's home folder belongs to the iteration: this one restarts each time,
        // and may resume from there after its kill.
        Case(
            "a copy in its user's folder", .success, "PASS",
            "\(fetch.replacingOccurrences(of: "$3", with: "$HOME/part")) && cp \"$HOME/part\" \"$3\""
        ),
    ]

    @Test(arguments: processes)
    func aProcessThatIsOutOfReachIsFound(cheat: Case) async throws {
        try await run(cheat, ["--iterations", "2"])
    }

    /// They are found with several jobs too, whichever life they belong to.
    @Test func aProcessIsFoundBesideOtherJobs() async throws {
        try await run(Self.processes[0], ["--iterations", "4", "--jobs", "2"])
    }

    @Test(arguments: bytes)
    func aByteThatWasNotReceivedIsFound(cheat: Case) async throws {
        try await run(cheat, ["--iterations", "3"], mayWriteElsewhere: true)
    }

    /// If the kernel supports it, a worker cannot even write to other places.
    @Test(
        .enabled(if: Confinement.isPossible, "only Landlock confines a worker"),
        arguments: [bytes[0], bytes[1]])
    func aPlaceElsewhereIsClosed(cheat: Case) async throws {
        try await run(
            Case(
                cheat.testDescription, .unavailable, "name another place of its own",
                cheat.script), ["--iterations", "3"])
    }

    /// A worker that is started without the program that confines it could keep a copy anywhere.
    @Test(.enabled(if: Confinement.isPossible, "only Landlock confines a worker"))
    func withoutTheProgramThatConfinesNoWorkerIsStarted() async throws {
        let place = Workplace()
        try place.install(["rig", "downloader"])
        try await Programs.run(
            place.path("bin/rig"), ["kill-test", "--iterations", "1", "--out", "run"],
            in: place.url, exits: ExitStatus.failure.rawValue,
            complains: "rig-confine is not in \(place.path("bin"))")
    }

    private func run(
        _ cheat: Case, _ options: [String], mayWriteElsewhere: Bool = false
    ) async throws {
        let place = Workplace()
        let video = place.url.appendingPathComponent("video.bin")
        try Self.noise.write(to: video)
        let command =
            ["/bin/sh", "-c", cheat.script, "sh", "{url}", "{dir}", "{output}"]
            + [place.path("aside"), video.path]
        let profile = try place.profile(
            command, writable: mayWriteElsewhere ? [place.url.path, "/dev/shm"] : ["/proc"])
        let outcome = try await place.killTest(
            options, "--trigger", "bytes", "--at", "2MB", "--video", video.path, "--worker",
            profile, exits: cheat.status.rawValue)
        let rows = cheat.status == .unavailable ? [] : try place.rows()
        #expect(
            (outcome.complaint + outcome.output).contains(cheat.says)
                || rows.contains { row in
                    row.checkers.map(\.rawValue).contains(cheat.says)
                        || row.reason.contains(cheat.says)
                }, "\(rows.map(\.reason)) \(outcome.output)\(outcome.complaint)")
        #expect(try place.processes().isEmpty)
    }

    /// Bytes without repetition.
    private static let noise = LibraryOrigin.image("noise", bytes: 4 << 20)
}
