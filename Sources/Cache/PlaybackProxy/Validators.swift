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
        return EntityTag.list(list, holds: information.strongETag, strongly: true)
    }

    /// True if the player already has this version, so that the response is 304.
    func isUnchanged(for request: RequestHead) -> Bool {
        if let list = request["If-None-Match"] {
            return EntityTag.list(list, holds: information.etag, strongly: false)
        }
        guard let date = request["If-Modified-Since"] else { return false }
        return date == information.lastModified
    }

    /// False if `If-Range` names another version, so that the response is the whole video.
    func isRangeWanted(_ request: RequestHead) -> Bool {
        guard let validator = request["If-Range"] else { return true }
        return validator == information.strongETag || validator == information.lastModified
    }
}
