internal import VideoCache

/// Compares a player's conditions with what the cache knows of a video (RFC 9110, 13.1).
///
/// Dates are compared only for equality. That is what 13.1.5 asks of `If-Range`, and makes
/// `If-Modified-Since` send a body once too often at worst.
struct Validators {
    /// What the origin says about the video.
    let information: ContentInformation

    /// False when `If-Match` asks for another version.
    func isWanted(_ request: PlayerRequest) -> Bool {
        guard let list = request.ifMatch else { return true }
        return Self.tags(in: list).contains { $0 == "*" || String($0) == information.strongETag }
    }

    /// True when the player has this version already, so that 304 is the answer.
    func isUnchanged(for request: PlayerRequest) -> Bool {
        if let list = request.ifNoneMatch {
            return Self.tags(in: list).contains { tag in
                tag == "*" || information.etag.map { Self.opaque($0) == Self.opaque(tag) } ?? false
            }
        }
        guard let date = request.ifModifiedSince else { return false }
        return date == information.lastModified
    }

    /// False when `If-Range` asks for a range of another version, so that the whole is the answer.
    func isRangeWanted(_ request: PlayerRequest) -> Bool {
        guard let validator = request.ifRange else { return true }
        return validator == information.strongETag || validator == information.lastModified
    }

    /// The list's elements; a comma within quotes does not end one.
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
