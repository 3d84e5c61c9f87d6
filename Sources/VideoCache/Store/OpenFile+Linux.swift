#if os(Linux)
    #if canImport(Glibc)
        internal import Glibc
    #elseif canImport(Musl)
        internal import Musl
    #endif

    extension OpenFile {
        private typealias Fallocate = @convention(c) (Int32, Int32, off_t, off_t) -> Int32

        // From linux/falloc.h, which Swift does not import, no more than the function itself.
        private static let keepSize: Int32 = 0x01
        private static let punchHole: Int32 = 0x02
        private static let fallocate: Fallocate? = dlsym(nil, "fallocate").map {
            unsafeBitCast($0, to: Fallocate.self)
        }

        /// Gives the range's blocks back to the file system; it reads as zeros afterwards.
        ///
        /// Does nothing where the file system has no holes: the space is then free when the
        /// video's last chunk goes.
        func punchHole(_ range: ByteRange) throws(CacheError) {
            guard let fallocate = Self.fallocate else { return }
            let done = fallocate(
                descriptor, Self.keepSize | Self.punchHole, off_t(range.offset),
                off_t(range.length))
            guard done == 0 || errno == EOPNOTSUPP || errno == ENOSYS else { throw failure() }
        }
    }

    /// Which start of the machine this is.
    enum MachineStart {
        /// Another text after each start; nil where nobody can tell.
        static func identity() -> [UInt8]? {
            guard let file = try? OpenFile("/proc/sys/kernel/random/boot_id", O_RDONLY) else {
                return nil
            }
            return try? file.read(ByteRange(offset: 0, length: 36))
        }
    }
#endif
