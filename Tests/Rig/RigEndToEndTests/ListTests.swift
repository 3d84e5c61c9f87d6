import Foundation
import Testing

extension EndToEndTests {
    /// `rig list` and `rig open`: finding past runs again.
    @Suite struct ListTests {
        private struct List: Decodable {
            struct Run: Decodable {
                let folder: String
                let rows: Int
                let expected_rows: Int?
                let exit_code: Int32?
                let reason: String?
            }
            let runs: [Run]
        }

        private static let some = [
            "--iterations", "1", "--video-size", "1MB", "--trigger", "bytes",
        ]

        private func runs(in place: Workplace) async throws -> [List.Run] {
            let listed = try await rig(["list", "--json"], in: place)
            #expect(listed.exitCode == 0, "\(listed.complaint)")
            return try JSONDecoder().decode(List.self, from: Data(listed.output.utf8)).runs
        }

        @Test func pastRunsAreListedWithWhatTheyCameTo() async throws {
            let place = try Workplace()
            let none = try await rig(["list"], in: place)
            #expect(none.exitCode == 65 && none.complaint.contains("there is no folder results"))
            let good = try await rig(["kill-test"] + Self.some, in: place)
            #expect(good.exitCode == 0, "\(good.output)\(good.complaint)")
            let bad = try await rig(
                ["kill-test", "--out", "results/bad", "--gate", "refetched_bytes.max < 1"]
                    + Self.some, in: place)
            #expect(bad.exitCode == 99, "\(bad.output)\(bad.complaint)")
            let listed = try await runs(in: place)
            // The link `latest` is not a third run.
            #expect(listed.count == 2)
            #expect(listed.first { $0.folder == "results/bad" }?.exit_code == 99)
            #expect(Set(listed.map(\.exit_code)) == [0, 99])
            let table = try await rig(["list"], in: place)
            #expect(table.output.contains("PASS") && table.output.contains("FAIL"))

            try FileManager.default.removeItem(atPath: place.path("results/bad/iterations.csv"))
            #expect(try await runs(in: place).contains { $0.exit_code == 97 && $0.rows == 0 })
            try "nothing\n".write(
                toFile: place.path("results/bad/iterations.csv"), atomically: true, encoding: .utf8)
            let torn = try #require(try await runs(in: place).first { $0.folder == "results/bad" })
            #expect(torn.exit_code == nil && torn.reason != nil)
        }

        /// A part whose row had failed was listed as a pass, because a part has no gates of its own.
        @Test func aPartIsNoPass() async throws {
            let place = try Workplace()
            let made = try await rig(
                ["kill-test", "--partition", "slice:1/2", "--seed", "3", "--out", "results"]
                    + Self.some, in: place, environment: ["DOWNLOADER_PLANTED_BUG": "restart"])
            #expect(made.exitCode == 0, "\(made.output)\(made.complaint)")
            let part = try #require(try await runs(in: place).first)
            #expect(part.exit_code == nil && part.reason?.contains("rig judge") == true)
            let table = try await rig(["list"], in: place)
            #expect(table.output.contains("PART") && !table.output.contains("PASS"))
        }

        /// A run that cannot be read was not listed at all.
        @Test func aRunThatCannotBeReadIsListed() async throws {
            let place = try Workplace()
            let folder = place.url.appendingPathComponent("results/damaged")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("{}".utf8).write(to: folder.appendingPathComponent("manifest.json"))
            let listed = try #require(try await runs(in: place).first)
            #expect(listed.exit_code == nil && listed.expected_rows == nil)
            let table = try await rig(["list", "results/"], in: place)
            #expect(table.exitCode == 0 && table.output.contains("UNREADABLE"))
            #expect(table.complaint.contains("results/damaged is not judged: cannot read"))
        }

        @Test func aPageIsOpenedWhereThereIsADesktop() async throws {
            let place = try Workplace()
            let run = try await rig(["kill-test", "--out", "run"] + Self.some, in: place)
            #expect(run.exitCode == 0, "\(run.output)\(run.complaint)")
            let nowhere = ["DISPLAY": "", "WAYLAND_DISPLAY": ""]
            let printed = try await rig(["open", "run"], in: place, environment: nowhere)
            #expect(printed.exitCode == 0 && printed.output == "run/report.html\n")

            let opener = place.path("xdg-open")
            try "#!/bin/sh\necho \"$1\" > '\(place.path("opened"))'\n".write(
                toFile: opener, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let desktop = ["DISPLAY": ":9", "PATH": "\(place.url.path):\(path)"]
            let opened = try await rig(["open", "run"], in: place, environment: desktop)
            #expect(opened.exitCode == 0 && opened.output.isEmpty, "\(opened.complaint)")
            let asked = try String(contentsOfFile: place.path("opened"), encoding: .utf8)
            #expect(asked.hasSuffix("/run/report.html\n") && asked.hasPrefix("/"))
            try "#!/bin/sh\nexit 3\n".write(toFile: opener, atomically: true, encoding: .utf8)
            let failed = try await rig(["open", "run"], in: place, environment: desktop)
            #expect(failed.exitCode == 69 && failed.complaint.contains("run/report.html"))

            try FileManager.default.removeItem(atPath: place.path("run/report.html"))
            let missing = try await rig(["open", "run"], in: place, environment: nowhere)
            #expect(missing.exitCode == 65 && missing.complaint.contains("rig report run"))
        }
    }
}
