package import Foundation
internal import Glibc

/// Sleeps on the calling thread; a pause of 0 returns at once.
func rest(_ pause: Duration) {
    let (seconds, attoseconds) = pause.components
    usleep(useconds_t(seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
}

extension Process {
    /// Starts a program, and kills it once the limit is over.
    ///
    /// A caller that waits for its output or its end then continues, and sees that a signal ended
    /// it.
    package func run(within limit: Duration) throws {
        try run()
        let end = DispatchTime.now() + .seconds(Int(limit.components.seconds))
        DispatchQueue.global().asyncAfter(deadline: end) { [weak self] in
            guard let self, isRunning else { return }
            kill(processIdentifier, SIGKILL)
        }
    }
}
