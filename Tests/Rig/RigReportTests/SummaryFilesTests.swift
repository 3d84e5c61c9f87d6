import Foundation
import RigModel
import RigReport
import Testing

@Suite struct SummaryFilesTests {
    static let columns =
        "schema,policy,worker,fault,iterations,kills,passed,failed,inconclusive,received_bytes,"
        + "recovered_bytes,lost_bytes,loss_percent,documented_loss_percent,lost_bytes_median,"
        + "lost_bytes_p95,lost_bytes_p99,lost_bytes_max,bound_bytes,violations,"
        + "violation_rate_ucb95,corrupt_bytes,refetched_bytes,commits_mean,commit_bytes_mean,"
        + "recovery_seconds_median,recovery_seconds_p99,phases_hit,allowed_loss_percent,not_judged,"
        + "kept_nothing,attempts,kill_spread,written_bytes_per_mb,writes_per_mb,syncs_per_mb,"
        + "commits_per_mb,checkpoints_per_mb,cpu_seconds_per_mb"

    @Test func theCSVHasOneRowPerPolicy() {
        let lines = SummaryCSV.text(makeSummary().policies).split(separator: "\n").map(String.init)
        let known = """
            2,512KB,downloader,sigkill,100,100,98,1,1,500000000,475000000,25000000,5.000,3-5,\
            262144.5,500000,520000,524288,524288,1,0.046560,0,600000000,9.500,510000.3,0.012346,\
            0.200000,receiving|committing,9.125,40,3,107,as planned,943718.5,58.250,,1.875,0.000,0.010500
            """
        let empty = "2,disabled,,,0,0,0,0,0,0,0,0,,,,,,,,0,,0,0,,,,,,,0,0,0,,,,,,,"
        #expect(lines == [Self.columns, known, empty])
    }

    @Test func theJSONHasWhatTheCSVHas() throws {
        let object = try parsed(SummaryJSON.text(makeSummary()))
        let policies = try #require(object["policies"] as? [[String: Any]])
        let policy = try #require(policies.first)
        let columns = Self.columns.split(separator: ",").map(String.init)
        let others = ["strata", "loss_percent_interval95", "not_judged_by_checker"]
        #expect(Set(policy.keys) == Set(columns + others))
        #expect(policy["lost_bytes_median"] as? Double == 262_144.5)
        #expect(policy["documented_loss_percent"] as? String == "3-5")
        #expect(policy["phases_hit"] as? [String: Int] == ["receiving": 60, "committing": 39])
        let unjudged = policy["not_judged_by_checker"] as? [String: Int]
        #expect(unjudged == ["agreement": 40, "bound": 2])
        let unknown = try #require(policies.last)
        #expect(unknown["loss_percent"] is NSNull)
        #expect(unknown["lost_bytes_max"] is NSNull)
    }

    @Test func theJSONHasEveryStratum() throws {
        let object = try parsed(SummaryJSON.text(makeSummary()))
        let policies = try #require(object["policies"] as? [[String: Any]])
        let strata = try #require(policies.first?["strata"] as? [[String: Any]])
        #expect(
            strata.map { $0["phase"] as? String }
                == ["starting", "receiving", "committing", "evicting", "idle"])
        #expect(strata.map { $0["in_reach"] as? Bool } == [false, true, true, true, true])
        #expect(strata.map { $0["kills"] as? Int } == [0, 60, 39, 0, 0])
        #expect(strata.map { $0["violations"] as? Int } == [0, 0, 1, 0, 0])
        #expect(strata[2]["violation_rate_ucb95"] as? Double == 0.115_9)
        #expect(strata[3]["violation_rate_ucb95"] is NSNull)
    }

    @Test func theJSONHasTheKillPointsOfAnExhaustiveRun() throws {
        var summary = makeSummary()
        #expect(try parsed(SummaryJSON.text(summary))["kill_points"] is NSNull)
        summary.coverage = KillPointCoverage(hit: 864, counted: 866)
        let points = try parsed(SummaryJSON.text(summary))["kill_points"] as? [String: Int]
        #expect(points == ["hit": 864, "counted": 866])
    }

    @Test(arguments: [
        (RigModel.ExitStatus.interrupted, 130, "interrupted"),
        (.unavailable, 69, "could not start"),
        (.failure, 70, "rig failed"),
    ])
    func everyReportHasTheExitCodeOfAnEarlyEnd(status: RigModel.ExitStatus, code: Int, word: String)
        throws
    {
        let summary = makeSummary(status: status)
        let object = try parsed(SummaryJSON.text(summary))
        #expect(object["exit_code"] as? Int == code)
        #expect(object["result"] as? String == word)
        #expect(SummaryMarkdown.text(summary).hasPrefix("## Kill test: \(word) (exit \(code))\n"))
        #expect(TerminalTable.text(summary, color: false).hasSuffix("\(word) (exit \(code))\n"))
    }

    @Test func theJSONHasEveryGate() throws {
        let object = try parsed(SummaryJSON.text(makeSummary()))
        #expect(object["result"] as? String == "fail")
        #expect(object["exit_code"] as? Int == 99)
        #expect(object["seed"] as? String == "18446744073709551615")
        #expect(object["expected_rows"] as? Int == 200)
        let gates = try #require(object["gates"] as? [[String: Any]])
        #expect(gates.map { $0["verdict"] as? String } == ["fails", "holds", "unknown"])
        #expect(gates[0]["policy"] is NSNull)
        #expect(gates[0]["interval95"] is NSNull)
        #expect(gates[1]["policy"] as? String == "512KB")
        #expect(gates[1]["value"] as? Double == 5)
        #expect(gates[1]["limit"] as? Double == 10)
        #expect(gates[1]["unit"] as? String == "percent")
        #expect(gates[1]["n"] as? Int == 99)
        let interval = try #require(gates[1]["interval95"] as? [String: Any])
        #expect(interval["low"] as? Double == 4.5)
        #expect(interval["high"] is NSNull)
        #expect(gates[2]["value"] is NSNull)
    }

    @Test func theJSONsKeysAlwaysComeInTheSameOrder() {
        let text = SummaryJSON.text(makeSummary())
        #expect(text.hasPrefix("{\n  \"schema\": 1,\n  \"run_id\": \"2026-11-21-1\",\n"))
        #expect(text.hasSuffix("}\n"))
        #expect(text == SummaryJSON.text(makeSummary()))
    }
}
