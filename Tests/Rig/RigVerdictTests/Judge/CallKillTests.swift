import RigModel
import RigVerdict
import Testing

/// What a kill at a system call proves, and when it proves nothing.
@Suite struct CallKillTests {
    static let planned = Scene().with {
        $0.trigger = .syscall(CallMoment(ordinal: 433, edge: .before))
        $0.calls = CountedCalls(counted: 433, last: "before fdatasync cache.sqlite-wal")
    }

    @Test func aKillAtItsCallIsJudged() {
        #expect(Self.planned.judged.verdict == .pass)
        let broken = Self.planned.with { $0.integrityCheck = "row 7 missing from index" }
        #expect(broken.judged.verdict == .fail)
    }

    /// The first calls create the database, the last remove its WAL: kills by calls are meant for
    /// that.
    @Test func callsBeforeTheFirstByteAndAfterTheLastCount() {
        let early = Self.planned.with {
            $0.witnessed = []
            $0.commits = 0
            $0.keep()
        }
        #expect(early.judged.verdict == .pass)
        #expect(early.with { $0.trigger = .bytes(Scene.reached) }.judged.verdict == .inconclusive)
        #expect(early.with { $0.differing = 3 }.judged.verdict == .fail)
    }

    @Test func aLifeThatEndsBeforeItsCallProvesNothing() {
        let ended = Self.planned.with {
            $0.end(.exited(0))
            $0.calls = CountedCalls(counted: 410, last: nil)
        }
        let judgement = ended.judged
        #expect(judgement.verdict == .inconclusive)
        #expect(
            judgement.reason
                == "the worker made 410 counted calls and not number 433, and ended by itself with "
                + "exit code 0")
    }

    /// Without the tracer's report, signal 9 may have come from any process.
    @Test func aDeathThatTheTracerDoesNotReportProvesNothing() {
        let judgement = Self.planned.with {
            $0.killSent = false
            $0.calls = nil
        }.judged
        #expect(judgement.verdict == .inconclusive)
        #expect(judgement.reason.contains("not ours"))
    }
}
