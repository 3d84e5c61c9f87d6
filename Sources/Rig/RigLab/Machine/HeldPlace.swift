internal import Glibc
internal import RigModel
internal import SystemPackage

/// A file or folder of the rig's own that stays open, so that another under its name, such as that
/// of another run, is not taken for it: the system gives its number to no other meanwhile.
final class HeldPlace: Sendable {
    let path: String
    let file: FileDescriptor
    /// What the message about its loss names.
    private let name: String

    /// Takes over an open file, and closes it in the end.
    init(_ file: FileDescriptor, at path: String, named name: String) {
        (self.path, self.file, self.name) = (path, file, name)
    }

    /// Opens a folder; throws ``RigError`` with exit code 70 when that fails.
    convenience init(_ folder: String) throws(RigError) {
        let file = try SystemFailure.explained("cannot open \(folder)") {
            try folder.opened(.readOnly, .directory)
        }
        self.init(file, at: folder, named: folder)
    }

    deinit { try? file.close() }

    /// False once the path leads to nothing or to something else.
    var isThere: Bool { Self.leads(path, to: file) }

    /// The error, with exit code 70, that ends work whose place is gone; nil while it is there.
    var loss: RigError? {
        guard !isThere else { return nil }
        let how =
            path.fileFacts == nil
            ? "was removed or moved while the rig worked in it"
            : "was removed while the rig worked in it, and another is there now"
        return RigError.failure(
            "\(name) \(how), so what workers did since shows nothing; run it again, and leave the"
                + " folder alone until the end")
    }

    static func leads(_ path: String, to file: FileDescriptor) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(file.rawValue, &opened) == 0 && stat(path, &named) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }
}
