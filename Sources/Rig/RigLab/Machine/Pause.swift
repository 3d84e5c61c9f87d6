internal import CFileSystem  // declares timespec where it is imported before Glibc
internal import Glibc

/// Blocking sleep, for dedicated threads.
enum Pause {
    static func seconds(_ seconds: Double) {
        guard seconds > 0 else { return }
        var time = timespec()
        time.tv_sec = Int(seconds)
        time.tv_nsec = Int((seconds - Double(Int(seconds))) * 1e9)
        nanosleep(&time, nil)
    }
}

extension Duration {
    package var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
