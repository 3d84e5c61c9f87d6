/// A schedule for a request over TLS, which takes whole records off the socket (B1).
///
/// The TLS library keeps what is left of a record when less is read. These bytes have been received
/// and are in no buffer of the request: with a threshold of 32 KB, a kill lost up to 14 KB more.
struct EncryptedSchedule: SaveSchedule {
    /// The longest text of a record in bytes (RFC 8446, 5.1).
    static let recordSize = 16 << 10

    private let base: any SaveSchedule

    /// The schedule of a response; `base` is the one without TLS.
    static func schedule(
        _ base: any SaveSchedule, of head: HTTPResponseHead, url: String
    ) -> any SaveSchedule {
        head.isEncrypted ?? HTTPRequest.isEncrypted(url) ? Self(base: base) : base
    }

    var readSize: Int { base.readSize }
    var capacity: Int? { base.capacity }

    func shouldSave(unsaved: Int) -> Bool {
        base.shouldSave(unsaved: unsaved + max(0, Self.recordSize - base.readSize))
    }
}
