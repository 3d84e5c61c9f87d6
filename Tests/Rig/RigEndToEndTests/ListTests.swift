import Foundation
import Testing

/// `rig list` and `rig open`: finding past runs again.
@Suite struct ListTests {
    private let place = Workplace()

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

    private static let some = ["--iterations", "1", "--video-size", "1MB", "--trigger", "bytes"]

    private func runs(in place: Workplace) async throws -> [List.Run] {
        let listed = try await rig("list", "--json", in: place, exits: 0)
        return try JSONDecoder().decode(List.self, from: Data(listed.output.utf8)).runs
    }

    @Test func pastRunsAreListedWithWhatTheyCameTo() async throws {
        try await rig("list", in: place, exits: 65, complains: "there is no folder results")
        try await rig(["kill-test"] + Self.some, in: place, exits: 0)
        try await rig(
            ["kill-test", "--out", "results/bad", "--gate", "refetched_bytes.max < 1"]
                + Self.some, in: place, exits: 99)
        let listed = try await runs(in: place)
        // The link `latest` is not a third run.
        #expect(listed.count == 2)
        #expect(listed.first { $0.folder == "results/bad" }?.exit_code == 99)
        #expect(Set(listed.map(\.exit_code)) == [0, 99])
        let table = try await rig("list", in: place)
        #expect(table.output.contains("PASS") && table.output.contains("FAIL"))

        try place.remove("results/bad/iterations.csv")
        #expect(try await runs(in: place).contains { $0.exit_code == 97 && $0.rows == 0 })
        try "nothing\n".save(as: "results/bad/iterations.csv", in: place)
        let torn = try #require(try await runs(in: place).first { $0.folder == "results/bad" })
        #expect(torn.exit_code == nil && torn.reason != nil)
    }

    /// A part whose row had failed was listed as a pass, because a part has no gates of its own.
    @Test func aPartIsNoPass() async throws {
        try await rig(
            ["kill-test", "--partition", "slice:1/2", "--seed", "3", "--out", "results"]
                + Self.some, in: place, environment: planted("restart"),
            exits: 0)
        let part = try #require(try await runs(in: place).first)
        #expect(part.exit_code == nil && part.reason?.contains("rig judge") == true)
        let table = try await rig("list", in: place)
        #expect(table.output.contains("PART") && !table.output.contains("PASS"))
    }

    /// A run that cannot be read was not listed at all.
    @Test func aRunThatCannotBeReadIsListed() async throws {
        let folder = place.url.appendingPathComponent("results/damaged")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: folder.appendingPathComponent("manifest.json"))
        let listed = try #require(try await runs(in: place).first)
        #expect(listed.exit_code == nil && listed.expected_rows == nil)
        try await rig("list", "results/", in: place, exits: 0)
            .prints("UNREADABLE").complains("results/damaged is not judged: cannot read")
    }

    @Test func aPageIsOpenedWhereThereIsADesktop() async throws {
        try await rig(["kill-test", "--out", "run"] + Self.some, in: place, exits: 0)
        let nowhere = ["DISPLAY": "", "WAYLAND_DISPLAY": ""]
        let printed = try await rig("open", "run", in: place, environment: nowhere, exits: 0)
        #expect(printed.output == "run/report.html\n")

        let opener = place.path("xdg-open")
        try "#!/bin/sh\necho \"$1\" > '\(place.path("opened"))'\n".write(
            toFile: opener, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let desktop = ["DISPLAY": ":9", "PATH": "\(place.url.path):\(path)"]
        let opened = try await rig("open", "run", in: place, environment: desktop, exits: 0)
        #expect(opened.output.isEmpty, "\(opened.complaint)")
        let asked = try place.text("opened")
        #expect(asked.hasSuffix("/run/report.html\n") && asked.hasPrefix("/"))
        try "#!/bin/sh\nexit 3\n".save(as: "xdg-open", in: place)
        try await rig(
            "open", "run", in: place, environment: desktop, exits: 69, complains: "run/report.html")

        try place.remove("run/report.html")
        try await rig(
            "open", "run", in: place, environment: nowhere, exits: 65, complains: "rig report run")
    }
}
