internal import Foundation

/// The address under which a player opens a video through the proxy: `/play?url=…`.
public enum PlayAddress {
    /// The path that plays.
    public static let path = "/play"

    /// The path and query of a video.
    ///
    /// - Parameter url: the video's own address; it is percent-encoded.
    /// - Returns: what follows the proxy's own address.
    public static func pathAndQuery(of url: String) -> String {
        let safe = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return path + "?url=" + (url.addingPercentEncoding(withAllowedCharacters: safe) ?? "")
    }
}
