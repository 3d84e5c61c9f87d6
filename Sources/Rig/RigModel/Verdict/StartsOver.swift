extension Sequence<IterationRow> {
    /// True if every kill that could cost something has cost everything: the program starts over
    /// each time.
    ///
    /// False where that is not known of one of them.
    package var startOver: Bool {
        let costly = filter { $0.receivedBytes != 0 }
        return !costly.isEmpty
            && costly.allSatisfy { $0.lostBytes != nil && $0.lostBytes == $0.receivedBytes }
    }
}
