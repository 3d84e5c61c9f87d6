@testable import FixtureOrigin
@testable import RigLab
import RigModel
import Testing

/// A situation that never came about used to count as passed.
@Suite struct IdleFaultTests {
    private func request(
        range: String? = nil, ifRange: String? = nil, strikes: [HTTPFault.Kind] = [],
        state: LedgerEntry.State = .complete
    ) -> LedgerEntry {
        LedgerEntry(
            ordinal: 1, method: "GET", rangeHeader: range, ifRange: ifRange, strikes: strikes,
            status: 200, requested: 0..<10, state: state, startedAt: .now)
    }

    @Test func whatAProgramDoesNotAskForIsTold() {
        let ranges: [HTTPFault.Kind] = [.ignoreRange, .earlyRange, .unknownTotal, .always416]
        for kind in ranges {
            #expect(IdleFault([HTTPFault(kind)], [request(), request()]) == .noRange)
            #expect(
                IdleFault([HTTPFault(kind)], [request(range: "bytes=0-")]) == .notReached)
        }
        let refusing = [HTTPFault(.refuseIfRange)]
        #expect(IdleFault(refusing, [request(range: "bytes=5-")]) == .noIfRange)
        #expect(
            IdleFault(refusing, [request(range: "bytes=5-", ifRange: "\"old\"")]) == .notReached)
    }

    @Test func aFaultThatStruckIsNotIdle() {
        let struck = request(range: "bytes=5-", strikes: [.always416])
        #expect(IdleFault([HTTPFault(.always416)], [request(), struck]) == nil)
        #expect(IdleFault([], [request()]) == nil)
    }

    /// The worker had ended, and its answer had not been cut yet.
    @Test func aCutThatIsStillToComeIsNotReached() {
        let cut = HTTPFault(.truncate(after: 100), times: 1)
        let running = request(strikes: [cut.kind], state: .running)
        #expect(IdleFault([cut], [running]) == .notReached)
        #expect(IdleFault([cut], [request(strikes: [cut.kind], state: .cut)]) == nil)
        #expect(IdleFault([cut], [request()]) == .notReached)
    }
}
