/// Fits a text to the page of a job in GitHub.
package enum StepSummary {
    /// The most bytes of a step's page: GitHub accepts 1 MiB, and shows nothing of larger pages.
    package static let most = 1 << 20

    /// A Markdown text, cut at a line end to fit `room` bytes, with a note about the rest; empty if
    /// not even the note fits.
    package static func cut(_ markdown: String, room: Int) -> String {
        guard markdown.utf8.count > room else { return markdown }
        let note = "\n\nThe rest did not fit on this page: see `summary.md` in the run's folder.\n"
        var left = room - note.utf8.count
        guard left >= 0 else { return "" }
        var text = ""
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            left -= line.utf8.count + 1
            if left < 0 { break }
            text += "\(line)\n"
        }
        return text + note.dropFirst()
    }
}
