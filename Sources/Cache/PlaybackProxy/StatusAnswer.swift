internal import Foundation

/// The responses about the proxy itself.
enum StatusAnswer {
    /// The status page.
    ///
    /// - Parameters:
    ///   - status: what to show.
    ///   - place: the request's `Host`, already checked to be this machine's own, and the key.
    ///   - isHead: true if only the head is requested.
    /// - Returns: the response.
    static func page(_ status: CacheStatus, at place: String, isHead: Bool) -> PlayResponse {
        // Paths, not 'self': content from origins is served under the same host.
        let policy = [
            "default-src 'none'", "script-src http://\(place)/status.js",
            "style-src http://\(place)/status.css", "connect-src http://\(place)/",
            "img-src data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
        ].joined(separator: "; ")
        return .own(
            Data(StatusPage.html(status).utf8), type: "text/html; charset=utf-8",
            headers: ["Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"],
            isHead: isHead)
    }

    /// The status for programs.
    static func json(_ status: CacheStatus, isHead: Bool) throws -> PlayResponse {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .own(try encoder.encode(status), type: "application/json", isHead: isHead)
    }

    /// The page's script.
    static func script(isHead: Bool) -> PlayResponse {
        .own(
            Data(StatusAssets.script.utf8), type: "text/javascript; charset=utf-8", isHead: isHead)
    }

    /// The page's style sheet.
    static func style(isHead: Bool) -> PlayResponse {
        .own(Data(StatusAssets.style.utf8), type: "text/css; charset=utf-8", isHead: isHead)
    }
}
