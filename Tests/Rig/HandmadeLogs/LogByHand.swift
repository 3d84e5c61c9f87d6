package import StorageModel

/// A handmade storage log, in which a letter stands for a sector full of it.
package struct LogByHand: Sendable {
    private var kinds: [(kind: StorageOperation.Kind, isThere: Bool, returned: Bool)] = []
    private var files: [String: FileID] = [:]

    package init() {}

    /// The bytes that a letter stands for.
    package static let sector: Int64 = 512

    /// The log of everything so far.
    package var log: StorageLog {
        StorageLog(
            operations: kinds.enumerated().map { index, item in
                StorageOperation(
                    ordinal: index + 1, threadID: item.isThere ? 0 : 7, returned: item.returned,
                    kind: item.kind)
            })
    }

    /// A file that existed before the program started.
    package func existing(_ path: String, _ letters: String) -> Self {
        existing(path, bytes: Self.sectors(letters))
    }

    /// The same by its bytes.
    package func existing(_ path: String, bytes: [UInt8]) -> Self {
        var next = self
        let file = next.number(path)
        next.kinds.append((.existing(path: path, file: file, bytes: bytes), true, true))
        return next
    }

    /// A new file.
    package func create(_ path: String) -> Self {
        var next = self
        let file = next.number(path)
        next.kinds.append((.create(path: path, file: file), false, true))
        return next
    }

    /// Letters written from a sector on.
    package func write(_ path: String, _ letters: String, at sector: Int64 = 0) -> Self {
        bytes(path, Self.sectors(letters), at: sector * Self.sector)
    }

    /// Bytes written at an offset.
    package func bytes(_ path: String, _ bytes: [UInt8], at offset: Int64) -> Self {
        then(.write(file: file(path), offset: offset, bytes: bytes))
    }

    /// A length in sectors.
    package func truncate(_ path: String, to sectors: Int64) -> Self {
        then(.truncate(file: file(path), length: sectors * Self.sector))
    }

    /// fdatasync of a file.
    package func sync(_ path: String) -> Self { then(.syncFile(file: file(path), dataOnly: true)) }

    /// fsync of a folder.
    package func syncFolder(_ path: String = ".") -> Self { then(.syncDirectory(path: path)) }

    /// Any other operation.
    package func then(_ kind: StorageOperation.Kind) -> Self {
        var next = self
        next.kinds.append((kind, false, true))
        return next
    }

    /// The call of the last operation had not returned when the log ended.
    package func inFlight() -> Self {
        var next = self
        next.kinds[next.kinds.count - 1].returned = false
        return next
    }

    /// The file that a path named first; renames do not change that.
    package func file(_ path: String) -> FileID { files[path] ?? FileID(0) }

    private mutating func number(_ path: String) -> FileID {
        let file = FileID(UInt32(files.count + 1))
        files[path] = file
        return file
    }

    /// The bytes that letters stand for.
    package static func sectors(_ letters: String) -> [UInt8] {
        letters.utf8.flatMap { [UInt8](repeating: $0 == UInt8(ascii: "0") ? 0 : $0, count: 512) }
    }
}

extension CrashImage {
    /// The bytes of a file; nil if it does not exist.
    package func bytes(of path: String) -> [UInt8]? {
        guard case .file(let file) = names.nodes[path] else { return nil }
        return contents[file].map { $0.bytes(0..<Int($0.size)) }
    }

    /// A file by one letter per sector, 0 for zeros; `-` if it does not exist.
    package func letters(_ path: String) -> String {
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
    package func bytes(_ range: Range<Int>) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(range.upperBound, Int(size)))
        for piece in pieces {
            let start = Int(piece.offset)
            bytes.replaceSubrange(start..<start + piece.bytes.count, with: piece.bytes)
        }
        return Array(bytes[range])
    }
}
