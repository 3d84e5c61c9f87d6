internal import Glibc
internal import RigModel

extension LivingWorker {
    /// True once the process is exiting, or has a fatal signal pending, so that a signal sent now
    /// is not what ends it; it counts as alive until the kernel is done with it.
    func isDying(of signal: Int32) -> Bool {
        ProcessState(of: processID)?.isDying(of: signal) ?? true
    }
}

extension Fault {
    /// Disables this process's core dumps where the fault causes some: none is ever read.
    func forbidImages() {
        guard dumpsCore else { return }
        let resource = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_max > 0 else { return }
        // One byte, not 0: a core dump that goes to a pipe is still made with a limit of 0, but
        // not with a limit of 1 (core(5)).
        limit.rlim_cur = 1
        setrlimit(resource, &limit)
    }
}
