package import RigModel

package struct Determinism: Sendable, Hashable {
    package private(set) var fixed: [String]
    package private(set) var free = ["which thread runs when"]

    package init(_ kill: StoredKill) {
        let manifest = kill.manifest
        let planned = kill.planned.kills[kill.kill - 1]
        fixed = ["the plan, from seed \(kill.planned.seed)"]
        if manifest.workload.hasBytes {
            fixed.append("the video, byte for byte")
            free.append("how bytes are cut into reads")
        }
        if manifest.workload.hasPlayer {
            fixed.append("the requests of the player, in their order")
        }
        addMoment(planned)
        if planned.trigger != .never { addFault(manifest.fault.ofKill(kill.kill)) }
        // In a chain, what a life finds depends on where the previous one was killed.
        if kill.kill > 1 {
            free.append(
                "where the kills before it fall, and with them whether its moment comes at all: a"
                    + " repetition in which it does not proves nothing")
        }
        if manifest.relaunch == .twice { free.append("how the two instances take turns") }
    }

    private mutating func add(_ fixed: String..., free: String) {
        self.fixed += fixed
        self.free.append(free)
    }

    private mutating func addMoment(_ kill: PlannedKill) {
        let wait = "the wait before the kill, \(MetricUnit.readableSeconds(kill.delaySeconds))"
        switch kill.trigger {
        case .never: add("that no worker is killed", free: "how long the work takes")
        case .bytes(let count):
            add(
                "the byte at which the origin holds back, \(count)", wait,
                free: "how far the commit is that the last bytes set off")
        case .flowing(let count):
            add(
                "the byte from which on the kill is sent, \(count)",
                free: "how many bytes follow it until the kill arrives")
        case .time:
            add(
                "the fraction of an uninterrupted run, \(kill.trigger.planned)",
                free: "how fast that run is: where in the work the fraction falls")
        case .ending(let share):
            add(
                "the share of the worker's end, \(FixedPoint.text(share, decimals: 6))",
                free: "how long that end takes: how far it is when its share has passed")
        case .phase(let phase):
            add(
                "the phase, \(phase.rawValue), and which of its times", wait,
                free: "how far the phase is when the wait ends")
        case .recovery(let share):
            add(
                "the share of the recovery, \(FixedPoint.text(share, decimals: 6))",
                free: "how long a recovery takes: how far it is when its share has passed")
        case .syscall(let call):
            add(
                "the ordinal and the side of the call, \(call.text)",
                free: "which call has that ordinal, where threads overtake each other")
        case .said(let lines):
            add(
                "the line after which it is killed, \(lines)",
                free: "how far the program goes on until the kill arrives")
        }
    }

    private mutating func addFault(_ fault: Fault) {
        switch fault {
        case .sigkill, .abort, .segv: fixed.append("the signal, \(fault.signal)")
        case .term:
            add(
                "the request to end, signal 15, and the grace after it",
                free: "how far its clean-up is when the grace is over")
        case .callError:
            add(
                "which of the calls that can fail so does, and how",
                free: "what that call is about")
        case .diskFull: add("that no room is left", free: "what of it is written next")
        case .oom: add("that memory runs out", free: "which allocation the kernel refuses")
        case .powerCut:
            add(
                "that nothing is synced any more",
                free: "what the kernel had written back by itself")
        case .powerCutTorn:
            add(
                "the state that a recorded log and the seed make",
                free: "the log: which writes and syncs are there at the kill")
        }
    }
}
