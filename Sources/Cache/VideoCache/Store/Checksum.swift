internal import CXXHash

/// The checksum that is stored with every chunk.
package enum Checksum {
    /// The XXH3-64 checksum of the bytes.
    package static func xxh3(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        XXH3_64bits(bytes.baseAddress, bytes.count)
    }
}
