/// What a player is told about a video, and how sure that is.
package struct KnownVideo: Sendable, Hashable {
    package var information: ContentInformation
    /// Why the origin, which was to be asked, could not be; nil if it was, or need not be.
    package var unconfirmed: String?

    package init(information: ContentInformation, unconfirmed: String? = nil) {
        (self.information, self.unconfirmed) = (information, unconfirmed)
    }
}
