import Foundation
import RigModel
import Testing

/// Every way in which a run can end, by its exit code.
@Suite struct ExitCodeTests {
    private let place = Workplace()

    /// A gate on one policy used to remove the default gate from the others; their violations
    /// passed.
    @Test func aGateOnOnePolicyLeavesTheOthersToTheDefault() async throws {
        try await place.killTest(
            "--iterations", "4", "--thresholds", "256KB,512KB", "--video-size", "4MB", "--trigger",
            "bytes", "--seed", "32", "--gate", "256KB:violations <= 99",
            environment: planted("never-commit"), exits: 99)
    }

    @Test func aFolderWithSomethingInItIsLeftAlone() async throws {
        try place.makeFolder("run")
        try Data("mine".utf8).save(as: "run/file", in: place)
        try await place.killTest("--iterations", "1", exits: 64)
        #expect(try place.names(in: "run") == ["file"])
    }

    /// Both rigs used to find the folder empty, and the refused one overwrote the other's manifest.
    @Test func ofTwoRigsInOneFolderOneIsRefusedAndChangesNothing() async throws {
        for seed in 1...3 {
            let place = Workplace()
            let arguments = [
                "--iterations", "2", "--video-size", "1MB", "--trigger", "bytes", "--seed",
                "\(seed)",
            ]
            async let one = place.killTest(arguments)
            async let other = place.killTest(arguments, "--thresholds", "256KB")
            let outcomes = try await [one, other]
            #expect(outcomes.count { $0.exitCode == 64 } == 1, "\(outcomes)")
            let winner = try #require(outcomes.first { $0.exitCode != 64 })
            try await rig("judge", "run", in: place, exits: winner.exitCode)
        }
    }

    /// The rig used to wait for a writer of the pipe, and ignored every signal meanwhile.
    @Test func aPipeIsNoVideo() async throws {
        try #require(mkfifo(place.path("pipe"), 0o600) == 0)
        try await place.killTest(
            "--iterations", "1", "--video", "pipe", exits: 64, complains: "not a regular file")
        #expect(!place.has("run"))
    }

    @Test func aMissingWorkerIs69() async throws {
        try place.install(["rig", "rig-confine"])
        try await Programs.run(
            place.path("bin/rig"), ["kill-test", "--iterations", "1", "--out", "run"],
            in: place.url, exits: 69, complains: "downloader")
        #expect(!place.has("run"))
    }

    @Test func aPortThatIsTakenIs69() async throws {
        let serving = Workplace()
        try await Programs.run(Programs.rig, ["serve"], in: serving.url, exits: 0) { server in
            let url = try #require(URL(string: try await servedURL(in: serving)))
            let port = try #require(url.port)
            try await place.killTest(
                "--iterations", "1", "--port", "\(port)", exits: 69, complains: "\(port)")
            try await rig("serve", "--port", "\(port)", in: place, exits: 69)
            #expect(kill(server, SIGINT) == 0)
        }
    }
}

/// `rig judge` applies gates to stored rows, and reports missing ones.
@Suite struct JudgeTests {
    /// One run for all tests: judging changes no rows.
    static let run = Task { () throws -> Workplace in
        let place = Workplace()
        try await place.killTest("--iterations", "12", "--seed", "41")
        return place
    }

    /// A copy of the run with changed rows.
    private func changed(_ change: (String) -> String) async throws -> Workplace {
        let place = Workplace()
        let original = try await Self.run.value
        try FileManager.default.copyItem(atPath: original.path("run"), toPath: place.path("run"))
        try place.change("run/iterations.csv", change)
        return place
    }

    /// Results that could not be written were lost, and the run ended with 0.
    @Test(arguments: ["judge run", "judge run --json", "compare run run --csv", "plan"])
    func aResultThatCannotBeWrittenIs70(command: String) async throws {
        let place = try await changed { $0 }
        try await Programs.run(
            "/bin/sh", ["-c", "'\(Programs.rig)' \(command) >/dev/full"], in: place.url,
            exits: 70, complains: "cannot write to standard output")
    }

