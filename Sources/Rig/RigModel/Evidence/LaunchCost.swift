/// What the launch that was killed had cost by its death; nil means that nothing tells.
package struct LaunchCost: Sendable, Hashable, Codable {
    /// Bytes that it handed to the kernel by calls that write, into whatever.
    package var writtenBytes: Int64?
    /// Calls that write; of a traced launch, those that change files below its state.
    package var writes: Int?
    /// Calls that sync files; only a tracer counts them.
    package var syncs: Int?
    /// Processor time in seconds, its own and the kernel's for it.
    package var processorSeconds: Double?

    package init(
        writtenBytes: Int64? = nil, writes: Int? = nil, syncs: Int? = nil,
        processorSeconds: Double? = nil
    ) {
        (self.writtenBytes, self.writes, self.syncs) = (writtenBytes, writes, syncs)
        self.processorSeconds = processorSeconds
    }
}
