internal import Dispatch

/// Runs blocking work outside the cooperative pool, which has two threads on two cores, both needed
/// by the origin.
func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        DispatchQueue(label: "rig.blocking", qos: .userInteractive).async {
            continuation.resume(returning: work())
        }
    }
}
