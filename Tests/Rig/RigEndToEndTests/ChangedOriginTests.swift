import Fixture
import FixtureOrigin
import Foundation
import OriginFaults
import RigLab
import RigModel
import RigVerdict
import TestSupport
import Testing

/// The origin has changed when the killed program is relaunched (youtube-dl #23712, ExoPlayer
/// #11353).
///
/// A program that resumes where it was makes a file of two versions, and reports success.
@Suite struct ChangedOriginTests {
    private let place = Workplace()

    private static let curl = WorkerProfile(
        name: "curl", command: ["/usr/bin/curl", "-sS", "-C", "-", "-o", "{output}", "{url}"],
        bound: [.sigkill: .bytes(4096 + 102_400)],
        boundSource: "one buffer of stdio, and one read on its way there")

    private static var resource: Resource {
        get throws { Resource(source: try FixtureVideo(seed: 1, length: 4 << 20)).dated }
    }

    /// The evidence of one kill, judged.
    private func kill(
        _ worker: WorkerProfile, at trigger: Trigger,
        next: OriginFault.NextLength = .same, faults: [OriginFault] = [], isChanged: Bool? = nil
    ) async throws -> Judgement {
        let place = Workplace()
        let resource = try Self.resource
        var settings = LaboratorySettings(
            worker: worker, resources: [resource], fileName: "fixture.mp4",
            scratch: place.path("scratch"), environment: [:])
        settings.successors = isChanged ?? faults.isEmpty ? [resource.nextVersion(next)] : nil
        settings.faultsAtRelaunch = faults
        settings.rig = Programs.rig
        settings.confinement = try Confinement.program(beside: Programs.rig)
        return Judge.judge(try await settings.oneKill(at: trigger))
    }

    /// In the middle of its writes, of a few KB each.
    private static let midway = Trigger.syscall(CallMoment(ordinal: 150, edge: .before))

    @Test(arguments: OriginFault.NextLength.allCases)
    func aFileOfTwoVersionsIsFound(next: OriginFault.NextLength) async throws {
        let judgement = try await kill(Self.curl, at: Self.midway, next: next)
        #expect(judgement.findings.map(\.checker) == [.stitched], "\(judgement.reason)")
        #expect(judgement.reason.contains("the worker ended with exit code 0"))
        let resumption = try #require(judgement.evidence.resumption)
        // The bytes that it had are of the old version, and those that it then fetched are right.
        let stale = try #require(resumption.stale)
        #expect(resumption.wrong == stale)
        #expect(stale.ranges.count == 1)
        #expect(stale.ranges.first?.upperBound == resumption.requests.first?.requested.lowerBound)
        #expect(judgement.figures.corruptBytes == stale.count)
        #expect(judgement.figures.recovered == nil)
    }

    /// It asks for a range only of the version that it has, and the origin does not care: the
    /// answer's own ETag would say so.
    @Test func aProgramThatReliesOnIfRangeStitches() async throws {
        let etag = try Self.resource.etag
        let careful = WorkerProfile(
            name: "curl", command: Self.curl.command + ["-H", "If-Range: \(etag)"],
            bound: Self.curl.bound)
        let kept = try await kill(careful, at: Self.midway)
        #expect(kept.evidence.resumption?.stale?.isEmpty != false, "\(kept.reason)")
        let ignored = try await kill(
            careful, at: Self.midway, faults: [OriginFault(.ignoreIfRange)], isChanged: true)
        #expect(ignored.findings.map(\.checker) == [.stitched], "\(ignored.reason)")
    }

    /// A range that begins earlier, as its answer says, is appended to what is there.
    @Test func aProgramThatDoesNotLookAtTheRangeMakesAWrongFile() async throws {
        let blind = ForeignWorker.script(
            """
            have=$(stat -c %s "$3" 2>/dev/null || echo 0)
            exec curl -sS -H "Range: bytes=$have-" "$1" >> "$3"
            """
        ).profile
        let right = try await kill(blind, at: .bytes(3 << 20), isChanged: false)
        #expect(right.findings.isEmpty, "\(right.reason)")
        let wrong = try await kill(blind, at: .bytes(3 << 20), faults: [OriginFault(.earlyRange)])
        #expect(wrong.findings.map(\.checker).contains(.completion), "\(wrong.reason)")
    }

