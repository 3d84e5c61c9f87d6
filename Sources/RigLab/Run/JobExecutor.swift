internal import Dispatch

/// Where the work of one job is done: on a thread beside those of Swift's pool.
///
/// A job copies, compares and reads files, which blocks. On two cores the pool has two threads, and
/// two jobs that block would take them from the origins that serve them.
final class JobExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "rig.job", qos: .userInteractive)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