    @Test func aCompleteRunIsJudgedByItsOwnGates() async throws {
        let place = try await changed { $0 }
        let outcome = try await rig("judge", "run", "-v", in: place, exits: 0)
        outcome.prints("violations == 0")
        let plain = try await rig("judge", "run", in: place).output
        #expect(plain.hasPrefix("PASS  downloader survived "), "\(plain)")
        #expect(outcome.output.hasPrefix(plain) && !plain.contains("violations == 0"))
        let failed = try await rig(
            "judge", "run", "--max-loss-percent", "0.1", "-v", in: place, exits: 99)
        // The kernel may have failed to tell how a connection ended: that kill is left out.
        let count = try place.rows().count { $0.verdict == .pass }
        #expect(failed.output.hasPrefix("FAIL  downloader survived \(count) kills, but "))
        for words in ["loss_percent <= 0.1", "limit 0.100 %", "n \(count)"] {
            failed.prints(words)
        }
        try await rig("judge", "run", "--gate", "nonsense < 1", in: place, exits: 64)
    }

    /// The limit equals the measured value, so another run might fall on either side of it.
    @Test func aLimitInsideTheIntervalIs98() async throws {
        let place = try await changed { $0 }
        let rows = try place.rows().filter { $0.verdict != .inconclusive }
        let lost = rows.reduce(0.0) { $0 + Double($1.lostBytes ?? 0) }
        let received = rows.reduce(0.0) { $0 + Double($1.receivedBytes ?? 0) }
        let percent = FixedPoint.text(100 * lost / received, decimals: 3)
        for gate in ["loss_percent <= \(percent)", "loss_percent >= \(percent)"] {
            let outcome = try await rig("judge", "run", "--gate", gate, "-v", in: place, exits: 98)
            outcome.prints("the interval straddles the limit")
            #expect(outcome.output.hasPrefix("UNDECIDED  "), "\(outcome.output)")
        }
    }

    @Test func theReportHasABoundForEachPhaseThatWasHitAndThePromises() async throws {
        let place = try await changed { $0 }
        let outcome = try await rig("judge", "run", "-v", in: place)
        outcome.prints("violations  rate below")
        // What every run can judge of the promises is set beside them.
        let conclusive = try place.rows().count { $0.verdict == .pass }
        outcome.prints("0 B lost beyond the bound (n \(conclusive))")
        outcome.prints("not judged by this run: B2, B3, B4")
        #expect(try place.text("run/summary.json").contains("\"promise\": \"B11\""))
        let hit = Set(try place.rows().filter { $0.verdict != .inconclusive }.map(\.phase))
        for phase in hit.compactMap({ $0 }) { outcome.prints("\n\(phase.rawValue) ") }
        outcome.prints("not in reach of this workload: evicting, cancelling")
    }

    @Test func damagedOrContradictingRowsAre65() async throws {
        for change: @Sendable (String) -> String in [
            { _ in "not a CSV at all" }, { _ in "" },
            { $0.replacingOccurrences(of: ",pass,", with: ",perhaps,") },
            { $0.replacingOccurrences(of: "sigkill", with: "\"sigkill") },
            { $0 + ($0.split(separator: "\n").last.map { "\($0)\n" } ?? "") },
            { $0.replacingOccurrences(of: "schema,run_id", with: "run_id,schema") },
        ] {
            let place = try await changed(change)
            try await rig("judge", "run", in: place, exits: 65, complains: "iterations.csv")
        }
    }

    @Test func theFileOfTheRowsStandsForItsFolder() async throws {
        let place = try await changed { $0 }
        for (name, folder) in [
            ("run/iterations.csv", place.url), ("iterations.csv", place.url.appending(path: "run")),
        ] {
            try await Programs.run(Programs.rig, ["judge", name], in: folder, exits: 0)
        }
    }

    @Test(arguments: [
        ("run_id", 1, "another"), ("iteration", 2, "13"), ("planned", 10, "1"), ("seed", 31, "1"),
    ])
    func rowsOfAnotherRunAre65(column: String, index: Int, value: String) async throws {
        let place = try await changed { text in
            var lines = text.split(separator: "\n").map(String.init)
            var fields = lines[12].components(separatedBy: ",")
            fields[index] = value
            lines[12] = fields.joined(separator: ",")
            return lines.joined(separator: "\n") + "\n"
        }
        try await rig("judge", "run", in: place, exits: 65, complains: "column \(column)")
    }

    @Test func missingRowsAre97() async throws {
        let place = try await changed {
            $0.split(separator: "\n").dropLast(2).joined(separator: "\n") + "\n"
        }
        let outcome = try await rig("judge", "run", in: place, exits: 97)
        #expect(outcome.output.hasPrefix("INCOMPLETE  2 of 12 rows are missing"))
    }

    @Test func aFolderThatIsNoRunIs65() async throws {
        let place = Workplace()
        try await rig("judge", "run", in: place, exits: 65)
        try place.makeFolder("run")
        try await rig("judge", "run", in: place, exits: 65)
    }
}
