internal import Dispatch
internal import RigLab

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Turns Ctrl-C, a closed terminal and a request to end into an interruption; the second one ends at once.
final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Listens from now on, until the value is gone.
    init(interruption: Interruption) {
        signal(SIGPIPE, SIG_IGN)
        let queue = DispatchQueue(label: "rig.signals")
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                // The guardian ends the worker under way when the rig goes without a word.
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
