#if os(Linux)
    import Foundation
    import RigLab
    import RigModel
    import SyscallTracer
    import Testing

    extension EndToEndTests {
        /// Power cuts by a model: unsynced writes are kept, lost or torn, in any order (T11).
        @Suite struct TornCutTests {
            private static let cut = ["--fault", "power-cut-torn", "--video-size", "4MB"]

            @Test(arguments: ["rows", "file"], ["random", "syscall"])
            func whatWasAcknowledgedSurvivesWhereCommitsAreSynced(
                storage: String, trigger: String
            ) async throws {
                let place = try Workplace()
                let outcome = try await place.killTest(
                    Self.cut + [
                        "--durability", "power", "--set", "storage=\(storage)", "--trigger",
                        trigger, "--iterations", "10", "--seed", "5",
                    ])
                #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
                let rows = try place.rows()
                #expect(rows.count == 10)
                #expect(rows.allSatisfy { $0.fault == "power-cut-torn" && $0.verdict != .fail })
                #expect(rows.contains { $0.verdict == .pass && ($0.lostBytes ?? 0) > 0 })
            }

            /// Commits that only survive a killed process: they are gone, and what is there is
            /// right.
            @Test func commitsThatAreNotSyncedAreLostAndNothingIsCorrupt() async throws {
                let place = try Workplace()
                let outcome = try await place.killTest(
                    Self.cut + ["--durability", "process", "--iterations", "12", "--seed", "5"])
                #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.complaint)")
                let rows = try place.rows()
                #expect(rows.allSatisfy { ($0.corruptBytes ?? 0) == 0 && $0.verdict != .fail })
                #expect(rows.contains { ($0.acknowledgedBytes ?? 0) > ($0.recoveredBytes ?? 0) })
            }

            /// A planted bug: the syncs of durability `power` are left out.
            ///
            /// SIGKILL cannot see it.
            ///
            /// The evidence keeps the log, from which the very state can be made again.
            @Test(arguments: ["rows", "file"])
            func aMissingSyncIsCaught(storage: String) async throws {
                let place = try Workplace()
                let outcome = try await place.killTest(
                    Self.cut + [
                        "--durability", "power", "--set", "storage=\(storage)", "--iterations",
                        "10", "--seed", "5",
                    ], environment: ["DOWNLOADER_SABOTAGE": "missing-fdatasync"])
                #expect(outcome.exitCode == 99, "\(outcome.output)\(outcome.complaint)")
                let failed = try place.rows().filter { $0.verdict == .fail }
                #expect(failed.contains { $0.reason.contains("durability:") })

                // Of a cache without a single sync a cut may leave nothing at all.
                func evidence(_ row: IterationRow) -> String {
                    place.path("run/evidence/\(row.policy)-\(row.iteration)-1")
                }
                let first = try #require(
                    try failed.first { try !Self.files(in: "\(evidence($0))/state").isEmpty })
                let again = place.path("again")
                try FileManager.default.createDirectory(
                    atPath: again, withIntermediateDirectories: true)
                let image = try TornCut.image(
                    log: "\(evidence(first))/storage.log", iterationSeed: first.seed, kill: 1)
                try image.replace(folder: again)
                #expect(
                    try Self.files(in: again) == Self.files(in: "\(evidence(first))/state"))
            }

            /// A cache that was made to survive killed processes only, and goes on under `power`.
            ///
            /// Nobody had ever waited for the database's own file: after a cut it was empty, and
            /// every commit in its log, acknowledged under `power`, was gone with it.
            @Test func aCacheMadeWithoutSyncsSurvivesOnceItIsOpenedForPower() async throws {
                let (place, origin) = (try Workplace(), try Workplace())
                try FileManager.default.createDirectory(
                    atPath: place.path("cache"), withIntermediateDirectories: true)
                let fetch = "\(Programs.downloader) fetch --quiet --cache cache --url"
                let served = try await Programs.run(
                    Programs.rig, ["serve", "--video-size", "3MB", "--port", "0"], in: origin.url
                ) { server in
                    defer { kill(server, SIGTERM) }
                    let url = try await servedURL(in: origin)
                    // The first one is held to its end, the second one is killed in its midst.
                    let calls = try await Self.traced("\(fetch) \(url)", in: place).counted
                    try FileManager.default.removeItem(atPath: place.path("cache/data"))
                    for name in ["cache.sqlite", "cache.sqlite-wal", "cache.sqlite-shm"] {
                        try? FileManager.default.removeItem(atPath: place.path("cache/\(name)"))
                    }
                    let report = try await Self.traced(
                        "\(fetch) \(url); \(fetch) '\(url)?second' --durability power",
                        ["--record", "log", "--kill-at", "\(calls + 30)"], in: place)
                    #expect(report.kill != nil)
                    for seed in 0..<20 as Range<UInt64> {
                        let after = place.path("after-\(seed)")
                        try FileManager.default.createDirectory(
                            atPath: after, withIntermediateDirectories: true)
                        try TornCut.image(log: place.path("log"), iterationSeed: seed, kill: 1)
                            .replace(folder: after)
                        let found = try ScenarioState(copyOf: after, place).chunks[url] ?? []
                        #expect(found.reduce(0) { $0 + $1.bytes.count } == 3 << 20, "\(seed)")
                    }
                }
                #expect(served.exitCode == 0, "\(served.complaint)")
            }

            /// Runs a shell command under the tracer, which counts what changes the cache's files.
            private static func traced(
                _ command: String, _ options: [String] = [], in place: Workplace
            ) async throws -> TraceReport {
                _ = try await Programs.run(
                    Programs.rig,
                    ["trace", "--report", "report", "--under", "cache"] + options
                        + ["--", "/bin/sh", "-c", command], in: place.url)
                return try #require(try TraceReport.read(path: place.path("report")))
            }

            /// Files by their paths, but for the shared memory that reading a database leaves.
            private static func files(in folder: String) throws -> [String: Data] {
                var found: [String: Data] = [:]
                for path in try FileManager.default.subpathsOfDirectory(atPath: folder)
                where !path.hasSuffix("-shm") {
                    found[path] = FileManager.default.contents(atPath: "\(folder)/\(path)")
                }
                return found
            }

            @Test(arguments: ["playback", "switching", "offline-library"])
            func otherWorkloadsAreRefused(workload: String) async throws {
                let place = try Workplace()
                let outcome = try await place.killTest(
                    Self.cut + ["--workload", workload, "--iterations", "1"])
                #expect(outcome.exitCode == 64)
                #expect(outcome.complaint.contains("use it with --workload download"))
            }
        }
    }
#endif
