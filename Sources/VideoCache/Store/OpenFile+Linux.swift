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

        /// Waits until the bytes, and the size where it has grown, are on the disk; 0 when they are.
        ///
        /// The times of the file need not be, which spares a commit of the file system's journal
        /// where the bytes have their place already.
        func syncData() -> Int32 { fdatasync(descriptor) }

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

    extension OpenFile {
        private typealias Statx =
            @convention(c) (
                Int32, UnsafePointer<CChar>, Int32, UInt32, UnsafeMutableRawPointer
            ) -> Int32

        // From linux/stat.h: the call, what it is asked for, and where its answers lie.
        private static let statx: Statx? = dlsym(nil, "statx").map {
            unsafeBitCast($0, to: Statx.self)
        }
        private static let emptyPath: Int32 = 0x1000
        private static let inodeBirthAndMount: UInt32 = 0x100 | 0x800 | 0x4000
        private static let answerSize = 256
        private static let answers = [32..<40, 80..<92, 136..<152]

        /// The file's inode, the moment of its birth, its device, and which mount since the machine's
        /// start it lies on; nil where the system does not tell all of them (Linux 6.8 does).
        ///
        /// None is ever given a second time together with the others: not to a copy,
        /// not to a snapshot, which has a device of its own, and not to the same file after its file system was mounted again.
        func life() -> [UInt8]? {
            guard let statx = Self.statx else { return nil }
            var answer = [UInt8](repeating: 0, count: Self.answerSize)
            let mask = answer.withUnsafeMutableBytes { memory -> UInt32 in
                guard let base = memory.baseAddress,
                    statx(descriptor, "", Self.emptyPath, Self.inodeBirthAndMount, base) == 0
                else { return 0 }
                return memory.load(as: UInt32.self)
            }
            guard mask & Self.inodeBirthAndMount == Self.inodeBirthAndMount else { return nil }
            return Self.answers.flatMap { Array(answer[$0]) }
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
