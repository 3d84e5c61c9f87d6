internal import CPtrace
internal import Glibc

extension Scope {
    /// What a call gives other attributes; nil for anything but a file or a folder in scope.
    func attributes(_ call: SystemCall) -> CallTarget? {
        let descriptor = call.attributedDescriptor
        let path =
            descriptor.map { Tracee.path(ofDescriptor: $0, in: call.thread) }
            ?? call.attributedPath
        guard let path, contains(path) else { return nil }
        let place = descriptor.map { "/proc/\(call.thread)/fd/\($0)" } ?? path
        guard let status = Tracee.status(place, following: descriptor != nil),
            [S_IFREG, S_IFDIR].contains(status.mode & S_IFMT)
        else { return nil }
        return .attributes(path: path, place: place, status: status)
    }
}

extension SystemCall {
    /// The descriptor of the file whose attributes are set; nil where a path names it.
    fileprivate var attributedDescriptor: Int32? {
        switch kind {
        case .fchmod, .fchown, .fsetxattr, .fremovexattr: word(0)
        case .utimensat where arguments[1] == 0, .futimesat where arguments[1] == 0: word(0)
        // AT_EMPTY_PATH, 0x1000.
        case .fchmodat2 where word(3) & 0x1000 != 0, .fchownat where word(4) & 0x1000 != 0: word(0)
        default: nil
        }
    }

    fileprivate var attributedPath: String? {
        switch kind {
        case .chmod, .chown, .utime, .utimes, .setxattr, .removexattr: path(0, following: true)
        case .lchown, .lsetxattr, .lremovexattr: path(0)
        case .fchmodat, .futimesat: path(1, from: word(0), following: true)
        case .fchmodat2, .utimensat:
            path(1, from: word(0), following: word(3) & AT_SYMLINK_NOFOLLOW == 0)
        case .fchownat: path(1, from: word(0), following: word(4) & AT_SYMLINK_NOFOLLOW == 0)
        default: nil
        }
    }
}
