import Foundation
import RigModel
import TestSupport
import Testing

/// A worker that writes in a way that the tracer does not follow.
@Suite struct UnseenTests {
    private let place = Workplace()

    /// False with a kernel without io_uring, or one that refuses it here.
    private func hasRing() async throws -> Bool {
        try await Programs.run(
            BuiltPrograms.path("FileCaller"), ["ring", place.path(""), "read"], in: place.url
        ).exitCode != 77
    }

    /// A worker that saves by io_uring alone passed a modelled power cut: the state that it was
    /// relaunched from held nothing of what it had written, or had called safe.
    ///
    /// Under signal 9, which loses nothing that the kernel has, it is judged as any other.
    @Test(arguments: ["power-cut-torn", "sigkill"])
    func whatIsWrittenByIoUringIsNotJudged(fault: String) async throws {
        guard try await hasRing() else { return }
        let script = place.path("worker.sh")
        // On a busy machine a kill came before the first write of what curl had received, and there
        // was nothing to leave unjudged. So each launch has written before it asks for a byte.
        let save = "'\(BuiltPrograms.path("FileCaller"))' ring-save"
        try """
        echo begun | \(save) "$2.begun"
        curl --silent "$1" | \(save) "$2"
        """.save(as: "worker.sh", in: place)
        let outcome = try await rig(
            [
                "kill-test", "--fault", fault, "--video-size", "2MB", "--bandwidth", "20MB/s",
                "--trigger", "bytes", "--iterations", "3", "--seed", "5", "--out", "run",
            ] + (fault == "power-cut-torn" ? ["--states", "3"] : []), "--", "sh", script,
            "{url}", "{output}", in: place)
        let rows = try place.rows()
        let reasons = rows.map(\.reason)
        #expect(rows.count == 3 && rows.allSatisfy { $0.verdict == .pass }, "\(reasons)")
        guard fault == "power-cut-torn" else {
            return #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
        }
        #expect(outcome.exitCode == 98, "\(outcome.output)\(outcome.complaint)")
        rows.all { $0.notJudged.contains(.completion) }
        rows.all { $0.lostBytes == nil && $0.recoveredBytes == nil }
        #expect(reasons.allSatisfy { $0.contains("not recorded: WRITE by io_uring") })
        // The other states would be as wrong.
        rows.all { $0.crashStates == 1 }
        let words = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.hasPrefix("UNDECIDED 3 of 3 power cuts"), "\(outcome.output)")
        #expect(words.contains("the completed file"), "\(outcome.output)")
        #expect(words.contains("not recorded: WRITE by io_uring"), "\(outcome.output)")
        let json = try place.text("run/summary.json")
        #expect(json.contains("\"completion\": 3"), "\(json)")
    }

    /// Requests to io_uring were neither counted nor made to fail, and the run passed, or said that
    /// the worker makes no such call.
    @Test(arguments: ["slow", "fsync-eio"])
    func whatIoUringDoesIsNotCounted(error: String) async throws {
        guard try await hasRing() else { return }
        let script = place.path("worker.sh")
        try "curl --silent \"$1\" | '\(BuiltPrograms.path("FileCaller"))' ring-save \"$2\""
            .save(as: "worker.sh", in: place)
        let outcome = try await rig(
            "kill-test", "--trigger", "syscall", "--fault", "call-error", "--error", error,
            "--video-size", "1MB", "--iterations", "2", "--seed", "5", "--out", "run", "--",
            "sh", script, "{url}", "{output}", in: place, exits: 98)
        // Without a call that could fail so there is no launch to judge.
        guard error == "slow" else {
            outcome.complains("by io_uring")
            return
        }
        let reasons = try place.rows().map(\.reason)
        #expect(
            reasons.count == 2
                && reasons.allSatisfy { $0.contains("not counted: WRITE by io_uring") },
            "\(reasons)")
    }
}
