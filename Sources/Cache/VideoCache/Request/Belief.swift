/// Which answers are believed to be a version of the video (K1): what is cached gives way only to
/// what shows that it is another version of the same thing, and not to a login page, an empty
/// answer or a part.
struct Belief {
    /// The bytes that an answer would replace.
    struct Kept: Sendable {
        let information: ContentInformation
        /// Where the last of them ends; at least 1.
        let end: Int64
    }

    let url: String
    let known: ContentInformation?
    /// What is cached, of the known version or the one before; nil in a request for a range.
    var kept: Kept?
    /// A length that the origin has just told without bytes, in a 416.
    var toldLength: Int64?

    /// True if a whole with this information certainly is the known version, and not too short.
    func isKnown(_ facts: ContentInformation) -> Bool {
        guard let known else { return false }
        var facts = facts
        facts.length = facts.length ?? toldLength
        guard known.isProvenSame(as: facts) else { return false }
        // What is kept may be of the version before; all else that is told of one may change.
        guard let kept, let length = facts.length, kept.information.etag == known.etag,
            kept.information.lastModified == known.lastModified
        else { return true }
        return length >= kept.end
    }

    /// True if the answer names a version that is not the known one.
    func hasOwnValidator(_ facts: ContentInformation) -> Bool {
        let held = kept?.information ?? known
        // A strong tag decides, whatever the date (RFC 9110, 13.2.2).
        if let held, let tag = facts.strongETag, held.etag == tag || held.otherETags.contains(tag) {
            return false
        }
        func isNew(_ new: String?, _ old: String?) -> Bool { new != nil && new != old }
        return isNew(facts.etag, held?.etag) || isNew(facts.lastModified, held?.lastModified)
    }

    // A page without a type and a length is smaller.
    private static let mostDoubtful: Int64 = 256 << 10

    /// How many bytes of a body must have come before it is used: without a length it may prove to
    /// be empty, or shorter than what is cached.
    func doubtfulBytes(of facts: ContentInformation) -> Int64 {
        guard facts.length == nil else { return 0 }
        guard let kept, !mayBeShorter(facts, isTold: false) else { return 1 }
        return min(kept.end, Self.mostDoubtful)
    }

    /// True if the answer may have fewer bytes than are cached, because its validator is not that of
    /// the cached bytes, or no more than a date; but not if neither ever had a length.
    private func mayBeShorter(_ facts: ContentInformation, isTold: Bool) -> Bool {
        let isDated = facts.etag == nil && facts.lastModified != nil
        return hasOwnValidator(facts) || isDated && (isTold || kept?.information.length != nil)
    }

    /// Refuses an answer that must not replace what is cached, or become the first that is; a length
    /// is not told if only the end of the body has shown it.
    func refuseUnproven(
        _ facts: ContentInformation, isKnown: Bool, isTold: Bool = true
    ) throws(DownloadError) {
        guard !isKnown else { return }
        if facts.length == 0, kept != nil || facts.validator == nil {
            throw .notTheVideo(url: url, answer: .empty)
        }
        if let kept, let length = facts.length, length < kept.end, length != toldLength,
            !mayBeShorter(facts, isTold: isTold)
        {
            throw .notTheVideo(url: url, answer: .shorter(bytes: length, kept: kept.end))
        }
        if isOfOtherKind(facts) {
            throw .notTheVideo(url: url, answer: .otherKind(type: facts.mimeType ?? ""))
        }
    }

    /// True if the answer certainly is no video, although the cached one is, or the address is one's.
    func isOfOtherKind(_ facts: ContentInformation) -> Bool {
        let kind = MediaKind(contentType: facts.mimeType)
        if let type = (kept?.information ?? known)?.mimeType {
            return kind.cannotFollow(MediaKind(contentType: type))
        }
        if kept != nil { return kind.cannotFollow(.other) }
        // Servers that know no types call every file text.
        return kind != .text && kind.cannotFollow(MediaKind(address: url) ?? kind)
    }
}
