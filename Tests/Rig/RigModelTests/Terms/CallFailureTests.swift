import Foundation
import RigModel
import Testing

/// How calls fail, as users name it and read of it (T13).
@Suite struct CallFailureTests {
    @Test(arguments: [
        ("once", Sticky.once), ("until-relaunch", .untilRelaunch), ("every:3", .every(3)),
    ])
    func aWayToGoOnIsReadAndWritten(text: String, sticky: Sticky) {
        #expect(Sticky(text) == sticky)
        #expect(sticky.text == text)
    }

    @Test(arguments: ["", "twice", "every", "every:", "every:0", "every:-1", "every:x"])
    func otherTextIsNone(text: String) { #expect(Sticky(text) == nil) }

    @Test func aFullDiskStaysFull() {
        for error in CallError.allCases {
            let isFull = error == .enospc || error == .edquot
            #expect(CallFailure(error).sticky == (isFull ? .untilRelaunch : .once))
        }
        #expect(CallFailure(.enospc, sticky: .once).sticky == .once)
    }

    @Test func itsOptionsAskForTheSame() throws {
        #expect(CallFailure(.eio).words == ["--error", "eio"])
        let full = CallFailure(.enospc, sticky: .every(2), pattern: "*.tmp")
        #expect(full.words == ["--error", "enospc", "--sticky", "every:2", "--on", "*.tmp"])
        #expect(full.text == "enospc every:2 on *.tmp")
        let stored = try JSONEncoder().encode(full)
        #expect(try JSONDecoder().decode(CallFailure.self, from: stored) == full)
        let sync = CallFailure(.fsyncEIO, afterSync: .ext4Data)
        #expect(sync.words == ["--error", "fsync-eio", "--after-fsync", "ext4-data"])
        #expect(sync.text == "fsync-eio after-fsync ext4-data")
    }

    /// A failing call has no side, so it is tried once.
    @Test func everyCallFailsOnce() {
        var refinement = KillPlan.Refinement()
        refinement.isExhaustive = true
        refinement.hasOneSide = true
        let policy = Policy(threshold: ByteSize(bytes: 512 << 10))
        func plan(_ refinement: KillPlan.Refinement) -> KillPlan {
            KillPlan(
                seed: 1, iterations: 8, policies: [policy], trigger: .syscall, videoLength: 100,
                refinement: refinement
            ).counting([policy.name: ["write": 3, "fsync": 1]])
        }
        #expect(plan(refinement).schedule.map(\.first.trigger.planned) == ["1", "2", "3", "4"])
        refinement.isExhaustive = false
        #expect(plan(refinement).schedule.allSatisfy { !$0.first.trigger.planned.contains(":") })
    }

    @Test(arguments: [
        (
            FailedCall(.enospc, ordinal: 37, name: "write", file: "data.tmp", length: 4096),
            "call 37, write of 4096 bytes to data.tmp failed with ENOSPC"
        ),
        (
            FailedCall(
                .enospc, ordinal: 37, name: "pwrite64", file: "data", length: 10_000, cutTo: 4096,
                later: 2),
            "call 37, pwrite64 of 10000 bytes to data was cut to 4096 bytes, and 2 after it failed"
        ),
        (
            FailedCall(.fsyncEIO, ordinal: 2, name: "fsync", file: "data", length: nil),
            "call 2, fsync of data failed with EIO"
        ),
        (
            FailedCall(.shortRead, ordinal: 1, name: "pread64", file: "data", length: 10, cutTo: 5),
            "call 1, pread64 of 10 bytes from data was cut to 5 bytes"
        ),
        (
            FailedCall(
                .fsyncEIO, ordinal: 2, name: "fsync", file: "data", length: nil, isLate: true,
                reportedBy: 5),
            "call 2, fsync of data lost what it had written, which call 5 reported with EIO"
        ),
        (
            FailedCall(
                .fsyncEIO, ordinal: 2, name: "fsync", file: "data", length: nil, isLate: true),
            "call 2, fsync of data had nothing to report, as its file was not synced again"
        ),
        (
            FailedCall(.eio, ordinal: 1, name: "syncfs", file: "", length: nil, later: 1),
            "call 1, syncfs failed with EIO, and 1 after it"
        ),
    ])
    func whatFailedIsSaid(call: FailedCall, words: String) { #expect(call.words == words) }
}
