#if canImport(Darwin)
    internal import Darwin

    extension OpenFile {
        /// Does nothing: the space is free when the video's last chunk goes.
        func punchHole(_ range: ByteRange) throws(CacheError) {}

        /// Waits until the file is on the disk; 0 when it is.
        func syncData() -> Int32 { fsync(descriptor) }

        /// Nil: nobody can tell.
        func life() -> [UInt8]? { nil }
    }

    /// Which start of the machine this is.
    enum MachineStart {
        /// Nil: nobody can tell, so that every launch looks at all files.
        static func identity() -> [UInt8]? { nil }
    }
#endif
