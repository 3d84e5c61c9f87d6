internal import DownloaderCommands
internal import Foundation
internal import PlantedBugs

// The downloader with the planted bug that the environment names, for tests of the rig.
let environment = ProcessInfo.processInfo.environment
do {
    let bug = try environment[DownloaderProgram.bugVariable].map(PlantedBug.parts)
    DownloaderProgram(parts: bug ?? DownloaderParts(), now: { Date() }).main()
} catch {
    DownloaderProgram.refuse("\(DownloaderProgram.bugVariable) is wrong: \(error)")
}
