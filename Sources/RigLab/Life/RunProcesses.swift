/// By what the processes of a run are known, whoever their parents are by now.
struct RunMark: Sendable {
    /// An entry of their environment, `NAME=value`; children inherit it.
    let entry: String
    /// A folder of the run's own: the real path, without a slash at its end.
    ///
    /// Some servers, nginx among them, write their title over their environment; they are known by
    /// the run's files that they hold open, such as the log that their output goes to. A program
    /// whose environment is there and lacks the mark is somebody else's, whatever it has open.
    let folder: String?
}

/// A process of a run that is still there.
struct RunProcess: Sendable, Hashable {
    let id: Int32
    /// The process group that it is in.
    let group: Int32
    let name: String
    /// True for one that has been killed, or has begun to end by itself.
    var isDying = false
}

/// The processes that a life leaves behind.
enum RunProcesses {
    /// How long a process outside the worker's group may take to end by itself, once a worker that
    /// nobody harmed has ended.
    private static let graceSeconds = 1.0
    /// How long a killed process may take to be gone: one with much memory takes its time.
    private static let deathSeconds = 10.0

    /// Waits a moment until none is left, and kills nobody.
    ///
    /// - Parameters:
    ///   - mark: by which they are known.
    ///   - groups: process groups that do not count.
    /// - Returns: those that go on.
    static func lingering(_ mark: RunMark, besides groups: Set<Int32>) -> [RunProcess] {
        let began = ContinuousClock.now
        while true {
            let found = living(mark).filter { !groups.contains($0.group) }
            if found.isEmpty || (ContinuousClock.now - began).seconds > graceSeconds {
                return found
            }
            Pause.seconds(0.001)
        }
    }

    /// Waits until none is left of a life that has ended, and kills those that are in nobody's hand.
    ///
    /// - Parameters:
    ///   - mark: by which they are known.
    ///   - groups: the process groups that were killed: what is in them is about to be gone.
    ///   - wasKilled: true after a kill: what it did not reach has outlived it already.
    /// - Returns: those that lived on and had to be killed; none where all is well.
    static func clear(
        _ mark: RunMark, groups: Set<Int32>, wasKilled: Bool
    ) -> [RunProcess] {
        let began = ContinuousClock.now
        while true {
            let found = living(mark)
            guard !found.isEmpty else { return [] }
            let outsiders = found.filter { !groups.contains($0.group) && !$0.isDying }
            let elapsed = (ContinuousClock.now - began).seconds
            if !outsiders.isEmpty, wasKilled || elapsed > graceSeconds {
                return outsiders + killAll(mark)
            }
            if elapsed > deathSeconds { return found }
            Pause.seconds(0.001)
        }
    }

    /// Kills whatever is there until nothing is.
    ///
    /// - Parameter mark: by which they are known.
    /// - Returns: those that cannot be killed now.
    @discardableResult
    static func killAll(_ mark: RunMark) -> [RunProcess] {
        let began = ContinuousClock.now
        while true {
            let found = living(mark)
            // One that hangs in the kernel cannot die now, and nobody can wait for it.
            if found.isEmpty || (ContinuousClock.now - began).seconds > deathSeconds {
                return found
            }
            for process in found { process.kill() }
            Pause.seconds(0.002)
        }
    }
}
