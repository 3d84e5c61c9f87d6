internal import Dispatch

/// Runs the work of one job on a thread outside Swift's pool.
///
/// A job copies, compares and reads files, which blocks. On two cores the pool has two threads, and
/// two blocking jobs would take them from the origins that serve them.
final class JobExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "rig.job", qos: .userInteractive)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
