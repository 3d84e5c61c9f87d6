extension Sequence<IterationRow> {
    /// True if every kill that could cost something is known to have cost everything.
    package var startOver: Bool {
        let costly = filter { $0.receivedBytes != 0 }
        return !costly.isEmpty
            && costly.allSatisfy { $0.lostBytes != nil && $0.lostBytes == $0.receivedBytes }
    }
}
