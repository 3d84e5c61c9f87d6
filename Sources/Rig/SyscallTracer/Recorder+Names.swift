internal import CPtrace
internal import Glibc
internal import StorageModel

extension Recorder {
    /// What a call does that creates or removes a name.
    func onName(_ call: SystemCall, _ path: String) -> [StorageOperation.Kind] {
        switch call.kind {
        case .mkdir, .mkdirat: return [.makeDirectory(path: path)]
        case .symlink, .symlinkat:
            let target = Tracee.text(at: call.arguments[0], in: call.thread) ?? ""
            return [.symbolicLink(path: path, target: target)]
        case .rmdir: return [.removeDirectory(path: path)]
        case .unlinkat where call.word(2) & AT_REMOVEDIR != 0:
            return [.removeDirectory(path: path)]
        default: return [.remove(path: path)]
        }
    }

    func onNames(
        _ call: SystemCall, _ from: String, _ to: String, _ completion: inout Completion
    ) throws(StorageLogError) -> [StorageOperation.Kind] {
        if call.kind == .link || call.kind == .linkat {
            guard let status = Tracee.status(from) else { return [] }
            return [.link(file: try file(status, path: to), path: scope.relative(to))]
        }
        guard scope.contains(to) else { return [.remove(path: scope.relative(from))] }
        guard scope.contains(from) else {
            completion = .movedIn(path: to)
            return []
        }
        let (first, second) = (scope.relative(from), scope.relative(to))
        // RENAME_EXCHANGE is 2.
        if call.kind == .renameat2, call.word(4) & 2 != 0 { return [.exchange(first, second)] }
        return [.rename(from: first, to: second)]
    }
}
