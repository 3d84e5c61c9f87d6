#if os(Linux)
    import Fixture
    import Foundation
    import RigModel
    import Synchronization
    import Testing

    @testable import FixtureOrigin
    @testable import RigLab

    /// Real programs, stopped while the origin holds the rest back, and read.
    @Suite struct StopAndReadTests {
        private static let held: Int64 = 300_000

        /// A program that has taken all that it gets, with its ledger; killed when the test is done.
        private func run<Seen: Sendable>(
            _ script: String, connections: Int = 1,
            _ test: @escaping @Sendable (LivingWorker, SocketLedger) -> Seen
        ) async throws -> (death: Death, seen: Seen?, after: ByteRanges?) {
            let folder = try TemporaryFolder()
            let origin = FixtureOrigin()
            try await origin.start()
            let mount = origin.mount(
                Resource(source: BytesVideo.pattern(1_000_000)), at: "/1/v.mp4")
            mount.hold(afterDistinctBytes: Self.held)
            let ledger = SocketLedger(origin: origin, mounts: [mount])
            let launcher = WorkerLauncher(environment: ["URL": mount.url])
            let (death, seen) = try await launcher.run(
                ["/bin/sh", "-c", script], log: folder.file("log")
            ) { worker -> Seen? in
                defer { worker.kill() }
                let deadline = ContinuousClock.now + .seconds(30)
                while true {
                    let taken = ledger.glance
                    let count = ByteRanges(taken.received).count
                    if taken.bodies == connections, count == Self.held { break }
                    guard ContinuousClock.now < deadline else { return nil }
                    Pause.seconds(0.001)
                }
                return test(worker, ledger)
            }
            let reading = await onOwnThread { ledger.reading(ofDead: true) }
            await origin.stop()
            guard case .known(let after, _) = reading else { return (death, seen, nil) }
            return (death, seen, after)
        }

        @Test func aProgramIsStoppedAndReadAndStaysStopped() async throws {
            let end = try await run("exec curl -sS -N -o /dev/null $URL") { worker, ledger in
                let reading = StopAndRead(ledger: ledger).look(worker)
                let members = ProcessGroup(id: worker.processID).members
                return (reading, members.count, ProcessGroup.areStopped(members))
            }
            let (reading, processes, areStopped) = try #require(end.seen)
            #expect(reading.received == ByteRanges([0..<Self.held]))
            #expect(reading.activeRequests == 1)
            #expect((reading.stoppedSeconds ?? 0) > 0)
            #expect(processes == 1)
            #expect(areStopped)
            #expect(end.death == .signaled(SIGKILL))
            #expect(end.after == reading.received)
        }

        /// The processes that a worker starts are stopped with it, and what they take is its own.
        @Test func childrenAreStoppedAndCounted() async throws {
            let script = """
                (curl -sS -N -r 0-499999 -o /dev/null $URL; true) &
                (curl -sS -N -r 100000- -o /dev/null $URL; true) & wait
                """
            let end = try await run(script, connections: 2) { worker, ledger in
                let reading = StopAndRead(ledger: ledger).look(worker)
                let members = ProcessGroup(id: worker.processID).members
                return (reading, members.count, ProcessGroup.areStopped(members))
            }
            let (reading, processes, areStopped) = try #require(end.seen)
            #expect(reading.received?.count == Self.held)
            #expect(reading.activeRequests == 2)
            #expect(processes == 5)
            #expect(areStopped)
            #expect(end.after == reading.received)
        }

        /// A page that has not caught up yet is given the time to; one that is wrong stays wrong.
        ///
        /// Where the rig holds the worker, it may be the rig's own doing.
        @Test(arguments: [(2, false, 3), (.max, false, 50), (2, true, 3), (.max, true, 50)])
        func aPageIsWaitedFor(lag: Int, isHeld: Bool, looks: Int) async throws {
            let asked = Asked()
            let end = try await run("exec curl -sS -N -o /dev/null $URL") { worker, ledger in
                let look = StopAndRead(
                    ledger: ledger,
                    page: {
                        let isBehind = asked.count.add(1, ordering: .relaxed).oldValue < lag
                        return ByteRanges([0..<(isBehind ? 1 : Self.held)])
                    }, isHeld: { isHeld })
                return look.look(worker)
            }
            let isKnown = looks < 50 || !isHeld
            #expect(end.seen?.received == (isKnown ? ByteRanges([0..<Self.held]) : nil))
            #expect((end.seen?.unknownReason == nil) == isKnown)
            #expect(asked.count.load(ordering: .relaxed) == looks)
        }

        private final class Asked: Sendable {
            let count = Atomic(0)
        }

        /// A stopped program dies of what it is to die of, and not of signal 9 in its place.
        @Test(arguments: [Fault.sigkill, .abort, .segv])
        func aStoppedProgramDiesOfItsFault(fault: Fault) async throws {
            let end = try await run("exec curl -sS -N -o /dev/null $URL") { worker, ledger in
                _ = StopAndRead(ledger: ledger).look(worker)
                return Deathblow(fault, for: worker).strike(worker)
            }
            #expect(end.seen == true)
            #expect(end.death == .signaled(fault.signal))
        }

        /// What runs on is not called stopped.
        @Test func runningThreadsAreSeen() async throws {
            let end = try await run("exec curl -sS -N -o /dev/null $URL") { worker, ledger in
                let group = ProcessGroup(id: worker.processID)
                let before = ProcessGroup.areStopped(group.members)
                let reading = StopAndRead(ledger: ledger).look(worker)
                group.send(SIGCONT)
                while ProcessGroup.areStopped(group.members) { Pause.seconds(0.001) }
                return (before, reading)
            }
            #expect(end.seen?.0 == false)
            #expect(end.seen?.1.received != nil)
        }
    }
#endif
