#if os(Linux)
    internal import Foundation

    extension OpenFile {
        // Of `lseek`: the next byte that was written, and the next hole.
        static let (seekData, seekHole): (Int32, Int32) = (3, 4)

        private typealias Fallocate = @convention(c) (Int32, Int32, off_t, off_t) -> Int32

        // From linux/falloc.h, which Swift does not import; it does not import the function either.
        private static let keepSize: Int32 = 0x01
        private static let punchHole: Int32 = 0x02
        private static let fallocate: Fallocate? = dlsym(nil, "fallocate").map {
            unsafeBitCast($0, to: Fallocate.self)
        }

        /// Waits until the bytes, and a grown size, are on disk; returns 0 on success.
        ///
        /// The file's times are not synced, which may save a commit of the file system's journal.
        func syncData() -> Int32 { fdatasync(descriptor) }

        /// Gives the range's blocks back; without holes the video's last chunk does.
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

        // From linux/stat.h: the call, its arguments, and the positions of its results.
        private static let statx: Statx? = dlsym(nil, "statx").map {
            unsafeBitCast($0, to: Statx.self)
        }
        private static let emptyPath: Int32 = 0x1000
        private static let answerSize = 256
        private static let (inodePlace, birthPlace) = (32..<40, 80..<92)
        private static let deviceAndMountPlace = 136..<152

        /// The file's inode, its birth time, its device, and its mount.
        ///
        /// Mounts are numbered since boot. Nil if the system does not report all of them (Linux 6.8
        /// does). No other file ever gets the same values: not a copy, not a snapshot, which has a
        /// device of its own, and not the same file after its file system was mounted again.
        func mounted() -> [UInt8]? {
            guard let (told, answer) = ask(), told.isSuperset(of: [.inode, .birth, .mount]) else {
                return nil
            }
            return [Self.inodePlace, Self.birthPlace, Self.deviceAndMountPlace].flatMap {
                Array(answer[$0])
            }
        }

        /// The file's inode, and its birth time if the file system records it.
        func identity() -> [UInt8]? {
            guard let (told, answer) = ask(), told.contains(.inode) else { return nil }
            return Array(answer[Self.inodePlace])
                + (told.contains(.birth) ? Array(answer[Self.birthPlace]) : [])
        }

        private struct Told: OptionSet {
            let rawValue: UInt32
            static let inode = Self(rawValue: 0x100)
            static let birth = Self(rawValue: 0x800)
            static let mount = Self(rawValue: 0x4000)
        }

        private func ask() -> (told: Told, answer: [UInt8])? {
            guard let statx = Self.statx else { return nil }
            var answer = [UInt8](repeating: 0, count: Self.answerSize)
            let asked: Told = [.inode, .birth, .mount]
            let mask = answer.withUnsafeMutableBytes { memory -> UInt32? in
                guard let base = memory.baseAddress,
                    statx(descriptor, "", Self.emptyPath, asked.rawValue, base) == 0
                else { return nil }
                return memory.load(as: UInt32.self)
            }
            return mask.map { (Told(rawValue: $0), answer) }
        }
    }

    enum MachineBoot {
        /// A text that differs after each boot; nil if it is not available.
        static func identity() -> [UInt8]? {
            guard let file = try? OpenFile("/proc/sys/kernel/random/boot_id", O_RDONLY) else {
                return nil
            }
            return try? file.read(ByteRange(offset: 0, length: 36))
        }
    }
#endif
