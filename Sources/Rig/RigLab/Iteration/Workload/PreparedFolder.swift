internal import Synchronization

/// Where `--prepare` has filled a folder, from which each iteration of a run begins; the run's
/// laboratories share it.
final class PreparedFolder: Sendable {
    private let place = Mutex<String?>(nil)

    /// Nil as long as it is not made.
    var path: String? {
        get { place.withLock { $0 } }
        set { place.withLock { $0 = newValue } }
    }
}
