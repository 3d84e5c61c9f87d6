import Foundation
import RigModel
import Testing

/// What a program has said by a power cut, beside the files that the cut has left.
@Suite struct SaidAtCutTests {
    private let place = Workplace()

    /// Appends numbers to a log, and says each; the places of `sync` and `say` are filled in.
    private static func program(_ steps: [String], says where: String) -> String {
        """
        import os, sys, time
        log = os.open(sys.argv[1] + "/log", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        acks = \(`where`)
        folder = os.open(sys.argv[1], os.O_RDONLY)
        os.fsync(folder)
        for number in range(1, 31):
            os.write(log, b"%d\\n" % number)
            \(steps.joined(separator: "\n    "))
        """
    }

    private static let pause = "time.sleep(0.01)"
    private static let sync = "os.fsync(log)"
    private static let say = "os.write(acks, b\"%d\\n\" % number)"
    private static let check =
        "for n in $(cat {said}); do grep -qx $n {dir}/log || { echo $n is gone; exit 1; }; done"

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [String]
        var acks: String?
        let code: Int32
    }

    /// Each state of a cut comes with the lines that had been said by then, and not with what the
    /// state has kept of the file with the lines.
    @Test(arguments: [
        Case(testDescription: "synced, then said", steps: [sync, say], code: 0),
        Case(testDescription: "said, then synced", steps: [say, sync], code: 99),
        Case(
            testDescription: "synced, then said in a file", steps: [sync, say], acks: "acks",
            code: 0),
        Case(
            testDescription: "said in a file, then synced", steps: [say, sync], acks: "acks",
            code: 99),
    ])
    func linesCountAsTheyWereAtTheCut(of one: Case) async throws {
        let acks =
            one.acks.map {
                "os.open(sys.argv[1] + \"/\($0)\", os.O_CREAT | os.O_WRONLY | os.O_APPEND)"
            } ?? "1"
        try await place.killTest(
            [
                "--seed", "3", "--iterations", "4", "--trigger", "said", "--no-relaunch", "--fault",
                "power-cut-torn", "--disk", "posix", "--states", "8", "--check", Self.check,
            ] + (one.acks.map { ["--said", $0] } ?? []), "--", "python3", "-c",
            Self.program(one.steps, says: acks), "{dir}", exits: one.code)
        let rows = try place.rows()
        #expect(rows.allSatisfy { $0.realised ?? 0 >= 1 }, "\(rows.map(\.realised))")
    }

    /// The same of a real one, with the lines that had been said right before it.
    @Test(
        .enabled(if: isPowerCutPossible, "needs root, loop devices, mkfs.ext4 and mkfs.xfs"),
        arguments: [([sync, say], 0), ([say], 99)])
    func linesCountAsTheyWereAtARealCut(steps: [String], code: Int) async throws {
        let outcome = try await place.killTest(
            "--seed", "3", "--iterations", "2", "--trigger", "said", "--at", "15",
            "--no-relaunch", "--fault", "power-cut", "--check", Self.check, "--", "python3",
            "-c", Self.program([Self.pause] + steps, says: "1"), "{dir}")
        #expect(outcome.exitCode == Int32(code), "\(outcome.output)\(outcome.complaint)")
        let rows = try place.rows()
        #expect(rows.count == 2 && rows.allSatisfy { $0.fault == "power-cut" })
        #expect(rows.contains { $0.checkers == [.check] } == (code == 99))
        #expect(rows.allSatisfy { $0.realised ?? 0 >= 15 }, "\(rows.map(\.realised))")
    }
}
