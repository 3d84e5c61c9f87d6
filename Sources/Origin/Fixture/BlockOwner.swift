/// Which video a fixture's block belongs to, and which version of it.
package struct BlockOwner: Sendable, Hashable {
    package let seed: UInt64
    /// 1, or 2 for the next version, in which every byte is the complement.
    package let version: Int

    package init(seed: UInt64, version: Int = 1) { (self.seed, self.version) = (seed, version) }

    /// The other version of the same video: the complement of its bytes.
    package var complement: BlockOwner { BlockOwner(seed: seed, version: 3 - version) }
}
