#if os(Linux)
    import Fixture
    import FixtureOrigin
    import RigModel
    import Testing

    @testable import RigLab

    /// Programs that close a connection abruptly (SO_LINGER of 0) make the kernel forget what they had
    /// read; and what two looks at a worker's sockets say together.
    @Suite struct AbruptEndTests {
        private typealias Stage = SocketLedgerTests.Stage

        private static func reason(_ reading: SocketLedger.Reading) -> String? {
            guard case .lost(let reason) = reading else { return nil }
            return reason
        }

        @Test func whatWasReadToTheEndIsTaken() async throws {
            try await Stage.run { stage in
                let client = try stage.client("0-9999", reading: 10_000)
                #expect(stage.taken() == ByteRanges([0..<10_000]))
                client.abort()
                #expect(stage.taken(ofDead: true) == ByteRanges([0..<10_000]))
            }
        }

        /// What came after the last look may have been read as well.
        @Test func whatMayHaveBeenReadSinceTheLastLookIsNotKnown() async throws {
            try await Stage.run { stage in
                stage.mount.hold(afterDistinctBytes: 5000)
                let client = try stage.client(reading: 4000)
                #expect(stage.taken() == ByteRanges([0..<4000]))
                client.read(1000)
                client.abort()
                #expect(Self.reason(stage.ledger.reading(ofDead: true)) != nil)
                _ = stage.ledger.glance
                #expect(stage.ledger.hasNothingUnread)
            }
        }

        /// Nobody looked while it was there.
        @Test func whatNobodySawIsNotKnown() async throws {
            try await Stage.run { stage in
                let client = try stage.client("0-99", reading: 100)
                client.abort()
                #expect(Self.reason(stage.ledger.reading(ofDead: true)) != nil)
            }
        }

        /// The kernel keeps its figures where there was something left to read.
        @Test func whatWasLeftUnreadIsNotTaken() async throws {
            try await Stage.run { stage in
                let client = try stage.client(reading: 700)
                while stage.mount.ledger.count < 1 { Pause.seconds(0.001) }
                client.abort()
                #expect(stage.taken(ofDead: true) == ByteRanges([0..<700]))
            }
        }

        // MARK: Two looks

        private static let seen = ByteRanges([0..<1000])
        private static let stopped = SocketReading(
            received: seen, activeRequests: 1, stoppedSeconds: 0.003)

        @Test(arguments: [Fault.abort, .segv, .oom, .sigkill])
        func whatRanOnAfterTheStopIsNotWhatTheStopShowed(fault: Fault) {
            for atDeath: SocketLedger.Reading in [.lost("cut"), .unsettled("late")] {
                let reading = SocketLevel.conclude(
                    Self.stopped, atDeath: atDeath, by: fault, page: nil)
                #expect(reading.received == (fault == .sigkill ? Self.seen : nil))
                #expect((reading.unknownReason == nil) == (fault == .sigkill))
            }
        }

        @Test func aPortUsedAgainCastsDoubtOnTheStop() {
            let reading = SocketLevel.conclude(
                Self.stopped, atDeath: .unknown("mixed"), by: .sigkill, page: nil)
            #expect(reading.received == nil)
            #expect(reading.unknownReason == "mixed")
            #expect(reading.stoppedSeconds == 0.003)
        }

        /// All connections of the dead have ended: that is no count of what was under way.
        @Test func whatWasUnderWayIsKnownOfTheStoppedOnly() {
            let dead = SocketLedger.Reading.known(Self.seen, activeRequests: nil)
            let traced = SocketLevel.conclude(nil, atDeath: dead, by: .sigkill, page: nil)
            #expect(traced.received == Self.seen)
            #expect(traced.activeRequests == nil)
            let seen = SocketLevel.conclude(
                Self.stopped, atDeath: dead, by: .sigkill, page: nil)
            #expect(seen.activeRequests == 1)
        }

        /// Where the kernel cannot be asked, what the origin has sent shows that work goes on.
        @Test func withoutSocketsTheOriginShowsProgress() async throws {
            try await Stage.run { stage in
                let ledger = SocketLedger(
                    tap: stage.origin.tap(), mounts: [stage.mount.path: 0], source: nil,
                    doubt: "no netlink")
                let folder = try TemporaryFolder()
                let watch = SocketWatch(
                    page: try WitnessWatch(path: folder.file("page")), ledger: ledger,
                    mount: stage.mount,
                    keepsPage: false)
                #expect(watch.glance.received.isEmpty)
                let client = try stage.client("10-19", reading: 10)
                while watch.glance.received != ByteRanges([10..<20]) { Pause.seconds(0.001) }
                #expect(watch.glance.progress > 0)
                #expect(watch.knowsWhatItHas)
                #expect(ledger.hasNothingUnread)
                guard case .unknown("no netlink") = ledger.reading(ofDead: true) else {
                    Issue.record("received must not be known")
                    return
                }
                client.end()
            }
        }
    }
#endif
