/// The validators of what a server has, and what a request's conditions say of them (RFC 9110,
/// 13.1); dates are compared for equality only, as 13.1.5 demands of `If-Range`, which costs an
/// unnecessary body at worst for `If-Modified-Since`.
package struct Validators {
    private let etag: String?
    private let strongTag: String?
    private let lastModified: String?

    /// The strong tag is the entity tag, if that is one.
    package init(etag: String?, strongTag: String?, lastModified: String?) {
        (self.etag, self.strongTag, self.lastModified) = (etag, strongTag, lastModified)
    }

    /// False if `If-Match` asks for another version.
    package func isWanted(ifMatch list: String?) -> Bool {
        list.map { EntityTag.list($0, holds: strongTag, strongly: true) } ?? true
    }

    /// True if the client already has this version, so that the answer is 304.
    package func isUnchanged(ifNoneMatch list: String?, ifModifiedSince date: String?) -> Bool {
        if let list { return EntityTag.list(list, holds: etag, strongly: false) }
        return date != nil && date == lastModified
    }

    /// False if `If-Range` names another version, so that the answer is the whole.
    package func isRangeWanted(ifRange validator: String?) -> Bool {
        validator == nil || validator == strongTag || validator == lastModified
    }
}
