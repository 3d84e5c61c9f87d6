import Foundation
import Testing

@testable import OfflineLibrary
@testable import VideoCache

/// A feed is read completely, or refused with the name of the invalid field (O2).
@Suite struct VideoFeedTests {
    private static let id = "6b29fc40-ca47-1067-b31d-00dd010662da"
    private static let good = #""id": "\#(id)", "title": "t", "url": "http://h/v""#

    private func videos(_ json: String) throws -> [LibraryVideo] {
        try VideoFeed.videos(in: Data(json.utf8), from: "http://h/feed")
    }

    @Test func allFieldsAreReadInOrder() throws {
        let json = """
            {"version": 3, "videos": [
                {"id": "\(Self.id)", "title": "Ä \\u2603", "description": "d",
                 "url": "https://h/v?a=b&c=%20", "thumbnail_url": "HTTP://h/t.jpg",
                 "duration": 12.5, "likes": 7},
                {"id": "6B29FC40-CA47-1067-B31D-00DD010662DB", "title": "", "description": null,
                 "url": "http://h/w", "thumbnail_url": null, "duration": 0}
            ]}
            """
        let expected = [
            LibraryVideo(
                id: try #require(UUID(uuidString: Self.id)), title: "Ä ☃", description: "d",
                url: "https://h/v?a=b&c=%20", thumbnailURL: "HTTP://h/t.jpg", duration: 12.5),
            LibraryVideo(
                id: try #require(UUID(uuidString: "6b29fc40-ca47-1067-b31d-00dd010662db")),
                title: "", url: "http://h/w", duration: 0),
        ]
        #expect(try videos(json) == expected)
    }

    @Test func aFeedWithoutVideosIsAnEmptyList() throws {
        #expect(try videos(#"{"videos": []}"#) == [])
    }

    @Test(arguments: [
        "", " ", "not JSON", "<html>404</html>", #"{"videos": ["#, #"{"videos": []} x"#,
        #"{"videos": [{"duration": 1e999}]}"#, "\u{0}",
    ])
    func whatIsNoJSONIsSaidToBeNone(text: String) {
        #expect(
            performing: { try videos(text) },
            throws: { error in
                switch error as? FeedError {
                case .notJSON: true
                // A number too large for any type may be reported as a malformed field.
                case .malformed: text.contains("1e999")
                default: false
                }
            })
    }

    @Test(arguments: [
        ("[]", "the whole"), ("null", "the whole"), ("{}", "videos"),
        (#"{"videos": null}"#, "videos"), (#"{"videos": {}}"#, "videos"),
        (#"{"videos": [7]}"#, "videos[0]"), (#"{"videos": [{}]}"#, "videos[0].id"),
        (#"{"videos": [{"id": 7}]}"#, "videos[0].id"),
        (#"{"videos": [{"id": "7", "title": "t", "url": "http://h/v"}]}"#, "videos[0].id"),
        (#"{"videos": [{"id": "\#(id)", "url": "http://h/v"}]}"#, "videos[0].title"),
        (#"{"videos": [{"id": "\#(id)", "title": null, "url": ""}]}"#, "videos[0].title"),
        (#"{"videos": [{"id": "\#(id)", "title": ["t"], "url": ""}]}"#, "videos[0].title"),
        (#"{"videos": [{"id": "\#(id)", "title": "\u0000", "url": "http://h"}]}"#, "title"),
        (#"{"videos": [{"id": "\#(id)", "title": "t"}]}"#, "videos[0].url"),
        (#"{"videos": [{"id": "\#(id)", "title": "t", "url": "ftp://h/v"}]}"#, "videos[0].url"),
        (#"{"videos": [{"id": "\#(id)", "title": "t", "url": "/v"}]}"#, "videos[0].url"),
        (#"{"videos": [{"id": "\#(id)", "title": "t", "url": "http://"}]}"#, "videos[0].url"),
        (#"{"videos": [{"id": "\#(id)", "title": "t", "url": "http://h/a b"}]}"#, "videos[0].url"),
        (#"{"videos": [{\#(good), "description": 7}]}"#, "videos[0].description"),
        (#"{"videos": [{\#(good), "thumbnail_url": "file:///etc/passwd"}]}"#, "thumbnail_url"),
        (#"{"videos": [{\#(good), "duration": "12"}]}"#, "videos[0].duration"),
        (#"{"videos": [{\#(good), "duration": -1}]}"#, "videos[0].duration"),
        (#"{"videos": [{\#(good)}, {"id": "\#(id)"}]}"#, "videos[1].title"),
    ])
    func aWrongFieldIsNamed(json: String, field: String) {
        #expect(
            performing: { try videos(json) },
            throws: { error in
                guard case .malformed(_, let found, _) = error as? FeedError else { return false }
                return found.hasSuffix(field) && "\(error)".hasPrefix("http://h/feed ")
            })
    }

    @Test func aVideoNamedTwiceIsRefused() {
        let other = Self.good.replacingOccurrences(of: Self.id, with: Self.id.uppercased())
        #expect(
            throws: FeedError.duplicateID(url: "http://h/feed", id: Self.id.uppercased())
        ) { try videos("{\"videos\": [{\(Self.good)}, {\(other)}]}") }
    }
}
