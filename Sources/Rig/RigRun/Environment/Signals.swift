internal import Dispatch
internal import Glibc
package import RigLab

/// Turns SIGINT, SIGTERM and SIGHUP into an interruption; the second signal ends the rig at once.
///
/// One that the caller has the rig ignore stays ignored. A limit of processor time that is used up
/// interrupts the rig, too, and does not end it at once, although the kernel repeats its signal.
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
        let handled = [SIGINT, SIGTERM, SIGHUP, SIGXCPU].filter { !InheritedState.isIgnored($0) }
        sources = handled.map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if number == SIGXCPU { return interruption.raise() }
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
