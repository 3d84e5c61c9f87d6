package import RigModel

/// Every state that a power cut can leave of a short log, for comparing the model with real disks:
/// without torn sectors, which these never have, and of which one page would have 256 states.
package enum AllCrashStates {
    /// The states after a recorded life, as texts; nil when there are too many ways to them.
    package static func texts(after replay: StorageReplay) -> Set<String>? {
        states(after: replay).map { Set($0.map(\.text)) }
    }

    package static func images(of log: StorageLog, on disk: DiskModel) throws -> Set<CrashImage>? {
        states(after: try StorageReplay(of: log, on: disk))
    }

    private static let mostWays = 2_000_000

    private static func states(after replay: StorageReplay) -> Set<CrashImage>? {
        var found: Set<CrashImage> = []
        let isAll = Choices.inEveryWay(most: mostWays) { choices in
            found.insert(replay.afterCut(using: &choices))
        }
        return isAll ? found : nil
    }
}

extension CrashImage {
    /// Everything in it on one line, as harness/conformance/conform.py writes it.
    ///
    /// `d/` is a folder, `l->t` a symbolic link, `g==f` another name of f, and `f=A100+0412` a file
    /// by runs of bytes; attributes that are not those of most files follow in braces.
    var text: String {
        var named: [FileID: String] = [:]
        return paths.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }.compactMap
        { path -> String? in
            switch names.nodes[path] {
            case .folder: return "\(path)/\(folderAttributes[path]?.text(isFolder: true) ?? "")"
            case .symbolicLink(let target): return "\(path)->\(target)"
            case .file(let file):
                if let first = named[file] { return "\(path)==\(first)" }
                named[file] = path
                return "\(path)=\((contents[file] ?? SparseBytes()).runs)"
                    + (attributes[file]?.text(isFolder: false) ?? "")
            case nil: return nil
            }
        }.joined(separator: " ")
    }
}

extension SparseBytes {
    /// The bytes as runs, such as `A100+0412`; `empty` without any.
    var runs: String {
        var runs: [(letter: Character, count: Int64)] = []
        func add(_ byte: UInt8, _ count: Int64) {
            let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            let letter = byte == 0 ? "0" : isLetter ? Character(UnicodeScalar(byte)) : "?"
            if let last = runs.last, last.letter == letter {
                runs[runs.count - 1].count += count
            } else {
                runs.append((letter, count))
            }
        }
        var end: Int64 = 0
        for piece in pieces {
            if piece.offset > end { add(0, piece.offset - end) }
            for byte in piece.bytes { add(byte, 1) }
            end = piece.offset + Int64(piece.bytes.count)
        }
        if size > end { add(0, size - end) }
        return runs.isEmpty
            ? "empty" : runs.map { "\($0.letter)\($0.count)" }.joined(separator: "+")
    }
}
