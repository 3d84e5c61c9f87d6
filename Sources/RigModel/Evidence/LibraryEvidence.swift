/// The list of videos as it lies on disk, told apart by what the origin served.
package enum StoredList: Sendable, Hashable, Codable {
    /// There is none.
    case none
    /// Exactly the list of one generation: every video, every field, in order.
    case generation(Int)
    /// A list that the origin never served: part of one, or a mixture of two; says how it differs.
    case unlike(String)
}

/// One file in the folder of images that belongs to an image of the origin.
package struct StoredImage: Sendable, Hashable, Codable {
    /// Which image of the plan, from 0.
    package let number: Int
    /// The length of the file in bytes.
    package let length: Int64
    /// Bytes unlike the origin's; missing and surplus ones count.
    package let differingBytes: Int64

    /// A file of an image.
    package init(number: Int, length: Int64, differingBytes: Int64) {
        self.number = number
        self.length = length
        self.differingBytes = differingBytes
    }
}

/// The library's folder at one moment.
package struct LibraryAutopsy: Sendable, Hashable, Codable {
    /// What the database's own integrity check says; `ok` when nothing is wrong.
    package let integrityCheck: String
    /// The list.
    package let list: StoredList
    /// The images, by their number.
    package let images: [StoredImage]
    /// Names of files in the folder of images that are none of the origin's images.
    package let strangers: [String]

    /// A look at the folder.
    package init(
        integrityCheck: String, list: StoredList, images: [StoredImage], strangers: [String]
    ) {
        self.integrityCheck = integrityCheck
        self.list = list
        self.images = images
        self.strangers = strangers
    }
}

/// What the workload `offline-library` shows beyond its bytes.
package struct LibraryEvidence: Sendable, Hashable, Codable {
    /// The newest generation whose commit had returned before the kill; 0 for none.
    package let acknowledgedList: Int
    /// The newest generation that the worker had received the whole of before the kill; 0 for none.
    package let receivedList: Int
    /// The images whose rename had returned before the kill.
    package let acknowledgedImages: [Int]
    /// The folder as the kill left it; nil when it could not be read.
    package let killed: LibraryAutopsy?
    /// The folder after a relaunch that refreshed once and ended; nil when it could not be read.
    package let relaunched: LibraryAutopsy?
    /// The generation that the relaunched worker was served.
    package let servedAfterwards: Int
    /// The images of that generation.
    package let imagesAfterwards: [Int]

    /// What was seen of a list and its images.
    package init(
        acknowledgedList: Int, receivedList: Int, acknowledgedImages: [Int],
        killed: LibraryAutopsy?, relaunched: LibraryAutopsy?, servedAfterwards: Int,
        imagesAfterwards: [Int]
    ) {
        self.acknowledgedList = acknowledgedList
        self.receivedList = receivedList
        self.acknowledgedImages = acknowledgedImages
        self.killed = killed
        self.relaunched = relaunched
        self.servedAfterwards = servedAfterwards
        self.imagesAfterwards = imagesAfterwards
    }
}
