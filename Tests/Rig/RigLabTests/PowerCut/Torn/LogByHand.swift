import SyscallTracer

@testable import RigLab

/// A handmade storage log, in which a letter stands for a sector full of it.
struct LogByHand {
    private var kinds: [(kind: StorageOperation.Kind, isThere: Bool, returned: Bool)] = []
    private var files: [String: FileID] = [:]

    static let sector: Int64 = 512

    var log: StorageLog {
        StorageLog(
            operations: kinds.enumerated().map { index, item in
                StorageOperation(
                    ordinal: index + 1, threadID: item.isThere ? 0 : 7, returned: item.returned,
                    kind: item.kind)
            })
    }

    /// A file that existed before the program started.
    func existing(_ path: String, _ letters: String) -> Self {
        existing(path, bytes: Self.sectors(letters))
    }

    /// The same by its bytes.
    func existing(_ path: String, bytes: [UInt8]) -> Self {
        var next = self
        let file = next.number(path)
        next.kinds.append((.existing(path: path, file: file, bytes: bytes), true, true))
        return next
    }

    func create(_ path: String) -> Self {
        var next = self
        let file = next.number(path)
        next.kinds.append((.create(path: path, file: file), false, true))
        return next
    }

    func write(_ path: String, _ letters: String, at sector: Int64 = 0) -> Self {
        bytes(path, Self.sectors(letters), at: sector * Self.sector)
    }

    func bytes(_ path: String, _ bytes: [UInt8], at offset: Int64) -> Self {
        then(.write(file: file(path), offset: offset, bytes: bytes))
    }

    func truncate(_ path: String, to sectors: Int64) -> Self {
        then(.truncate(file: file(path), length: sectors * Self.sector))
    }

    func sync(_ path: String) -> Self { then(.syncFile(file: file(path), dataOnly: true)) }

    func syncFolder(_ path: String = ".") -> Self { then(.syncDirectory(path: path)) }

    /// Any other operation.
    func then(_ kind: StorageOperation.Kind) -> Self {
        var next = self
        next.kinds.append((kind, false, true))
        return next
    }

    /// The call of the last operation had not returned when the log ended.
    func inFlight() -> Self {
        var next = self
        next.kinds[next.kinds.count - 1].returned = false
        return next
    }

    /// The file that a path named first; renames do not change that.
    func file(_ path: String) -> FileID { files[path] ?? FileID(0) }

    private mutating func number(_ path: String) -> FileID {
        let file = FileID(UInt32(files.count + 1))
        files[path] = file
        return file
    }

    static func sectors(_ letters: String) -> [UInt8] {
        letters.utf8.flatMap { [UInt8](repeating: $0 == UInt8(ascii: "0") ? 0 : $0, count: 512) }
    }
}

extension CrashImage {
    /// The bytes of a file; nil if it does not exist.
    func bytes(of path: String) -> [UInt8]? {
        guard case .file(let file) = names.nodes[path] else { return nil }
        return contents[file].map { $0.bytes(0..<Int($0.size)) }
    }

    /// A file by one letter per sector, 0 for zeros; `-` if it does not exist.
    func letters(_ path: String) -> String {
        guard let bytes = bytes(of: path) else { return "-" }
        return stride(from: 0, to: bytes.count, by: 512).map { start in
            let sector = bytes[start..<min(start + 512, bytes.count)]
            guard let first = sector.first, sector.allSatisfy({ $0 == first }) else { return "?" }
            return first == 0 ? "0" : String(UnicodeScalar(first))
        }.joined()
    }
}

extension SparseBytes {
    /// The bytes of a range; zeros where nothing was written.
    func bytes(_ range: Range<Int>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(range.upperBound, Int(size)))
        for piece in pieces {
            let start = Int(piece.offset)
            bytes.replaceSubrange(start..<start + piece.bytes.count, with: piece.bytes)
        }
        return Array(bytes[range])
    }
}
