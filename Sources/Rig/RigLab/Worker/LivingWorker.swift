internal import Glibc
internal import RigModel

/// A running worker: what a kill controller may observe, and the means to end it.
struct LivingWorker: Sendable {
    let launched: ContinuousClock.Instant
    let processID: pid_t
    /// Sends signal 9 to the process, through its file descriptor, and then to its group.
    var kill: @Sendable () -> Void
    /// Asks the process to end in good order, by signal 15.
    let end: @Sendable () -> Void
    /// Takes all room of the disk that its state is on; false if that fails.
    var fillDisk: @Sendable () -> Bool = { false }
    /// Asks all processes of its group to end in good order, by signal 15.
    let askGroup: @Sendable () -> Void
    let send: @Sendable (Int32) -> Void
    let fault: Fault
    let environment: [String: String]
    /// True while processes of its group go on that were asked to end with it, where these count.
    var hasGroup: @Sendable () -> Bool = { false }

    /// True until the process, and what was asked to end with it, has ended; nothing is reaped.
    var isAlive: Bool {
        var info = siginfo_t()
        let status = waitid(P_PID, id_t(processID), &info, WEXITED | WNOHANG | WNOWAIT)
        if status == 0 && info.si_signo == 0 { return true }
        guard hasGroup() else { return false }
        // Waits for the end of the process itself return at once by now.
        Pause.seconds(0.002)
        return true
    }
}
