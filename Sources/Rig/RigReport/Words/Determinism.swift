package import RigModel

/// What is the same in every repetition of a planned kill, and what may differ.
package struct Determinism: Sendable, Hashable {
    package let fixed: [String]
    package let free: [String]

    package init(_ kill: StoredKill) {
        let manifest = kill.manifest
        let planned = kill.planned.kills[kill.kill - 1]
        let moment = Self.moment(planned)
        let fault: Sides =
            planned.trigger == .never ? ([], []) : Self.fault(manifest.fault.ofKill(kill.kill))
        let hasBytes = manifest.workload.hasBytes
        var fixed = ["the plan, from seed \(kill.planned.seed)"]
        if hasBytes { fixed.append("the video, byte for byte") }
        if manifest.workload.hasPlayer {
            fixed.append("the requests of the player, in their order")
        }
        self.fixed = fixed + moment.fixed + fault.fixed
        let always =
            hasBytes
            ? ["which thread runs when", "how bytes are cut into reads"]
            : ["which thread runs when"]
        free =
            always + moment.free + fault.free
            + (kill.kill > 1 ? [Self.earlierKills] : [])
            + (manifest.relaunch == .twice ? ["how the two instances take turns"] : [])
    }

    /// In a chain, what a life finds depends on where the previous one was killed.
    private static let earlierKills =
        "where the kills before it fall, and with them whether its moment comes at all: a repetition"
        + " in which it does not proves nothing"

    private typealias Sides = (fixed: [String], free: [String])

    private static func moment(_ kill: PlannedKill) -> Sides {
        let wait = "the wait before the kill, \(MetricUnit.readableSeconds(kill.delaySeconds))"
        switch kill.trigger {
        case .never:
            return (["that no worker is killed"], ["how long the work takes"])
        case .bytes(let count):
            return (
                ["the byte at which the origin holds back, \(count)", wait],
                ["how far the commit is that the last bytes set off"]
            )
        case .flowing(let count):
            return (
                ["the byte from which on the kill is sent, \(count)"],
                ["how many bytes follow it until the kill arrives"]
            )
        case .time:
            return (
                ["the fraction of an uninterrupted run, \(kill.trigger.planned)"],
                ["how fast that run is: where in the work the fraction falls"]
            )
        case .ending(let share):
            return (
                ["the share of the worker's end, \(FixedPoint.text(share, decimals: 6))"],
                ["how long that end takes: how far it is when its share has passed"]
            )
        case .phase(let phase):
            return (
                ["the phase, \(phase.rawValue), and which of its times", wait],
                ["how far the phase is when the wait ends"]
            )
        case .recovery(let share):
            return (
                ["the share of the recovery, \(FixedPoint.text(share, decimals: 6))"],
                ["how long a recovery takes: how far it is when its share has passed"]
            )
        case .syscall(let call):
            return (
                ["the ordinal and the side of the call, \(call.text)"],
                ["which call has that ordinal, where threads overtake each other"]
            )
        case .said(let lines):
            return (
                ["the line after which it is killed, \(lines)"],
                ["how far the program goes on until the kill arrives"]
            )
        }
    }

    private static func fault(_ fault: Fault) -> Sides {
        switch fault {
        case .sigkill, .abort, .segv:
            (["the signal, \(fault.signal)"], [])
        case .term:
            (
                ["the request to end, signal 15, and the grace after it"],
                ["how far its clean-up is when the grace is over"]
            )
        case .callError:
            (["which of the calls that can fail so does, and how"], ["what that call is about"])
        case .oom:
            (["that memory runs out"], ["which allocation the kernel refuses"])
        case .powerCut:
            (["that nothing is synced any more"], ["what the kernel had written back by itself"])
        case .powerCutTorn:
            (
                ["the state that a recorded log and the seed make"],
                ["the log: which writes and syncs are there at the kill"]
            )
        }
    }
}
