import PlaybackProxy
import Testing

/// A video's address stays intact as part of another address.
@Suite struct PlayAddressTests {
    @Test(arguments: [
        ("http://a/b.mp4", "/play?url=http%3A%2F%2Fa%2Fb.mp4"),
        ("http://a/b?c=d&e=f#g", "/play?url=http%3A%2F%2Fa%2Fb%3Fc%3Dd%26e%3Df%23g"),
        ("http://a/%20+é", "/play?url=http%3A%2F%2Fa%2F%2520%2B%C3%A9"),
    ])
    func everythingButLettersAndDigitsIsEncoded(url: String, expected: String) {
        #expect(PlayAddress.pathAndQuery(of: url) == expected)
    }
}
