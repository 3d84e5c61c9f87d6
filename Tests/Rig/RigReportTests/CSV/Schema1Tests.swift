import Foundation
import RigModel
import RigReport
import TestSupport
import Testing

/// Runs from before the columns `checkers`, `not_judged`, `attempts` and `allowed_loss_percent`.
@Suite struct Schema1Tests {
    /// Written by version 0.1.0 of the rig.
    private static let header =
        "schema,run_id,iteration,kill,policy,threshold_bytes,worker,workload,fault,trigger,planned,"
        + "phase,kill_seconds,served_bytes,received_bytes,acknowledged_bytes,recovered_bytes,"
        + "lost_bytes,loss_percent,bound_bytes,bound_ok,corrupt_bytes,integrity,chunks,commits,"
        + "active_requests,refetched_bytes,recovery_seconds,resume_seconds,verdict,reason,seed\n"

    private func row(_ line: String) throws -> IterationRow {
        let file = try IterationsCSV.read((Self.header + line + "\n").utf8)
        return try #require(file.rows.first)
    }

    @Test func aRowHasNeverSaidHowManyLivesWereBegun() throws {
        let row = try row(
            "1,r,1,1,256KB,262144,downloader,download,sigkill,bytes,9304288,receiving,0.048557,"
                + "9304290,9304288,9155584,9155584,148704,1.598,262144,true,0,true,35,35,1,1330176,"
                + "0.011175,0.020696,pass,,4986445379888322281")
        #expect(row.checkers.isEmpty)
        #expect(row.notJudged.isEmpty)
        #expect(row.attempts == 1)
        #expect(row.allowedLossPercent == 2.817)
    }

    @Test func theSentenceIsAllThatTellsWhichCheckersFoundSomething() throws {
        let row = try row(
            "1,r,1,1,512KB,524288,downloader,download,sigkill,bytes,3000000,receiving,0.25,3000002,"
                + "3000000,2621440,0,3000000,100.000,524288,false,0,true,0,5,1,10485760,0.01,0.02,"
                + "fail,\"bound: lost 3000000 bytes, 2475712 more; durability: all are gone\",7")
        #expect(row.checkers == [.bound, .durability])
        #expect(row.isOfReference)
    }

    @Test func aPassThatSaidThatItsBoundWasNotJudgedSaysSo() throws {
        let row = try row(
            "1,r,1,1,512KB,524288,curl,download,sigkill,bytes,3000000,,0.25,3000002,,,2621440,,,,,"
                + "0,,,,,7864320,,,pass,not judged: bound (received is not known: encrypted),7")
        #expect(row.notJudged == [.bound])
    }

    /// The last columns came after runs of schema 2 had been recorded.
    @Test(arguments: [37, 38, 40, 42])
    func schema2WasOnceWithoutItsLastColumns(count: Int) throws {
        let row = makeFullRow {
            $0.retrievedBytes = nil
            $0.chunksRetrieved = nil
        }
        let text = IterationsCSV.text([row])
        let older = text.split(separator: "\n").map {
            $0.split(separator: ",", omittingEmptySubsequences: false).prefix(count).joined(
                separator: ",") + "\n"
        }
        #expect(try IterationsCSV.read(older.joined().utf8).rows == [row])
    }

    /// The committed runs stay readable, whatever columns are added.
    @Test func theRunsOfTheReferenceAreRead() throws {
        let runs = Checkout.path("results/reference")
        let files = try #require(FileManager.default.enumerator(atPath: runs))
            .compactMap { $0 as? String }.filter { $0.hasSuffix("iterations.csv") }
        #expect(!files.isEmpty)
        for file in files {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(runs)/\(file)"))
            let read = try IterationsCSV.read(bytes)
            #expect(!read.rows.isEmpty)
            let isTold = read.rows.allSatisfy { ($0.verdict == .fail) != $0.checkers.isEmpty }
            #expect(isTold, "\(file)")
        }
    }
}
