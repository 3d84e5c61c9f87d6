/// What a traced program did to the files below a folder, in the order in which it took effect.
package struct StorageLog: Sendable, Hashable {
    /// The operations, without those that failed.
    package let operations: [StorageOperation]

    package init(operations: [StorageOperation]) {
        self.operations = operations
    }
}
