/// Why a fault of the origin had no effect at a relaunch: the kill says nothing about the fault.
package enum IdleFault: String, Sendable, Hashable, Codable, CaseIterable {
    /// The fault is about ranges, and the program asked for none.
    case noRange = "no-range"
    /// The fault is about If-Range, and the program sent none.
    case noIfRange = "no-if-range"
    /// No answer was one that the fault changes, or the client had gone before.
    case notReached = "not-reached"

    package var words: String {
        switch self {
        case .noRange: "it never asked for a range"
        case .noIfRange: "it never sent If-Range"
        case .notReached: "the fault took effect in no answer"
        }
    }
}
