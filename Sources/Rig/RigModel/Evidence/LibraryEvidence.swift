/// The list of videos on disk, identified by what the origin served.
package enum StoredList: Sendable, Hashable, Codable {
    case none
    /// Exactly the list of one generation: every video and every field, in order.
    case generation(Int)
    /// A list that the origin never served, such as a mixture; says how it differs.
    case unlike(String)
}

/// A file in the image folder that belongs to one of the origin's images.
package struct StoredImage: Sendable, Hashable, Codable {
    package let number: Int
    package let length: Int64
    package let differingBytes: Int64

    package init(number: Int, length: Int64, differingBytes: Int64) {
        (self.number, self.length, self.differingBytes) = (number, length, differingBytes)
    }
}

/// The library's folder at one point in time.
package struct LibraryAutopsy: Sendable, Hashable, Codable {
    /// What the database's own integrity check says; `ok` when nothing is wrong.
    package let integrityCheck: String
    package let list: StoredList
    package let images: [StoredImage]
    /// Names of files in the image folder that are not images of the origin.
    package let strangers: [String]

    package init(
        integrityCheck: String, list: StoredList, images: [StoredImage], strangers: [String]
    ) {
        (self.integrityCheck, self.list, self.images) = (integrityCheck, list, images)
        self.strangers = strangers
    }
}

/// What the workload `offline-library` shows beyond bytes.
package struct LibraryEvidence: Sendable, Hashable, Codable {
    /// The newest generation with a commit that had returned before the kill; 0 for none.
    package let acknowledgedList: Int
    /// The newest generation that the worker had received completely before the kill; 0 for none.
    package let receivedList: Int
    /// The images with a rename that had returned before the kill.
    package let acknowledgedImages: [Int]
    package let killed: LibraryAutopsy?
    /// The folder after a relaunch that refreshed once and ended; nil if unreadable.
    package let relaunched: LibraryAutopsy?
    package let servedAfterwards: Int
    package let imagesAfterwards: [Int]

    package init(
        acknowledgedList: Int, receivedList: Int, acknowledgedImages: [Int],
        killed: LibraryAutopsy?, relaunched: LibraryAutopsy?, servedAfterwards: Int,
        imagesAfterwards: [Int]
    ) {
        (self.acknowledgedList, self.receivedList) = (acknowledgedList, receivedList)
        (self.acknowledgedImages, self.killed) = (acknowledgedImages, killed)
        (self.relaunched, self.servedAfterwards) = (relaunched, servedAfterwards)
        self.imagesAfterwards = imagesAfterwards
    }
}
