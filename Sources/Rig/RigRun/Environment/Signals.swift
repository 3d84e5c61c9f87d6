internal import Dispatch
internal import Glibc
package import RigLab

/// Turns SIGINT, SIGTERM and SIGHUP into an interruption; the second signal ends the rig at once.
///
/// One that the caller has the rig ignore stays ignored. A limit of processor time that is used up
/// interrupts the rig, too, and does not end it at once, although the kernel repeats its signal.
package final class Signals {
    private let sources: [any DispatchSourceSignal]

    /// Handles signals until the value is released; blocks until Dispatch has installed the handlers,
    /// since a signal before that ends the process.
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

    deinit { for source in sources { source.cancel() } }
}

/// What the caller has set for this process and all that it starts: ignored or blocked signals, a
/// mask for permissions, closed streams; the rig changes only what it cannot do without.
package enum InheritedState {
    /// Makes this process as the rig needs it; to be called before any thread is started.
    package static func settle() {
        openStreams()
        // Where it is ignored, the kernel reaps each worker itself, and how it ended is lost.
        signal(SIGCHLD, SIG_DFL)
        // A write beyond the limit of a file's size is then an error with a text of its own.
        signal(SIGXFSZ, SIG_IGN)
        // Those that the rig ignores are a worker's again, except the real-time ones.
        for number in __libc_current_sigrtmin()...__libc_current_sigrtmax() {
            signal(number, SIG_DFL)
        }
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        // Without these a user cannot enter the folders that its own processes have made.
        umask(umask(0o777) & ~0o700)
    }

    /// Otherwise the next opened file gets the number of a closed stream, and later its messages.
    private static func openStreams() {
        // Read only, so that writing to it fails, as with a closed stream.
        while case let stream = open("/dev/null", O_RDONLY), stream >= 0 {
            if stream > STDERR_FILENO {
                close(stream)
                return
            }
        }
    }

    /// True where the caller has this process ignore a signal, as `nohup` does with SIGHUP, and a
    /// shell with the SIGINT of a program in its background.
    package static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        let handler = action.__sigaction_handler.sa_handler
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
