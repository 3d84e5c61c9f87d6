internal import Glibc
internal import RigModel
internal import Synchronization
internal import SystemPackage

/// The full disk that a worker meets from a planned moment until it has ended.
///
/// A file beside the worker's folder takes all room that is left on its volume: the disk is as full
/// as a real one, also for mapped memory (SIGBUS), `io_submit` and io_uring.
final class FullDisk: Sendable {
    private let folder: String
    private var path: String { "\(folder)/filler" }
    private let outcome = Mutex<Result<Void, any Error>?>(nil)

    init(on volume: PowerCutVolume) { folder = volume.folder }

    func arming(_ worker: LivingWorker) -> LivingWorker {
        var armed = worker
        armed.fillDisk = fill
        return armed
    }

    /// The most that is taken at once, and the least: the smallest block, which small volumes have.
    private static let pieces = (most: off_t(1) << 30, least: off_t(1024))

    /// False if it cannot be filled; why, ``giveBack()`` tells.
    @Sendable private func fill() -> Bool {
        outcome.withLock { outcome in
            do {
                let file = try path.opened(.writeOnly, .create)
                defer { try? file.close() }
                var (end, piece) = (off_t(0), Self.pieces.most)
                while piece >= Self.pieces.least {
                    let code = posix_fallocate(file.rawValue, end, piece)
                    switch code {
                    case 0: end += piece
                    case ENOSPC, EDQUOT, EFBIG: piece /= 2
                    case EINTR: continue
                    default: throw Errno(rawValue: code)
                    }
                }
                outcome = .success(())
                return true
            } catch {
                outcome = .failure(error)
                return false
            }
        }
    }

    /// Gives the room back, once the worker has ended; throws why the disk could not be filled.
    func giveBack() throws {
        do {
            guard let outcome = outcome.withLock({ $0 }) else { return }
            try outcome.get()
            guard unlink(path) == 0 else { throw Errno(rawValue: errno) }
            // Until the journal is committed, a program that asks for the room left is told none.
            try VolumeMount.sync(folder)
        } catch {
            throw PowerCutVolume.failure("fill the disk by \(path), and empty it again", error)
        }
    }
}
