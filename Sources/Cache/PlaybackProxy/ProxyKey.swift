internal import Foundation

/// The unguessable first part of every path that a proxy serves.
///
/// Pages of other sites can reach a proxy's port, and make it fetch addresses of this network. Only
/// those who were given the key can. Other users of the machine see it in the command line of a
/// player that was started with an address.
public struct ProxyKey: Sendable, Hashable {
    /// The number of characters: 128 random bits as hexadecimal digits.
    static let length = 32

    /// The key, as it stands in a path.
    public let text: String

    /// Makes up a key.
    public init() {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<Self.length / 2).map { _ in UInt8.random(in: 0...255, using: &random) }
        text = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The key that is kept in a folder, in the file `proxy-key`; made up at the first use.
    ///
    /// A proxy that is started again on the same port then has the same address, and its players can
    /// go on. If the folder cannot be written, for example because the disk is full, the key is a
    /// new one.
    ///
    /// - Parameter folder: an existing folder, for example the cache's.
    public init(keptIn folder: String) {
        let file = "\(folder)/proxy-key"
        if let kept = Self(file: file) {
            self = kept
            return
        }
        self.init()
        let new = "\(file).\(ProxyKey().text)"
        guard write(to: new) else { return }
        defer { unlink(new) }
        // A link never replaces the key of a proxy that has started at the same time.
        if link(new, file) != 0 {
            if let other = Self(file: file) {
                self = other
            } else {
                // What a power cut left of a key, or one that others could read.
                rename(new, file)
            }
        }
    }

    /// Reads a key that only its owner can read; nil if there is none.
    private init?(file: String) {
        let descriptor = open(file, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & 0o077 == 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.length + 2)
        let count = read(descriptor, &bytes, bytes.count)
        guard count == Self.length + 1, bytes[Self.length] == 0x0A else { return nil }
        let digits = bytes[..<Self.length]
        guard digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else {
            return nil
        }
        text = String(decoding: digits, as: UTF8.self)
    }

    /// Writes the key to a new file that only its owner can read.
    private func write(to file: String) -> Bool {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let bytes = Array("\(text)\n".utf8)
        return pwrite(descriptor, bytes, bytes.count, 0) == bytes.count
    }
}
