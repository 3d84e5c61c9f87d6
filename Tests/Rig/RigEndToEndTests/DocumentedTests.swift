import Foundation
import RigModel
import RigReport
import Testing

/// `rig verify-claims`, with promises that are judged in seconds.
@Suite struct DocumentedTests {
    private let place = Workplace()

    private static let loss = """
          - id: B1
            promise: No more than the threshold is lost.
            documented: the threshold
            judged_by: [kills]
            limits: [{measure: lost_beyond_bound, most: 0B}]
        """
    private static let saved = """
          - id: B3
            promise: So much is saved.
            documented: 1.5 MB of 2 MB
            judged_by: [pinned]
            limits: [{measure: recovered, policy: 512KB, at: 2MB, least: 1.5MB}]
        """
    private static let leastThreshold = """
          - id: B11
            promise: There is a least threshold.
            documented: 256 KB
            judged_by: [rig]
            limits: [{measure: least_threshold, least: 256KB, most: 256KB}]
        """
    private static let commits = """
          - id: B8
            promise: So many commits.
            documented: "20"
            judged_by: [unharmed]
            limits:
              - {measure: commits, policy: 512KB, video: 10MB, least: 20, most: 21}
        """

    private func documented(
        environment: [String: String] = [:], bounds: String, exits code: Int32,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> (place: Workplace, outcome: Programs.Outcome) {
        let place = Workplace()
        try bounds.save(as: "my.yml", in: place)
        let outcome = try await rig(
            "verify-claims", "--out", "run", "--bounds", "my.yml", "--seed", "9", in: place,
            environment: environment, exits: code, sourceLocation: sourceLocation)
        return (place, outcome)
    }

    /// A worker that is told 512 KB and saves every 1 MB.
    ///
    /// B3 and B4 were judged by kills at exactly 10 MB, where it has just saved: both held, with
    /// 0.3 % lost, as of the right worker. Only the count of its commits showed it. A single kill
    /// breaks them, and 59 have to count before they hold: where fewer did, as on a busy machine,
    /// they were undecided. More are made, in a folder of their own, and with other moments.
    @Test(arguments: ["threshold-doubled", nil])
    func aDoubledThresholdBreaksB1B3B4AndB8(bug: String?) async throws {
        let (place, outcome) = try await documented(
            environment: bug.map(planted) ?? [:],
            bounds: """
                promises:
                \(Self.loss.replacing("[kills]", with: "[saved]"))
                  - id: B3
                    promise: So much is saved.
                    documented: 9.5 MB of 10 MB
                    judged_by: [saved]
                    limits:
                      - {measure: recovered, policy: 512KB, at: 10MB, within: 512KB, least: 9.5MB}
                  - id: B4
                    promise: So little is lost.
                    documented: 3-5 %
                    judged_by: [saved]
                    limits:
                      - {measure: loss_percent_worst, at: 10MB, within: 512KB, most: 5}
                \(Self.commits)
                \(bug == nil ? Self.leastThreshold : "")
                runs:
                  saved: >-
                    --trigger bytes --at 9.5MB..10MB --video-size 11MB --iterations
                    \(bug == nil ? 49 : 8) --origin-fault bandwidth:20MB/s
                  unharmed: --trigger time --at never --iterations 1
                  before: >-
                    --thresholds disabled --trigger bytes --at 9.5MB..10MB --video-size 11MB
                    --iterations 3 --origin-fault bandwidth:20MB/s
                documented:
                  amounts:
                    - at: 10MB
                      within: 512KB
                      saved: 9.5MB
                      improvement: 95
                      after: saved
                      before: before
                  endings:
                    - {way: completion, lost: 0B, runs: [unharmed]}
                    - {way: reboot, note: not measured here}
                  retrieval: {percent: 100, runs: [saved], note: all of them}
                """, exits: bug == nil ? 0 : 99)
        let said = "\(outcome.output)\(outcome.complaint)"
        #expect(
            outcome.output.contains(
                bug == nil ? "5 of 5 promises hold" : "broken: B1, B3, B4, B8"), "\(said)")
        if bug == nil {
            outcome.prints("256.0 KB is the least threshold accepted")
            outcome.complains("more kills have to count")
            let moments = try ["saved", "saved-2"].map { part in
                try place.rows(in: "run/\(part)").map(\.planned)
            }
            #expect(moments[0].count == 49 && moments[1].count >= 20)
            #expect(Set(moments[0]) != Set(moments[1]))
        }
        let table = try place.text("run/documented.csv")
        let lines = table.split(separator: "\n").map(String.init)
        #expect(
            lines.map { $0.split(separator: ",").prefix(3).joined(separator: " ") } == [
                "schema section item", "1 amount 10MB", "1 ending completion",
                "1 ending reboot", "1 retrieval bytes", "1 retrieval chunks",
            ])
        #expect(lines[1].contains(",0,0,9961472,"), "\(table)")
        #expect(lines[1].contains(bug == nil ? ",true," : ",false,"), "\(table)")
        #expect(lines[2].contains(",1,10485760,10485760,0,0,0,"), "\(table)")
        #expect(lines[4...].allSatisfy { $0.contains(",100.000,100.000,,true,") }, "\(table)")
        for file in ["html", "json", "md"] { #expect(place.has("run/documented.\(file)")) }
        #expect(place.has("run/saved/manifest.json"))
    }

    /// Only a kill of a launch that recovers shows it, and it is found in what that launch had kept.
    ///
    /// The kills in recoveries used to come some milliseconds after their beginning: on a busy
    /// machine 0 of 17 showed the bug, and B6 held. With this seed 14 of the 24 later kills are
    /// planned in recoveries, of which nine in ten show it: if only two in three do, that none of 14
    /// does is rarer than one in a million.
    @Test func whatRecoveryDropsBreaksB6() async throws {
        let (place, outcome) = try await documented(
            environment: planted("recovery-drops"),
            bounds: """
                promises:
                  - id: B6
                    promise: Killing again adds no further loss.
                    documented: one threshold per interruption
                    judged_by: [chains]
                    limits:
                      - {measure: lost_beyond_bound_again, most: 0B}
                      - {measure: unsound_states_again, most: 0}
                runs:
                  chains: --kills 4 --iterations 8 --seed 20
                """, exits: 99)
        outcome.prints("broken: B6")
        let failed = try place.rows(in: "run/chains").filter { $0.verdict == .fail }
        #expect(failed.allSatisfy { $0.kill > 1 && $0.phase == .recovering })
        #expect(failed.allSatisfy { $0.reason.contains("durability:") })
        let row = try #require(failed.first)
        #expect(place.has("run/chains/evidence/512KB-\(row.iteration)-\(row.kill)/state"))
    }

    @Test func whatNoRunCouldJudgeIsNotPassed() async throws {
        let (_, outcome) = try await documented(
            bounds: """
                promises:
                \(Self.loss.replacing("[kills]", with: "[pinned, refused]"))
                \(Self.saved)
                \(Self.leastThreshold)
                runs:
                  pinned: --trigger bytes --at 3MB --video-size 4MB --iterations 2
                  refused: --trigger nonsense
                """, exits: 98)
        for words in ["holds in part", "refused: exit 64", "1 of 3 promises hold"] {
            outcome.prints(words)
        }
    }

    @Test(arguments: [("nowhere.yml", 64 as Int32), ("broken.yml", 65)])
    func aFileThatCannotBeUsedIsRefused(file: String, code: Int32) async throws {
        try "promises: 3".save(as: "broken.yml", in: place)
        try await rig("verify-claims", "--out", "run", "--bounds", file, in: place, exits: code)
        #expect(!place.has("run"))
    }
}
