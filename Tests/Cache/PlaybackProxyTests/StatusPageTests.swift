import Foundation
import Testing
import VideoCache

@testable import PlaybackProxy

/// The status page shows what is cached, and no markup from addresses.
@Suite struct StatusPageTests {
    private func status(_ videos: [CacheStatus.Video]) -> CacheStatus {
        CacheStatus(
            cachedBytes: videos.reduce(0) { $0 + $1.cachedBytes }, diskBytes: 1 << 20,
            videos: videos)
    }

    private func video(
        _ ranges: [ByteRange], of url: String = "http://a/v.mp4", length: Int64? = 1000
    ) -> CacheStatus.Video {
        let bytes = ranges.reduce(0) { $0 + $1.length }
        return CacheStatus.Video(
            url: url, length: length, cachedBytes: bytes,
            percent: length.map { 100 * Double(bytes) / Double($0) }, ranges: ranges,
            mimeType: "video/mp4")
    }

    /// How often each markup character occurs in a page, to compare pages with hostile text.
    private func markup(_ page: String) -> [Character: Int] {
        var counts: [Character: Int] = [:]
        for character in page where "<>\"'".contains(character) {
            counts[character, default: 0] += 1
        }
        return counts
    }

    @Test(arguments: [
        "http://a/<script>alert(1)</script>", "http://a/\"onmouseover=\"alert(1)", "http://a/'x'",
        "http://a/&lt;script&gt;", "http://a/</main><script src=//evil.example></script>",
        "javascript:alert(1)", "http://a/<!--",
    ])
    func anAddressIsNeverMarkup(url: String) {
        var hostile = video([], of: url)
        hostile.mimeType = "video/mp4\"><img src=x onerror=alert(1)>"
        let page = StatusPage.html(status([hostile]))
        let plain = StatusPage.html(status([video([])]))
        #expect(markup(page) == markup(plain))
        #expect(!page.contains("<script>alert"))
        #expect(!page.contains("href=\"javascript:"))
    }

    @Test func rangesAreDrawnWhereTheyLie() {
        let page = StatusPage.html(
            status([
                video([
                    ByteRange(offset: 0, length: 250), ByteRange(offset: 500, length: 250),
                ])
            ]))
        #expect(page.contains("<rect x=\"0.0\" width=\"250.0\""))
        #expect(page.contains("<rect x=\"500.0\" width=\"250.0\""))
        #expect(page.contains("50.0 %"))
        #expect(page.contains("1 video ·"))
        #expect(page.contains("2 ranges"))
    }

    @Test func aByteCanBeSeenAndStaysInThePicture() {
        let page = StatusPage.html(
            status([video([ByteRange(offset: 999_999, length: 1)], length: 1_000_000)]))
        #expect(page.contains("<rect x=\"998.0\" width=\"2.0\""))
        #expect(page.contains("0.0 %"))
    }

    @Test func onlyAWholeVideoIs100Percent() {
        let page = StatusPage.html(
            status([video([ByteRange(offset: 0, length: 999_999)], length: 1_000_000)]))
        #expect(page.contains("99.9 %"))
        #expect(!page.contains("100.0 %"))
    }

    @Test func theUnknownIsSaid() {
        let page = StatusPage.html(
            status([video([ByteRange(offset: 0, length: 10)], length: nil)]))
        #expect(page.contains("length not known"))
        #expect(page.contains("<rect x=\"0.0\" width=\"1000.0\""))
        #expect(StatusPage.html(status([])).contains("Nothing is cached yet"))
    }

    @Test func aThousandRangesMakeNoThousandBars() {
        let ranges = (0..<1000).map { ByteRange(offset: Int64($0) * 10, length: 5) }
        let page = StatusPage.html(status([video(ranges, length: 10_000)]))
        #expect(page.components(separatedBy: "<rect").count - 1 == 500)
        #expect(page.contains("1000 ranges"))
    }
}
