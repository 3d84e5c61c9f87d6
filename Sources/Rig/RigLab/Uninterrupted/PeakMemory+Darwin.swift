#if os(macOS)
    /// The peak memory of a process.
    enum PeakMemory {
        /// Not available on this system: the promise is not judged.
        static func bytes(of process: Int32) -> Int64? { nil }
    }
#endif
