#if canImport(Darwin)
    internal import Darwin

    extension OpenFile {
        /// Does nothing: the space is free when the video's last chunk goes.
        func punchHole(_ range: ByteRange) throws(CacheError) {}

        /// Waits until the file is on the disk; 0 when it is.
        func syncData() -> Int32 { fsync(descriptor) }

        /// The file's inode and the moment of its birth.
        func place() -> [UInt8]? {
            var facts = stat()
            guard fstat(descriptor, &facts) == 0 else { return nil }
            let birth = facts.st_birthtimespec
            let numbers = [
                Int64(truncatingIfNeeded: facts.st_ino), Int64(birth.tv_sec), Int64(birth.tv_nsec),
            ]
            return numbers.withUnsafeBytes { Array($0) }
        }

        /// Nil: nobody can tell.
        func life() -> [UInt8]? { nil }
    }

    /// Which start of the machine this is.
    enum MachineStart {
        /// Nil: nobody can tell, so that every launch looks at all files.
        static func identity() -> [UInt8]? { nil }
    }
#endif
