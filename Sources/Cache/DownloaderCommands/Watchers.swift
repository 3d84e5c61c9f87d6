internal import Foundation
internal import Logging
internal import VideoCache
internal import Witness

/// The observers of a command's requests.
enum Watchers {
    /// The witness if the environment names one, the log if `verbose`, and always the damage
    /// notice.
    static func wanted(
        verbose: Bool, parts: any DownloaderParts
    ) throws -> [any CacheObserver] {
        var watchers: [any CacheObserver] = [DamageNotice()]
        if let path = ProcessInfo.processInfo.environment[WitnessWriter.environmentVariable] {
            let witness = WitnessObserver(writer: try WitnessWriter(path: path))
            watchers.append(parts.witness(witness))
        }
        if verbose {
            var logger = Logger(label: "downloader") {
                StreamLogHandler.standardError(label: $0)
            }
            logger.logLevel = .debug
            watchers.append(LogObserver(logger: logger))
        }
        return watchers
    }
}
