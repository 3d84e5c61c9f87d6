internal import Dispatch
package import RigModel

/// The laboratories that carry out a plan, each with origin, folder and volume of its own.
package struct WorkerPool: Sendable {
    private struct Job: Sendable {
        let laboratory: Laboratory
        let executor = JobExecutor()
    }

    private let jobs: [Job]

    /// How many iterations for each job may be started and not delivered yet.
    package static let leadPerJob = 2

    package init(_ laboratories: [Laboratory]) {
        precondition(!laboratories.isEmpty, "a pool needs a laboratory")
        jobs = laboratories.map { Job(laboratory: $0) }
    }

    /// The first of the laboratories, for what precedes the plan's iterations.
    package var lead: Laboratory { jobs[0].laboratory }
    package func settle() async { for job in jobs { await job.laboratory.settle() } }

    /// Carries out iterations, and delivers their outcomes, studied on the job's own thread, in the
    /// plan's order; the first that fails in it ends the plan, and those after it are aborted.
    package func perform<Report: Sendable>(
        _ schedule: [PlannedIteration],
        study: @escaping @Sendable (IterationOutcome, Laboratory) throws -> Report,
        deliver: (Report) throws -> Void
    ) async throws {
        var order = PlanOrder<Report>(count: schedule.count, lead: jobs.count * Self.leadPerJob)
        let failure: (any Error)? = await withTaskGroup(of: Finished<Report>.self) { group in
            var idle = Array(jobs.indices.reversed())
            var underWay: [Int: Int] = [:]
            var failure: (any Error)?
            while true {
                while failure == nil, let job = idle.last, let index = order.begin() {
                    idle.removeLast()
                    underWay[job] = index
                    let planned = schedule[index]
                    group.addTask(executorPreference: jobs[job].executor) {
                        await finish(planned, index: index, by: job, study: study)
                    }
                }
                guard let finished = await group.next() else { return failure }
                underWay[finished.job] = nil
                idle.append(finished.job)
                order.finish(finished.index, with: finished.result)
                failure = failure ?? Self.hand(on: &order, deliver)
                let end = failure == nil ? order.end : -1
                for (job, index) in underWay where index > end { jobs[job].laboratory.abandon() }
            }
        }
        if let failure { throw failure }
    }

    private typealias Finished<Report> = (job: Int, index: Int, result: Result<Report, any Error>)

    private func finish<Report: Sendable>(
        _ planned: PlannedIteration, index: Int, by job: Int,
        study: @Sendable (IterationOutcome, Laboratory) throws -> Report
    ) async -> Finished<Report> {
        let laboratory = jobs[job].laboratory
        let result = await Result(of: {
            try study(try await laboratory.perform(planned), laboratory)
        })
        return (job, index, result)
    }

    /// Delivers all results that are due; returns the error that ends the plan, or nil.
    private static func hand<Report>(
        on order: inout PlanOrder<Report>, _ deliver: (Report) throws -> Void
    ) -> (any Error)? {
        do {
            while let result = order.next() { try deliver(try result.get()) }
            return nil
        } catch {
            return error
        }
    }
}

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