    /// A program that asks for the whole again has lost all that it had.
    ///
    /// Under answers that spoil a resume it passed, although it had sent no request that they could
    /// have spoilt. A request for the head is no download, and the fault does not touch it.
    @Test(
        arguments: Nightly.cases(
            [
                (whole, .refuseIfRange, []), (whole, .earlyRange, ["-H", "Range: bytes=0-"]),
                (head, .refuseIfRange, ["-H", "Range: bytes=5-", "-H", "If-Range: \"x\""]),
                (head, .ignoreRange, ["-H", "Range: lines=5-"]), (whole, .ignoreRange, []),
                (whole, .earlyRange, []), (whole, .unknownTotal, []),
                (whole, .refuseIfRange, ["-H", "Range: bytes=0-"]),
                (head, .unknownTotal, ["-H", "Range: bytes=5-"]),
            ] as [(String, OriginFault.Kind, [String])], usual: 4))
    func aProgramThatNeverResumesIsNotExcused(
        script: String, fault: OriginFault.Kind, options: [String]
    ) async throws {
        let lazy = WorkerProfile(
            name: "sh", command: ["/bin/sh", "-c", script, "{output}", "{url}"] + options,
            bound: Self.curl.bound)
        let judgement = try await kill(
            lazy, at: .bytes(3 << 20), faults: [OriginFault(fault)], isChanged: false)
        #expect(judgement.findings.map(\.checker).contains(.bound), "\(judgement.reason)")
    }

    private static let whole = #"exec curl -sS -o "$0" "$@""#
    private static let head = #"curl -sS -I "$@" >/dev/null; exec curl -sS -o "$0" "$1""#

    /// It asks for two bytes first, learns that the origin sends no ranges, and is right to
    /// fetch everything.
    @Test func aProgramThatProbesIsExcused() async throws {
        let probing = ForeignWorker.script(
            """
            curl -sS -o /dev/null -w '%{http_code}' -H 'Range: bytes=0-1' "$1" | grep -q 206 &&
                exec curl -sS -C - -o "$3" "$1"
            exec curl -sS -o "$3" "$1"
            """, bound: Self.curl.bound
        ).profile
        let judgement = try await kill(
            probing, at: .bytes(3 << 20), faults: [OriginFault(.ignoreRange)], isChanged: false)
        #expect(judgement.findings.isEmpty, "\(judgement.reason)")
    }

    @Test func aProgramThatFollowsNoRedirectLeavesItsPart() async throws {
        let judgement = try await kill(Self.curl, at: Self.midway, faults: [OriginFault(.moved)])
        #expect(judgement.findings.map(\.checker).last == .completion)
        let follows = WorkerProfile(
            name: "curl", command: Self.curl.command + ["-L"], bound: Self.curl.bound)
        let moved = try await kill(follows, at: Self.midway, faults: [OriginFault(.moved)])
        #expect(moved.verdict == .pass, "\(moved.reason)")
        #expect(moved.figures.recovered?.count ?? 0 > 0)
    }

    /// curl refuses to go on where the server has no ranges, and was judged as a program that
    /// does not finish.
    ///
    /// It ends with exit code 33 each time, and does its work once the server has ranges again.
    @Test(arguments: [OriginFault.Kind.ignoreRange, .earlyRange])
    func anHonestErrorIsTold(fault: OriginFault.Kind) async throws {
        let judgement = try await kill(Self.curl, at: Self.midway, faults: [OriginFault(fault)])
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(
            judgement.reason.contains("ended with an error 6 times: curl: (33)"),
            "\(judgement.reason)")
        #expect(judgement.evidence.resumption?.differingBytes == 0)
    }

