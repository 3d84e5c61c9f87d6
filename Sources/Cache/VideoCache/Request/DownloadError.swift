/// Why an origin's response cannot be used; each text says what is wrong and what to do.
public enum DownloadError: Error, Hashable {
    /// Why an answer is taken for no version of the video (K1).
    public enum Unlikeness: Sendable, Hashable {
        /// It has no bytes, and nothing that a version could be told by.
        case empty
        /// It has fewer bytes than are cached, and nothing shows that it is a newer version.
        case shorter(bytes: Int64, kept: Int64)
        /// It is of another kind, such as a page.
        case otherKind(type: String)
        /// It says itself that it is a part, in the place of the whole.
        case part(String)
        /// It announces a number of bytes that cannot be.
        case length(String)
    }

    /// The origin answered with a status that carries no video.
    case status(url: String, code: Int)
    /// The origin asks for time, in seconds, before the next request.
    case busy(url: String, code: Int, seconds: Int)
    /// The body is encoded, so its bytes are not the video's.
    case encoded(url: String, encoding: String)
    /// The origin sent other bytes than those requested.
    case wrongRange(url: String, asked: String, answered: String)
    /// The answer is not believed to be the video; what is cached stays.
    case notTheVideo(url: String, answer: Unlikeness)
    /// The origin sent fewer bytes than it announced.
    case truncated(url: String, missing: Int64)
    /// A body that does not announce its length ended elsewhere than was told before, or has not
    /// ended there.
    case otherLength(url: String, told: Int64, came: Int64)
    /// The video changes at the origin while it is being fetched.
    case keepsChanging(url: String)
    /// The video changed at the origin while it was read: what follows is another version.
    case changed(url: String)
    /// The origin forbids to keep the video (`no-store`), so that it can only be played.
    case notStorable(url: String)
    /// The video may not be used without asking the origin, which cannot be asked.
    case unconfirmed(url: String, reason: String)
}

extension DownloadError: CustomStringConvertible {
    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .status(let url, let code): "\(url) \(Self.words(status: code))"
        case .busy(let url, let code, let seconds):
            "\(url) answered \(code): it is busy, and asks to be left alone for \(seconds) s; fetch "
                + "again then"
        case .encoded(let url, let encoding):
            "\(url) is sent \(encoding)-encoded, which cannot be cached; turn that off at the origin"
        case .wrongRange(let url, let asked, let answered):
            "\(url) answered \(answered) to \(asked); check the origin's range support"
        case .notTheVideo(let url, let answer): "\(url) \(answer)"
        case .truncated(let url, let missing):
            "\(url) ended \(missing) bytes too early; fetch again to continue"
        case .otherLength(let url, let told, let came):
            "\(url) sent \(came) bytes, and had told \(told) before; fetch again, or clear "
                + "the video if it is another one now"
        case .keepsChanging(let url): "\(url) keeps changing at the origin; fetch again later"
        case .changed(let url): "\(url) has changed at the origin; open it again"
        case .notStorable(let url):
            "\(url) may not be stored: its origin says no-store; play it through the proxy, or ask "
                + "those who run the origin"
        case .unconfirmed(let url, let reason):
            "\(url) may not be used before its origin has confirmed it, and that failed (\(reason)); "
                + "try again when the origin can be reached"
        }
    }

    private static func words(status code: Int) -> String {
        switch code {
        case 401:
            "answered 401: it wants to know who asks; send the login that it expects (--header "
                + "'Authorization: …')"
        case 403:
            "answered 403: the origin refuses this request; if a browser can open the address, send "
                + "the Cookie, Referer or Authorization that it sends (--header); else it has expired"
        case 404, 410: "answered \(code): there is nothing at this address; check the address"
        case 407:
            "answered 407: that is the proxy on the way (http_proxy, https_proxy), which wants a "
                + "user name and a password; put them into the proxy's address, http://USER:PASSWORD@HOST"
        case 408, 425, 429: "answered \(code): it wants fewer requests; fetch again later"
        case 451: "answered 451: it may not be shown here, for legal reasons; ask its operator"
        case 400..<500:
            "answered \(code), also to a plain request for the whole; check the address, and whether "
                + "a browser can open it"
        case 500..<600:
            "answered \(code): the origin has a failure of its own; fetch again later, or tell its "
                + "operator"
        default: "answered \(code), which brings no video; check the address"
        }
    }
}

extension DownloadError.Unlikeness: CustomStringConvertible {
    /// What came, and what to do.
    public var description: String {
        switch self {
        case .empty:
            "answered with no bytes at all, which is taken for a failure; fetch again later, or clear "
                + "the video if it is empty now (what is cached stays)"
        case .shorter(let bytes, let kept):
            "answered with \(bytes) bytes, fewer than the \(kept) that had come before, and nothing "
                + "shows that they are a newer version; check the address, or clear the video to "
                + "take them"
        case .otherKind(let type):
            "answered with \(type), which is not what was asked for: a login page, perhaps, or a "
                + "notice; open the address in a browser, and fetch again when that shows it (what is "
                + "cached stays)"
        case .part(let text):
            "answered a request for the whole with a part of it (\(text)); fetch again later, or tell "
                + "its operator (what is cached stays)"
        case .length(let text): "announces '\(text)' bytes, which no video has; tell its operator"
        }
    }
}

/// The origin has other bytes than the cache, or refuses ranges: only the whole can follow.
struct RepresentationChanged: Error {
    var facts: ContentInformation?
    /// The video's size, where the answer told it without bytes.
    var toldLength: Int64?
    /// What the origin said with a whole video that it sent in the place of a range.
    var refused: ContentInformation?
    /// True if the answer was the whole of the known version, to a request with `If-Range`.
    var isConditionIgnored = false
    /// True if kept bytes showed it, and not only a validator or a length.
    var isShown = false
    /// True if it only was not shown: the part that was asked for came without a validator.
    var isUnnamed = false
}

struct EnoughCame: Error {}
