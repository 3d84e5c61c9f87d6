#if canImport(Darwin)
    internal import Darwin

    extension OpenFile {
        // Of `lseek`: the next byte that was written, and the next hole.
        static let (seekData, seekHole): (Int32, Int32) = (4, 3)

        /// Does nothing: the space is freed with the video's last chunk.
        func punchHole(_ range: ByteRange) throws(CacheError) {}

        func syncData() -> Int32 { fsync(descriptor) }

        func identity() -> [UInt8]? {
            var facts = stat()
            guard fstat(descriptor, &facts) == 0 else { return nil }
            let birth = facts.st_birthtimespec
            let numbers = [
                Int64(truncatingIfNeeded: facts.st_ino), Int64(birth.tv_sec), Int64(birth.tv_nsec),
            ]
            return numbers.withUnsafeBytes { Array($0) }
        }

        /// Nil: not available on this system.
        func mounted() -> [UInt8]? { nil }
    }

    enum MachineBoot {
        /// Nil: not available on this system, so every launch examines all files.
        static func identity() -> [UInt8]? { nil }
    }
#endif
