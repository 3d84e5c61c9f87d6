internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The unguessable first part of every path that a proxy serves.
///
/// Pages of other sites, and other users of the machine, can reach a proxy's port, and make it
/// fetch addresses of this network. Only those who were given the key can.
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

    /// The key that is kept in a folder; made up at the first use.
    ///
    /// A proxy that is started again then has the same address, and its players can go on. If the
    /// folder cannot be written, for example because the disk is full, the key is a new one.
    ///
    /// - Parameter folder: an existing folder, for example the cache's.
    public init(keptIn folder: String) {
        let file = URL(fileURLWithPath: folder).appendingPathComponent("proxy-key").path
        if let kept = Self(file: file) {
            self = kept
            return
        }
        self.init()
        let new = "\(file).\(getpid())"
        let isWritten = FileManager.default.createFile(
            atPath: new, contents: Data("\(text)\n".utf8), attributes: [.posixPermissions: 0o600])
        defer { unlink(new) }
        guard isWritten, Self(file: new) == self else { return }
        // A link never replaces the key of a proxy that has started at the same time.
        if link(new, file) != 0 {
            if let other = Self(file: file) {
                self = other
            } else {
                // What a power cut left of a key.
                rename(new, file)
            }
        }
    }

    private init?(file: String) {
        guard let data = FileManager.default.contents(atPath: file), data.last == 0x0A,
            data.count == Self.length + 1,
            data.dropLast().allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        text = String(decoding: data.dropLast(), as: UTF8.self)
    }
}
