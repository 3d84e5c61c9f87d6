/// How counted calls fail, in the place of a kill.
package struct FailureSettings: Sendable, Hashable {
    /// What becomes of the call.
    package enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case eio, enospc, edquot, emfile
        case shortWrite = "short-write"
        case shortRead = "short-read"
        case fsyncEIO = "fsync-eio"
        case closeEIO = "close-eio"
        case renameEIO = "rename-eio"
        case slow
    }

    /// Which of the counted calls after the first one fail as well.
    package enum Repetition: Sendable, Hashable {
        case none
        case all
        /// Each n-th.
        case every(Int)
    }

    package let kind: Kind
    package let repetition: Repetition
    /// A pattern of paths, as of a shell, whose calls are counted; nil for all.
    package let pattern: String?

    package init(_ kind: Kind, repetition: Repetition = .none, pattern: String? = nil) {
        self.kind = kind
        self.repetition = repetition
        self.pattern = pattern
    }

    /// Whether a call so many counted calls after the first failure fails as well.
    func repeats(after distance: Int) -> Bool {
        switch repetition {
        case .none: false
        case .all: true
        case .every(let step): distance.isMultiple(of: step)
        }
    }
}
