struct CallCount: Sendable {
    var byName: [String: Int] = [:]
    /// What it did to files by other means, in words.
    var unseen: [String] = []

    var all: Int { byName.values.reduce(0, +) }
}
