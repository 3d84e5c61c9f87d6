internal import CacheWitness
internal import Foundation
internal import Logging
package import VideoCache
internal import Witness

/// An observer that is told when a command's work is over, and may then delay the process's end.
package protocol LastingObserver: CacheObserver {
    func finish()
}

extension WitnessObserver: LastingObserver {}

extension ObserverGroup: LastingObserver {
    package func finish() {
        for case let member as any LastingObserver in members { member.finish() }
    }
}

extension LogObserver {
    /// Lets the log among some observers, if there is one, follow a cache.
    static func follow(_ videos: VideoCache, among observer: any CacheObserver) {
        for case let log as LogObserver in (observer as? ObserverGroup)?.members ?? [] {
            log.follow(videos)
        }
    }
}

enum Watchers {
    /// Asks for the log like `--verbose`, where another program makes the command line.
    private static let logVariable = "DOWNLOADER_LOG"

    /// The witness and the log, if they are asked for, and always the notices.
    static func wanted(verbose: Bool, parts: DownloaderParts) throws -> ObserverGroup {
        var watchers: [any CacheObserver] = [DamageNotice(), LengthNotice()]
        if let witness = try WitnessObserver.wanted() { watchers.append(parts.witness(witness)) }
        if verbose || ProcessInfo.processInfo.environment[logVariable] == "debug" {
            var logger = Logger(label: "downloader") { StreamLogHandler.standardError(label: $0) }
            logger.logLevel = .debug
            watchers.append(LogObserver(logger: logger))
        }
        return ObserverGroup(members: watchers)
    }
}
