internal import LoopbackHTTP
internal import VideoCache

/// Compares a player's conditions with the information about a video (RFC 9110, 13.1).
///
/// Dates are compared only for equality. RFC 9110, 13.1.5, requires that for `If-Range`; for
/// `If-Modified-Since` it may send a body unnecessarily.
struct Validators {
    let information: ContentInformation

    /// False if `If-Match` asks for another version.
    func isWanted(_ request: RequestHead) -> Bool {
        guard let list = request["If-Match"] else { return true }
        return Self.tags(in: list).contains { $0 == "*" || String($0) == information.strongETag }
    }

    /// True if the player already has this version, so that the response is 304.
    func isUnchanged(for request: RequestHead) -> Bool {
        if let list = request["If-None-Match"] {
            return Self.tags(in: list).contains { tag in
                tag == "*" || information.etag.map { Self.opaque($0) == Self.opaque(tag) } ?? false
            }
        }
        guard let date = request["If-Modified-Since"] else { return false }
        return date == information.lastModified
    }

    /// False if `If-Range` names another version, so that the response is the whole video.
    func isRangeWanted(_ request: RequestHead) -> Bool {
        guard let validator = request["If-Range"] else { return true }
        return validator == information.strongETag || validator == information.lastModified
    }

    /// The list's elements; a comma within quotes does not separate.
    private static func tags(in list: String) -> [Substring] {
        var isQuoted = false
        return list.split { character in
            if character == "\"" { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
        .map { $0.trimmingBlanks() }
    }

    private static func opaque(_ tag: some StringProtocol) -> String {
        String(tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...])
    }
}
