internal import CFileSystem
internal import Glibc

/// The end of a child that has not been reaped yet, as a file descriptor to wait on.
struct ProcessEnding: ~Copyable {
    /// Negative where the kernel provided none, as before Linux 5.3.
    private let descriptor: Int32

    init(of process: pid_t) { descriptor = process_open(process) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Sleeps for that many seconds, at least 0, or until the process has ended.
    func wait(atMost seconds: Double) {
        guard descriptor >= 0 else { return Pause.seconds(seconds) }
        descriptor_wait(descriptor, Int(seconds * 1e9))
    }
}
