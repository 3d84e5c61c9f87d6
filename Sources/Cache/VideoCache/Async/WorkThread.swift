internal import CThread
internal import Foundation

package enum WorkThread {
    private final class Work: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Starts a thread for work, which is not done if this throws; Foundation's would not tell.
    package static func start(_ work: @escaping @Sendable () -> Void) throws(ThreadError) {
        let memory = Unmanaged.passRetained(Work(run: work))
        let failure = thread_start(
            { context in
                guard let context else { return }
                // Released before the work is done: what it holds must not live longer.
                let run = Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run
                run()
            }, memory.toOpaque())
        guard failure == 0 else {
            memory.release()
            throw ThreadError(code: failure)
        }
    }
}

/// No thread can be started, because a limit of the system is reached.
public struct ThreadError: Error, Hashable {
    /// The system's number of the error, such as `EAGAIN`.
    public var code: Int32
}

extension ThreadError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        "no thread can be started: \(String(cString: strerror(code))); allow more processes (ulimit "
            + "-u, or pids.max of the control group), or end some"
    }
}
