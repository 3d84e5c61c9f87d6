#if os(Linux)
    import Foundation
    import RigLab
    import RigModel
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
                let first = try #require(failed.first)
                #expect(failed.contains { $0.reason.contains("durability:") })

                let evidence = place.path("run/evidence/\(first.policy)-\(first.iteration)-1")
                let again = place.path("again")
                try FileManager.default.createDirectory(
                    atPath: again, withIntermediateDirectories: true)
                let image = try TornCut.image(
                    log: "\(evidence)/storage.log", iterationSeed: first.seed, kill: 1)
                try image.replace(folder: again)
                let kept = try Self.files(in: "\(evidence)/state")
                #expect(try Self.files(in: again) == kept)
                #expect(!kept.isEmpty)
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