    /// wget tries twenty times with growing pauses, and a kill took minutes.
    @Test func whatTriesByItselfMeetsAServerThatIsWellAgain() async throws {
        let patient = ForeignWorker.script(
            "until /usr/bin/curl -sS -f -C - -o \"$3\" \"$1\"; do sleep 0.3; done"
        ).profile
        let judgement = try await kill(
            patient, at: .bytes(3 << 20), faults: [OriginFault(.ignoreRange)])
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.evidence.resumption?.differingBytes == 0)
    }

    /// An error is excused as long as the server has caused it, and no longer.
    @Test func aProgramThatNeverFinishesIsNotExcused() async throws {
        let gone = ForeignWorker.script(
            """
            if [ -e "$2/begun" ]; then /usr/bin/curl -sS -r 5- -o /dev/null "$1"; exit 1; fi
            : > "$2/begun"; exec /usr/bin/curl -sS -o "$3" "$1"
            """
        ).profile
        let judgement = try await kill(
            gone, at: .bytes(3 << 20), faults: [OriginFault(.ignoreRange)])
        #expect(judgement.findings.map(\.checker) == [.completion, .exit], "\(judgement.reason)")
        #expect(judgement.evidence.resumption?.errors?.count == 6)
    }

    @Test(arguments: [
        (OriginFault.NextLength.same, Int64(4 << 20)), (.half, 2 << 20), (.longer, 6 << 20),
    ])
    func theDownloaderStartsOver(next: OriginFault.NextLength, length: Int64) async throws {
        let judgement = try await kill(try Programs.worker(), at: .bytes(3 << 20), next: next)
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
        #expect(judgement.evidence.resumption?.stale == ByteRanges())
        #expect(try #require(judgement.figures.recovered).count > 2 << 20)
        #expect(judgement.figures.refetched == ByteRanges([0..<length]))
    }

    @Test(
        arguments: Nightly.cases(
            [
                "changed", "moved", "early_range", "refuse_if_range", "shortened", "longer",
                "ignore_range", "unknown_total", "always_416",
            ], usual: 4))
    func aRunIsCleanAndCanBeRepeated(fault: String) async throws {
        try await place.killTest(
            "--iterations", "4", "--trigger", "bytes", "--seed", "63", "--video-size", "4MB",
            "--origin-fault", fault, exits: 0)
        try place.rows(4).all { $0.verdict != .fail }
        try await rig("judge", "run", "--quiet", in: place, exits: 0)
    }

    /// Killed in a checkpoint, the downloader may have all of the video, and need not request
    /// anything.
    ///
    /// Ten of ten such rows were reported as stitched.
    @Test(arguments: Nightly.cases(["changed", "shortened", "longer"], usual: 1))
    func aWholeOldVersionIsStaleAndNoMixture(fault: String) async throws {
        let arguments = [
            "--iterations", "3", "--seed", "65", "--video-size", "4MB", "--trigger", "phase",
            "--at", "checkpointing", "--origin-fault", fault, "-v",
        ]
        let outcome = try await place.killTest(arguments, exits: 0)
        let rows = try place.rows()
        rows.all { $0.verdict != .fail }
        let stale = rows.count(where: \.isStale)
        #expect(stale > 0, "\(rows.map(\.reason))")
        outcome.prints("stale after \(stale) of 3 kills")
        // The same worker, if it promised to revalidate.
        let profile = try Checkout.text(of: "Sources/Rig/RigProfiles/profiles/downloader.yml")
        try "\(profile)\nrevalidates: true\n".save(as: "promising.yml", in: place)
        try await rig(
            ["kill-test", "--out", "promised", "--worker", "./promising.yml"] + arguments,
            in: place, exits: 99)
        let found = try place.text("promised/iterations.csv")
        #expect(found.contains("although it promises to ask the origin again"), "\(found)")
    }

    @Test func aWorkerThatGoesOnWithTheOldVersionIsCaughtAgainAndAgain() async throws {
        try await place.killTest(
            "--iterations", "2", "--seed", "64", "--video-size", "4MB", "--trigger", "bytes",
            "--at", "3MB", "--origin-fault", "changed",
            environment: planted("stitched-versions"), exits: 99)
        #expect(try place.rows().allSatisfy { $0.checkers == [.stitched] })
        let folder = try #require(try place.names(in: "run/evidence").first)
        let replay = try await rig(
            "replay", "run/evidence/\(folder)", "--times", "2", "--quiet", in: place)
        replay.prints("reproduced  2 of 2")
    }
}
