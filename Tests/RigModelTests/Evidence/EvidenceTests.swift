import RigModel
import Testing

@Suite struct EvidenceTests {
    @Test func onlyRightChunksAreRecovered() {
        let autopsy = Autopsy(
            integrityCheck: "ok",
            chunks: [
                StoredChunk(range: 0..<10, checksumMatches: true, differingBytes: 0),
                StoredChunk(range: 10..<20, checksumMatches: false, differingBytes: 0),
                StoredChunk(range: 20..<30, checksumMatches: true, differingBytes: 4),
                StoredChunk(range: 40..<50, checksumMatches: true, differingBytes: 0),
            ], claimedRanges: ByteRanges([0..<30, 40..<50]), firstDifference: nil)
        #expect(autopsy.recovered == ByteRanges([0..<10, 40..<50]))
        #expect(autopsy.corruptBytes == 4)
    }

    /// A worker that keeps no checksum is served from whatever it has.
    @Test func withoutAChecksumOnlyTheVideoGivesAWrongByteAway() {
        let autopsy = Autopsy(
            integrityCheck: "ok",
            chunks: [
                StoredChunk(range: 0..<10, checksumMatches: nil, differingBytes: 0),
                StoredChunk(range: 10..<20, checksumMatches: nil, differingBytes: 3),
                StoredChunk(range: 20..<30, checksumMatches: false, differingBytes: 5),
            ], claimedRanges: ByteRanges([0..<30]), firstDifference: nil)
        #expect(autopsy.recovered == ByteRanges([0..<10]))
        #expect(autopsy.corruptBytes == 8)
        #expect(autopsy.undetectedBytes == 3)
    }

    @Test func aWitnessAddsUpItsRequests() {
        let witness = WitnessReading(
            phase: .receiving, commits: 1,
            requests: [
                WitnessedRequest(start: 0, received: 2, acknowledged: 0, isActive: false),
                WitnessedRequest(start: 0, received: 100, acknowledged: 60, isActive: true),
                WitnessedRequest(start: 500, received: 10, acknowledged: 0, isActive: true),
            ])
        #expect(witness.received == ByteRanges([0..<100, 500..<510]))
        #expect(witness.acknowledged == ByteRanges([0..<60]))
        #expect(witness.activeRequests == 2)
    }
}
