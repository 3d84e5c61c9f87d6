internal import Dispatch

/// Runs the work of one job on a thread outside Swift's pool: it blocks, and on two cores two jobs
/// would take both threads from the origins that serve them.
final class JobExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "rig.job", qos: .userInteractive)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }
}
