#if canImport(Darwin)
    internal import Darwin

    extension OpenFile {
        /// Does nothing: the space is free when the video's last chunk goes.
        func punchHole(_ range: ByteRange) throws(CacheError) {}
    }

    /// Which start of the machine this is.
    enum MachineStart {
        /// Nil: nobody can tell, so that every launch looks at all files.
        static func identity() -> [UInt8]? { nil }
    }
#endif
