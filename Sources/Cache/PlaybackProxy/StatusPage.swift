internal import Foundation
internal import VideoCache

/// The status page: what is cached of each video, as text and as a picture.
enum StatusPage {
    /// The width of a video's picture, in its own units.
    private static let width = 1000.0
    /// The smallest visible width of a range, in the same units.
    private static let leastWidth = 2.0
    /// How many ranges are drawn separately; more could not be distinguished.
    private static let mostBars = 500

    /// The page as HTML.
    static func html(_ status: CacheStatus) -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Video cache</title>
        <link rel="icon" href="data:,">
        <link rel="stylesheet" href="status.css">
        <script src="status.js" defer></script>
        </head>
        <body>
        <main>
        <header>
        <h1>Video cache</h1>
        <p>\(summary(status))</p>
        </header>
        \(status.videos.isEmpty ? empty : status.videos.map(article).joined(separator: "\n"))
        </main>
        <p id="stale" role="status">The proxy does not answer. What you see is what was last known.</p>
        </body>
        </html>

        """
    }

    private static let empty = """
        <p class="empty">Nothing is cached yet. Open this page's address in a player, followed by
        <code>play?url=</code> and the percent-encoded address of a video.</p>
        """

    private static func summary(_ status: CacheStatus) -> String {
        let count = status.videos.count
        return "\(count) video\(count == 1 ? "" : "s") · \(readable(status.cachedBytes)) cached · "
            + "\(readable(status.diskBytes)) on disk"
    }

    private static func article(_ video: CacheStatus.Video) -> String {
        let ranges = video.ranges.count
        let figures = [
            video.percent.map { percentText($0) },
            readable(video.cachedBytes)
                + (video.length.map { " of \(readable($0))" } ?? ", length not known"),
            "\(ranges) range\(ranges == 1 ? "" : "s")",
            video.mimeType.map(escaped),
        ].compactMap(\.self)
        return """
            <article>
            <h2><a href="\(escaped(String(PlayAddress.pathAndQuery(of: video.url).dropFirst())))">\
            \(escaped(video.url))</a></h2>
            \(picture(video))
            <p>\(figures.joined(separator: " · "))</p>
            </article>
            """
    }

    /// The cached ranges as bars; the video's first byte is on the left.
    private static func picture(_ video: CacheStatus.Video) -> String {
        let end = max(1, video.length ?? video.ranges.last?.end ?? 1)
        let bars = drawn(video.ranges).map { range -> String in
            let share = width / Double(end)
            let wide = max(leastWidth, Double(range.length) * share)
            let left = min(Double(range.offset) * share, width - wide)
            return "<rect x=\"\(rounded(left))\" width=\"\(rounded(wide))\" height=\"1\">"
                + "<title>bytes \(range)</title></rect>"
        }
        let label = video.percent.map { "\(percentText($0)) cached" } ?? "length not known"
        return """
            <svg viewBox="0 0 1000 1" preserveAspectRatio="none" role="img" aria-label="\(label)">\
            \(bars.joined())</svg>
            """
    }

    /// The ranges that are drawn: all of them, or the largest if there are too many.
    private static func drawn(_ ranges: [ByteRange]) -> [ByteRange] {
        guard ranges.count > mostBars else { return ranges }
        return Array(ranges.sorted { $0.length > $1.length }.prefix(mostBars))
    }

    /// The text with markup characters escaped, also for use in a quoted attribute.
    static func escaped(_ text: String) -> String {
        var safe = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": safe += "&amp;"
            case "<": safe += "&lt;"
            case ">": safe += "&gt;"
            case "\"": safe += "&quot;"
            case "'": safe += "&#39;"
            default: safe.unicodeScalars.append(character)
            }
        }
        return safe
    }

    /// A percentage, rounded down so that only a complete video shows 100.
    private static func percentText(_ percent: Double) -> String {
        "\((percent * 10).rounded(.down) / 10) %"
    }

    private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
