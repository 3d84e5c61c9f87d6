/// Why a fault of the origin had no effect at a relaunch: the kill says nothing about the fault.
package enum IdleFault: String, Sendable, Hashable, Codable, CaseIterable {
    case noRange = "no-range"
    case noIfRange = "no-if-range"
    case notReached = "not-reached"

    package var words: String {
        switch self {
        case .noRange: "it never asked for a range"
        case .noIfRange: "it never sent If-Range"
        case .notReached: "the fault took effect in no answer"
        }
    }
}
