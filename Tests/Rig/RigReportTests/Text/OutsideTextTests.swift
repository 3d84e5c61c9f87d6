import RigModel
import RigReport
import Testing

/// The conclusion of a run of a program that is seen from outside.
@Suite struct OutsideTextTests {
    private static let profile = WorkerProfile(name: "curl", command: ["curl"])

    private static let blind: Set<Checker> = [
        .durability, .integrity, .agreement, .ranges, .resumption,
    ]

    /// Each run of such a program said "in 100 of 100 kills: what was called safe, the stored data,
    /// the program's own count, …", as if kills had gone wrong.
    @Test func whatIsNeverSeenIsSaidOnce() {
        var rows = makeRows(3) { ($0.phase, $0.notJudged) = (nil, Self.blind) }
        rows[0].notJudged.insert(.ledger)
        let text = VerdictText.text(makeVerdictRun(rows, worker: "curl", profile: Self.profile))
        #expect(
            text.contains(
                """
                  not judged      what it kept and called safe: seen from outside only
                                  → docs/workers.md#what-the-rig-can-see; in 1 of 3 kills: what
                                  the origin sent

                """), "\(text)")
        // Of one whose state is read these are the exception.
        let inspected = VerdictText.text(makeVerdictRun(rows))
        #expect(inspected.contains("in 3 of 3 kills: what was called safe,"), "\(inspected)")
        // What was judged of one kill can be judged.
        rows[1].notJudged.remove(.resumption)
        let once = VerdictText.text(makeVerdictRun(rows, worker: "curl", profile: Self.profile))
        let words = once.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("in 2 of 3 kills: what was fetched again"), "\(once)")
    }

    /// A program that deletes everything when it starts "survived" every kill.
    @Test(arguments: [(0, true), (1, false)] as [(Int64, Bool)])
    func aProgramThatKeepsNothing(kept: Int64, startsOver: Bool) {
        let rows = makeRows(3) {
            $0.boundBytes = nil
            $0.recoveredBytes = $0.iteration == 2 ? kept : 0
            $0.lostBytes = ($0.receivedBytes ?? 0) - ($0.recoveredBytes ?? 0)
        }
        let text = VerdictText.text(makeVerdictRun(rows, worker: "dl", profile: Self.profile))
        let verdict =
            startsOver
            ? "PASS  dl: no damage in 3 kills; starts over after every kill\n"
            : "PASS  dl survived 3 kills\n"
        #expect(text.hasPrefix(verdict), "\(text)")
    }

    /// What a promised limit allows is kept: nothing had to be saved yet.
    @Test func aLossWithinALimitIsNoStartingOver() {
        let rows = makeRows(3) {
            $0.recoveredBytes = 0
            $0.lostBytes = $0.receivedBytes
        }
        #expect(VerdictText.text(makeVerdictRun(rows)).hasPrefix("PASS  downloader survived 3"))
    }

    /// Ten kills by chance passed a program of sixteen calls, and nothing said that 32 kills try all
    /// of it.
    @Test(
        arguments: [(nil, false), (0, false), (16, true), (50, true), (51, false)]
            as [(Int?, Bool)])
    func fewCallsAreTriedOneByOne(calls: Int?, isTold: Bool) {
        let text = VerdictText.text(
            makeVerdictRun(makeRows(3), profile: Self.profile, calls: calls))
        #expect(text.contains("few calls") == isTold)
        if calls == 16 {
            #expect(
                text.contains(
                    """
                      few calls       it changes files by 16 calls
                                      → --trigger syscall --exhaustive: 32 kills

                    """), "\(text)")
        }
    }

    /// A gate on losses was said to hold beside files with holes.
    @Test func aGateThatHoldsIsNotPraisedBesideDamage() {
        var rows = makeRows(3)
        fail(&rows[0], [(.completion, "5 bytes of the completed file are unlike the video's")])
        let gates = [
            makeGate("violations == 0", .fails, value: 1, limit: 0),
            makeGate("lost_bytes.max <= 72KB", .holds, value: 10, limit: 73_728, unit: .bytes),
            makeGate("loss_percent <= 1", .fails, value: 9, limit: 1, unit: .percent),
        ]
        let text = VerdictText.text(makeVerdictRun(rows, gates: gates, status: .gateFailed))
        #expect(!text.contains("72KB"), "\(text)")
        #expect(text.contains("  gate fails      loss_percent <= 1: is 9 %, limit 1 %\n"))
        let sound = VerdictText.text(makeVerdictRun(makeRows(3), gates: gates))
        #expect(sound.contains("  gate holds      lost_bytes.max <= 72KB: is 10 B, limit 72 KB\n"))
    }
}
