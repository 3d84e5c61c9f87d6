internal import DownloaderCommands
internal import Foundation

// Otherwise a run that is to test a planted bug would test the correct program, and pass.
if ProcessInfo.processInfo.environment[DownloaderProgram.bugVariable] != nil {
    DownloaderProgram.refuse(
        "\(DownloaderProgram.bugVariable) is set, and this program has no planted bugs; start "
            + "downloader-with-bugs, or unset it.")
}
DownloaderProgram(parts: DownloaderParts(), now: { Date() }).main()
