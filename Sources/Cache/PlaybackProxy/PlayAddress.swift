internal import Foundation

/// The URL at which a player opens a video through the proxy: `/play?url=…`.
public enum PlayAddress {
    /// The path of requests to play.
    public static let path = "/play"

    /// The path and query of a video.
    ///
    /// - Parameter url: the video's own URL; it is percent-encoded.
    /// - Returns: the part after the proxy's own URL.
    public static func pathAndQuery(of url: String) -> String {
        let safe = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return path + "?url=" + (url.addingPercentEncoding(withAllowedCharacters: safe) ?? "")
    }
}
