#if canImport(Darwin)
    internal import SystemPackage

    extension FileCopy {
        /// The bytes are copied by reading and writing them.
        static func share(
            _ from: FileDescriptor, with into: FileDescriptor, count: Int64
        ) throws -> Bool { false }
    }
#endif
