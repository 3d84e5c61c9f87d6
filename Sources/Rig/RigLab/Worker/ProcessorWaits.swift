/// How long each thread of a worker has run, and how long it has waited for a processor.
struct ProcessorWaits: Sendable, Hashable {
    struct Thread: Sendable, Hashable {
        let ran: UInt64
        /// Without a wait under way.
        let waited: UInt64
        let isRunnable: Bool
    }

    var threads: [Int32: Thread] = [:]

    /// The longest that a thread has waited since an earlier moment, in seconds; one that is new
    /// counts from its start, and one that is not seen to run as waiting.
    func seconds(since earlier: ProcessorWaits, of period: Double) -> Double {
        let waits = threads.map { id, thread in
            let before = earlier.threads[id]
            // A wait under way is counted only when it ends.
            if thread.isRunnable, thread.ran == before?.ran ?? thread.ran { return period }
            return Double(thread.waited - min(thread.waited, before?.waited ?? 0)) * 1e-9
        }
        return min(waits.max() ?? 0, period)
    }

    /// The threads of all processes of a life (`proc_pid_schedstat(5)`).
    static func now(of mark: RunMark) -> ProcessorWaits {
        var waits = ProcessorWaits()
        for process in RunProcesses.living(mark) {
            let tasks = "/proc/\(process.id)/task"
            for name in tasks.names {
                if let id = Int32(name) { waits.threads[id] = thread("\(tasks)/\(name)") }
            }
        }
        return waits
    }

    private static func thread(_ path: String) -> Thread? {
        guard let times = ProcessFacts.read("\(path)/schedstat"),
            let stat = ProcessFacts.read("\(path)/stat")
        else { return nil }
        let numbers = String(decoding: times, as: UTF8.self).split { $0 == " " || $0 == "\n" }
        // A program's name may hold spaces and brackets: the state follows the last.
        guard numbers.count >= 2, let ran = UInt64(numbers[0]), let waited = UInt64(numbers[1]),
            let end = stat.lastIndex(of: UInt8(ascii: ")")), stat.count > end + 2
        else { return nil }
        return Thread(ran: ran, waited: waited, isRunnable: stat[end + 2] == UInt8(ascii: "R"))
    }
}
