@testable import FixtureOrigin
import OriginFaults
@testable import RigLab
import RigModel
import Testing

/// A situation that never came about used to count as passed.
@Suite struct IdleFaultTests {
    private func request(
        range: String? = nil, ifRange: String? = nil, strikes: [OriginFault] = [],
        state: LedgerEntry.State = .complete
    ) -> LedgerEntry {
        LedgerEntry(
            ordinal: 1, method: "GET", rangeHeader: range, ifRange: ifRange, strikes: strikes,
            status: 200, requested: 0..<10, state: state, startedAt: .now)
    }

    @Test func whatAProgramDoesNotAskForIsTold() {
        let ranges: [OriginFault.Kind] = [.ignoreRange, .earlyRange, .unknownTotal, .always416]
        for kind in ranges {
            #expect(IdleFault([OriginFault(kind)], [request(), request()]) == .noRange)
            #expect(IdleFault([OriginFault(kind)], [request(range: "bytes=0-")]) == .notReached)
        }
        let refusing = [OriginFault(.refuseIfRange)]
        #expect(IdleFault(refusing, [request(range: "bytes=5-")]) == .noIfRange)
        #expect(
            IdleFault(refusing, [request(range: "bytes=5-", ifRange: "\"old\"")]) == .notReached)
    }

    @Test func aFaultThatStruckIsNotIdle() {
        let struck = request(range: "bytes=5-", strikes: [OriginFault(.always416)])
        #expect(IdleFault([OriginFault(.always416)], [request(), struck]) == nil)
        #expect(IdleFault([], [request()]) == nil)
    }

    /// The worker had ended, and its answer had not been cut yet.
    @Test func aCutThatIsStillToComeIsNotReached() {
        let cut = OriginFault(.truncate, .bytes(100), times: 1)
        let running = request(strikes: [cut], state: .running)
        #expect(IdleFault([cut], [running]) == .notReached)
        #expect(IdleFault([cut], [request(strikes: [cut], state: .cut)]) == nil)
        #expect(IdleFault([cut], [request()]) == .notReached)
    }
}
