internal import Dispatch
internal import RigLab

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Turns SIGINT, SIGTERM and SIGHUP into an interruption; the second signal ends the rig at once.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Handles signals from now on, until the value is released.
    init(interruption: Interruption) {
        signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "rig.signals")
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                // The guardian ends the current worker when the rig exits without cleaning up.
                if interruption.isRaised { _exit(130) }
                interruption.raise()
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
