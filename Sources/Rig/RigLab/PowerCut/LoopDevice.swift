internal import CFileSystem
internal import Foundation
internal import SystemPackage

/// A loop device: its bytes are those of a file.
///
/// While it is open, the kernel gives it to no other process. Once it is neither open nor
/// mounted, it detaches from its file by itself.
struct LoopDevice: Sendable {
    /// Such as `/dev/loop0`.
    let path: String
    private let device: FileDescriptor

    private static let controlPath = "/dev/loop-control"

    static var areThere: Bool { FileManager.default.isReadableFile(atPath: controlPath) }

    /// Attaches an image to a free device; throws `Errno`.
    init(image path: String) throws {
        let control = try Self.controlPath.opened(.readWrite)
        defer { try? control.close() }
        let image = try path.opened(.readWrite)
        defer { try? image.close() }
        for _ in 0..<100 {
            let number = try Self.checked(loop_free_number(control.rawValue))
            let device = try "/dev/loop\(number)".opened(.readWrite)
            if loop_attach(device.rawValue, image.rawValue) == 0 {
                self.path = "/dev/loop\(number)"
                self.device = device
                return
            }
            let code = Errno(rawValue: errno)
            try? device.close()
            // Another process was given the same number, and was quicker.
            guard code == .resourceBusy else { throw code }
        }
        throw Errno.resourceBusy
    }

    /// Closes the device, which then detaches from its file unless it is mounted.
    func close() { try? device.close() }

    /// Drops the device's cache, as a machine does that loses its power; throws `Errno`.
    func dropCache() throws { _ = try Self.checked(device_drop_cache(device.rawValue)) }

    /// How many errors the file system on it has had since it was created; nil when not known.
    var fileSystemErrors: Int? {
        Self.line("/sys/fs/ext4/\(Self.name(path))/errors_count").flatMap { Int($0) }
    }

    // MARK: Devices of others

    /// The devices that have a file, with the file's path.
    static var attached: [(device: String, file: String)] {
        "/sys/block".names.filter { $0.hasPrefix("loop") }.sorted().compactMap { name in
            file(of: name).map { ("/dev/\(name)", $0) }
        }
    }

    private static func file(of name: String) -> String? {
        line("/sys/block/\(name)/loop/backing_file")
    }

    private static func name(_ path: String) -> String { (path as NSString).lastPathComponent }

    private static func line(_ path: String) -> String? {
        ProcessFacts.text(path)?.trimmingCharacters(in: .newlines)
    }

    /// Detaches a device from a file; does nothing when the device has another file by now.
    static func detach(_ path: String, from file: String) throws {
        let device = try path.opened(.readWrite)
        defer { try? device.close() }
        // While it is open it cannot be given another file.
        guard self.file(of: name(path)) == file else { return }
        guard loop_detach(device.rawValue) != 0 else { return }
        let code = Errno(rawValue: errno)
        guard code == .noSuchAddressOrDevice else { throw code }
    }

    private static func checked(_ result: Int32) throws -> Int32 {
        guard result >= 0 else { throw Errno(rawValue: errno) }
        return result
    }
}
