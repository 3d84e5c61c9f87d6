/// Why an origin's response cannot be used; each text says what is wrong and what to do.
public enum DownloadError: Error, Hashable {
    /// The origin answered with a status that carries no video.
    case status(url: String, code: Int)
    /// The body is encoded, so its bytes are not the video's.
    case encoded(url: String, encoding: String)
    /// The origin sent other bytes than those requested.
    case wrongRange(url: String, asked: String, answered: String)
    /// The origin sent fewer bytes than it announced.
    case truncated(url: String, missing: Int64)
    /// The video changes at the origin while it is being fetched.
    case keepsChanging(url: String)
    /// The video changed at the origin while it was read: what follows is another version.
    case changed(url: String)
}

extension DownloadError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .status(let url, let code):
            "\(url) answered \(code); check the address"
        case .encoded(let url, let encoding):
            "\(url) is sent \(encoding)-encoded, which cannot be cached; turn that off at the origin"
        case .wrongRange(let url, let asked, let answered):
            "\(url) answered \(answered) to \(asked); check the origin's range support"
        case .truncated(let url, let missing):
            "\(url) ended \(missing) bytes too early; fetch again to continue"
        case .keepsChanging(let url):
            "\(url) keeps changing at the origin; fetch again later"
        case .changed(let url):
            "\(url) has changed at the origin; open it again"
        }
    }
}

/// The origin has other bytes than the cache: versions must not be mixed, so start over.
struct RepresentationChanged: Error {
    /// The information about the new bytes; nil if it is unknown.
    var facts: ContentInformation?
}

/// Ends a request early: all wanted bytes have arrived.
struct EnoughCame: Error {}
