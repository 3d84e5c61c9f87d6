import RigModel
import RigReport
import Testing

/// `ledger.csv`: the origin's and the worker's record of each request, side by side.
struct LedgerCSVTests {
    private static let header =
        "life,first_byte,end_byte,served_bytes,received_bytes,acknowledged_bytes,recovered_bytes,active\n"

    private func evidence(
        served: [ServedRequest], witnessed: [WitnessedRequest]?, recovered: Range<Int64>? = nil,
        relaunched: [ServedRequest] = []
    ) -> IterationEvidence {
        let plan = KillPlan(
            seed: 1, iterations: 1, policies: [Policy(threshold: ByteSize(bytes: 100))],
            trigger: .bytes, videoLength: 1_000)
        return IterationEvidence(
            plan: plan.schedule[0], kill: 1, fault: .sigkill, videoLength: 1_000,
            death: .signaled(9), killSent: true, killSeconds: 0.1, killFraction: nil,
            requests: served,
            witness: witnessed.map { WitnessReading(phase: .receiving, commits: 1, requests: $0) },
            autopsy: recovered.map {
                Autopsy(
                    integrityCheck: "ok",
                    chunks: [StoredChunk(range: $0, checksumMatches: true, differingBytes: 0)],
                    claimedRanges: ByteRanges([$0]), firstDifference: nil)
            }, autopsyError: nil,
            resumption: relaunched.isEmpty
                ? nil
                : Resumption(
                    death: .exited(0), requests: relaunched, recoverySeconds: nil,
                    resumeSeconds: nil, differingBytes: 0, firstDifference: nil, complaint: nil))
    }

    @Test func eachRequestIsALine() {
        let text = LedgerCSV.text(
            evidence(
                served: [
                    ServedRequest(requested: 0..<2, servedBytes: 2),
                    ServedRequest(requested: 0..<1_000, servedBytes: 500),
                ],
                witnessed: [
                    WitnessedRequest(start: 0, received: 400, acknowledged: 300, isActive: true),
                    WitnessedRequest(start: 0, received: 2, acknowledged: 0, isActive: false),
                ], recovered: 0..<300,
                relaunched: [ServedRequest(requested: 300..<1_000, servedBytes: 700)]))
        #expect(
            text == Self.header + """
                killed,0,2,2,2,0,2,false
                killed,0,1000,500,400,300,300,true
                relaunched,300,1000,700,,,,

                """)
    }

    @Test func whatOnlyOneSideKnowsIsNotMadeUp() {
        let text = LedgerCSV.text(
            evidence(
                served: [ServedRequest(requested: 5..<9, servedBytes: 4)],
                witnessed: [
                    WitnessedRequest(start: 7, received: 1, acknowledged: 0, isActive: true)
                ]))
        #expect(text == Self.header + "killed,5,9,4,,,,\nkilled,7,,,1,0,,true\n")
    }

    /// A worker may write any values into its page, even ones that overflow.
    @Test func aPageThatSaysWhatCannotBeIsWrittenDown() {
        let text = LedgerCSV.text(
            evidence(
                served: [],
                witnessed: [
                    WitnessedRequest(
                        start: .max - 1, received: .max, acknowledged: -5, isActive: true)
                ], recovered: 0..<300))
        #expect(text.hasSuffix(",,,\(Int64.max),-5,0,true\n"))
    }

    @Test func withoutAPageTheOriginsWordIsThere() {
        let text = LedgerCSV.text(
            evidence(served: [ServedRequest(requested: 0..<9, servedBytes: 4)], witnessed: nil))
        #expect(text == Self.header + "killed,0,9,4,,,,\n")
    }
}
