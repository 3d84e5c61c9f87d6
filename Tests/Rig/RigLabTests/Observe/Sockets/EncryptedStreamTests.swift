import FixtureOrigin
@testable import RigLab
import RigModel
import Testing

/// What a client has of the answers on an encrypted connection.
@Suite struct EncryptedStreamTests {
    private static let mounts = FollowedMounts(places: ["/v": { _ in 0 }])

    /// An answer with a head of 10 bytes.
    private static func answer(
        _ positions: Range<Int64>, _ records: RecordMap?, sent: SentBytes? = nil
    ) -> ServedAnswer {
        ServedAnswer(
            mountPath: "/v", clientPort: 1, headBytes: 10,
            body: .positions(positions, streamBytes: positions.upperBound - positions.lowerBound),
            startedAt: .now, sent: sent, records: records)
    }

    /// A handshake of 90 bytes, and two answers of 100 bytes with heads of 10, each in records
    /// of 32 and 122 bytes.
    private static func records() -> RecordMap {
        let records = RecordMap()
        records.add(90, plaintext: 0)
        for _ in 1...2 {
            records.add(32, plaintext: 10)
            records.add(122, plaintext: 100)
        }
        return records
    }

    private static func stream(read: Int64) -> ConnectionStream {
        let records = records()
        var stream = ConnectionStream(answer(0..<100, records))
        // A client asks again only once it has the first answer.
        if read >= 244 { stream.answers.append(answer(100..<200, records)) }
        stream.end(SocketFigures(cookie: 1, received: read, queued: 0), at: .now)
        return stream
    }

    /// The last byte of a stream is its end (FIN).
    @Test(arguments: [
        (90, 0), (243, 0), (244, 100), (275, 100), (397, 100), (398, 200), (399, 200),
    ])
    func onlyWholeRecordsAreTaken(read: Int64, taken: Int64) {
        let stream = Self.stream(read: read)
        var total = TakenPositions()
        stream.place(in: Self.mounts, at: nil, into: &total)
        #expect(total.received.count == taken)
        #expect(total.isKnown)
        #expect(stream.readAnswers.count == Int(taken / 100))
        #expect(stream.wasReadToItsEnd == (read >= 398))
    }

    /// What is sent is encrypted.
    @Test func whatWasSentIsTheMost() {
        let sent = SentBytes()
        let records = Self.records()
        var stream = ConnectionStream(Self.answer(0..<100, records, sent: sent))
        stream.end(SocketFigures(cookie: 1, received: 250, queued: 0), at: .now)
        var total = TakenPositions()
        stream.place(in: Self.mounts, at: nil, into: &total)
        #expect(total.received.isEmpty)
    }

    /// A worker that binds a port again at once could have its whole second connection counted
    /// as nothing, by the records of a first one that it had read to its end.
    @Test func connectionsWithOnePortAreKeptApart() {
        var register = ConnectionRegister(mounts: Self.mounts)
        let first = Self.records()
        register.add(Self.answer(0..<100, first))
        register.add(Self.answer(100..<200, first))
        register.add(Self.answer(0..<100_000, RecordMap()))
        #expect(register.streams.map(\.answers.count) == [2, 1])
    }
}
