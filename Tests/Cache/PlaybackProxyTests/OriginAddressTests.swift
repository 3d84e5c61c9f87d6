import Testing
import VideoCache

@testable import PlaybackProxy

/// A player may name http and https addresses, but no look-alikes.
@Suite struct OriginAddressTests {
    @Test(arguments: [
        ("http://media.example/v.mp4", "http://media.example/v.mp4", "media.example"),
        ("HTTPS://Media.Example:8443", "HTTPS://Media.Example:8443", "media.example"),
        ("http://a_b-c.d/?x=1&y=%20#t=10", "http://a_b-c.d/?x=1&y=%20", "a_b-c.d"),
        ("http://127.0.0.1:80/é", "http://127.0.0.1:80/é", "127.0.0.1"),
        ("http://[::1]:8080/v", "http://[::1]:8080/v", "::1"),
        ("http://a/b@c", "http://a/b@c", "a"), ("http://a?b/c", "http://a?b/c", "a"),
    ])
    func whatIsPlain(text: String, url: String, host: String) throws {
        let address = try OriginAddress(text)
        #expect(address.url == url && address.host == host)
    }

    @Test(arguments: [
        "", "v.mp4", "/etc/passwd", "file:///etc/passwd", "ftp://a/b", "javascript:alert(1)",
        "http:/a", "http:///etc/passwd", "http://", "http://?x", "http://:80/", "http://a:/",
        "http://a:0/", "http://a:65536/", "http://a:8 0/", "http://a:+80/", "http://a b/",
        "http://user@a/", "http://user:word@a/", "http://allowed.example@evil.example/",
        "http://allowed.example\\@evil.example/", "http://allowed.example%2f@evil.example/",
        "http://a\u{0}b/", "http://a/\r\nHost: b", "http://a/\t", "http://ex%61mple/",
        "http://exämple/", "http://[::1", "http://[::1]x/", "http://[a.b]g/", "http://a:80:80/",
        "file://a/http://b/", " http://a/", "http://a/b c",
    ])
    func whatIsNot(text: String) { #expect(throws: Refusal.self) { try OriginAddress(text) } }

    /// An error that only says that the host is missing would not help the user.
    @Test(arguments: ["http://user@a/", "http://user:word@a/", "http://a@b:80/c"])
    func aUserIsRefusedAsOne(text: String) {
        let refusal = #expect(throws: Refusal.self) { try OriginAddress(text) }
        #expect(refusal?.reason.contains("names a user") == true)
    }

    @Test(arguments: [
        ("url=http%3A%2F%2Fa%2Fb%3Fc%3Dd%26e%3Df", "http://a/b?c=d&e=f"),
        ("url=http://a/b+c", "http://a/b+c"), ("url=http%3A%2F%2Fa%2F%2520", "http://a/%20"),
    ])
    func theQueryNamesOneAddress(query: String, url: String) throws {
        #expect(try OriginAddress(query: query).url == url)
        #expect(
            try OriginAddress(query: String(PlayAddress.pathAndQuery(of: url).dropFirst(6))).url
                == url)
    }

    /// Before the address, so that an `&` of the address itself is never taken for it (S5).
    @Test(
        arguments: [
            ("url=http://a/", nil), ("threshold=conservative&url=http://a/", .conservative),
            ("threshold=1MB&url=http://a/", .aggressive),
            ("threshold=Disabled&url=http://a/", .disabled),
        ] as [(String, SavePolicy?)])
    func aThresholdMayComeBefore(query: String, policy: SavePolicy?) throws {
        let address = try OriginAddress(query: query)
        #expect(address.url == "http://a/")
        #expect(address.policy == policy)
    }

    @Test(arguments: ["64KB", "17MB", "", "fast", "-1", "9999999999GB"])
    func aThresholdBeyondItsLimitsIsRefused(text: String) {
        let refusal = #expect(throws: Refusal.self) {
            try OriginAddress(query: "threshold=\(text)&url=http://a/")
        }
        #expect(refusal?.status == 400 && refusal?.reason.contains("256KB to 16MB") == true)
    }

    /// An address with an `&` that is not encoded would be cut short, and name another video.
    @Test(arguments: [
        "", "url", "url=", "URL=http://a/", "u=http://a/", "url=http://a/b?c=d&e=f",
        "url=http://a/&url=http://b/", "url=http%ZZ", "url=%FF%FE", "x=1&url=http://a/",
        "url=http://a/&threshold=1MB", "threshold=1MB", "threshold=1MB&url=http://a/&b=c",
    ])
    func anyOtherQueryIsRefused(query: String) {
        #expect(throws: Refusal.self) { try OriginAddress(query: query) }
    }
}
