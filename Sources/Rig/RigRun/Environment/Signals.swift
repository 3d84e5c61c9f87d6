internal import Dispatch
internal import Glibc
package import RigLab

/// Turns SIGINT, SIGTERM and SIGHUP into an interruption; the second signal ends the rig at once.
package final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Handles signals from now on, until the value is released.
    ///
    /// Blocks until the handlers are installed, which Dispatch does on another thread: a signal that
    /// came before would be lost. Until then a signal ends the process.
    package init(interruption: Interruption) {
        signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "rig.signals")
        let installed = DispatchSemaphore(value: 0)
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                // The guardian ends the current worker when the rig exits without cleaning up.
                if interruption.isRaised { _exit(130) }
                interruption.raise()
            }
            source.setRegistrationHandler { installed.signal() }
            source.resume()
            return source
        }
        for _ in sources { installed.wait() }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
