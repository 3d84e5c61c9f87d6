#if canImport(Darwin)
    internal import SystemPackage

    extension FileCopy {
        /// Returns false: on this system the bytes are read and written.
        static func share(
            _ from: FileDescriptor, with into: FileDescriptor, count: Int64
        ) throws -> Bool { false }
    }
#endif
