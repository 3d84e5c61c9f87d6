#if os(Linux)
    import Fixture
    import FixtureOrigin
    import RigModel
    import Testing
    import Waiting

    @testable import RigLab

    /// Programs that close a connection abruptly (SO_LINGER of 0) make the kernel forget what they had
    /// read.
    @Suite struct AbruptEndTests {
        private typealias Stage = SocketLedgerTests.Stage

        /// What is not known of the bytes that a dead worker may have taken.
        private static func mayBeTaken(_ stage: Stage) -> ByteRanges? {
            guard case .known(let answers) = stage.ledger.reading(ofDead: true) else { return nil }
            return SocketReading(answers: answers).mayBeTaken
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
                let rest = try #require(Self.mayBeTaken(stage))
                #expect(rest.union(ByteRanges([4000..<5000])) == ByteRanges([4000..<100_000]))
                _ = stage.ledger.glance
                #expect(stage.ledger.hasNothingUnread)
            }
        }

        /// Nobody looked while it was there.
        @Test func whatNobodySawIsNotKnown() async throws {
            try await Stage.run { stage in
                let client = try stage.client("0-99", reading: 100)
                client.abort()
                #expect(Self.mayBeTaken(stage) == ByteRanges([0..<100]))
                #expect(stage.taken(ofDead: true) == nil)
            }
        }

        /// The kernel keeps its figures where there was something left to read.
        @Test func whatWasLeftUnreadIsNotTaken() async throws {
            try await Stage.run { stage in
                let client = try stage.client(reading: 700)
                try blockUntil("it is asked for") { stage.mount.ledger.count > 0 }
                client.abort()
                #expect(stage.taken(ofDead: true) == ByteRanges([0..<700]))
            }
        }

        /// Where the kernel cannot be asked, what the origin has sent shows that work goes on.
        @Test func withoutSocketsTheOriginShowsProgress() async throws {
            try await Stage.run { stage in
                let ledger = SocketLedger(
                    tap: stage.origin.tap(), mounts: FollowedMounts([stage.mount]) { _ in 0 },
                    source: nil,
                    doubt: "no netlink")
                let folder = try TemporaryFolder()
                let watch = SocketWatch(
                    page: try WitnessWatch(path: folder.file("page")), ledger: ledger,
                    mounts: [stage.mount], keepsPage: false)
                #expect(watch.glance.received.isEmpty)
                let client = try stage.client("10-19", reading: 10)
                try blockUntil("what was sent is seen") {
                    watch.glance.received == ByteRanges([10..<20])
                }
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
