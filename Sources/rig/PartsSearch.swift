internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

/// The parts of a run that lie in some folders.
///
/// They are looked for in the folders named, right below them, and one level deeper, where a CI
/// system unpacks what its jobs have uploaded.
struct PartsSearch {
    /// Parts that are whole, each folder once.
    private(set) var parts: [(part: FoundPart, folder: RunFolder)] = []
    /// Folders of parts that nobody has finished.
    private(set) var unfinished: [String] = []
    /// Those of the folders named that are parts themselves.
    private(set) var named: [String] = []
    private var seen: Set<String> = []
    private let console: Console

    /// Folders of a run that hold something else than parts.
    private static let others: Set<String> = ["evidence", "scratch"]
    private static let depth = 2

    /// Looks for parts.
    ///
    /// - Throws: ``RigError`` with exit code 65 for a folder that is not there, that is a run of its
    ///   own, or a part that cannot be read.
    init(_ folders: [String], console: Console) throws {
        self.console = console
        for path in folders.map(Self.withoutEnd) {
            let folder = try RunFolder(existing: path)
            if PartFolder.isUnfinished(URL(fileURLWithPath: folder.realPath).lastPathComponent) {
                unfinished.append(path)
            } else if try take(folder, isNamed: true) {
                named.append(path)
            } else {
                try look(below: folder, depth: Self.depth)
            }
        }
    }

    /// A path as others are joined to it.
    static func withoutEnd(_ path: String) -> String {
        var path = Substring(path)
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return String(path)
    }

    private mutating func look(below folder: RunFolder, depth: Int) throws {
        for name in try folder.subfolders() where !Self.others.contains(name) {
            let path = "\(folder.path)/\(name)"
            if PartFolder.isUnfinished(name) {
                unfinished.append(path)
                continue
            }
            let child = try RunFolder(existing: path)
            if try !take(child, isNamed: false), depth > 1, !name.hasPrefix(".") {
                try look(below: child, depth: depth - 1)
            }
        }
    }

    /// Takes a folder if it is a part.
    ///
    /// - Returns: whether it is a run of any kind, below which there is nothing to look for.
    private mutating func take(_ folder: RunFolder, isNamed: Bool) throws -> Bool {
        guard let text = try folder.text(of: "manifest.json") else { return false }
        let stored = try StoredRun(folder.path)
        // What was merged before lies among its parts.
        if stored.manifest.parts != nil { return false }
        guard stored.manifest.partition != nil else {
            guard isNamed else {
                console.note("rig: \(folder.path) is a whole run, not a part: left out")
                return true
            }
            throw RigError(
                .data,
                "\(folder.path) is a whole run, which has nothing to be merged with; name the folder "
                    + "of the parts")
        }
        guard seen.insert(folder.realPath).inserted else { return true }
        let rows = try stored.rows(console: console)
        let contents = [text, try folder.text(of: "iterations.csv") ?? ""]
        if let part = FoundPart(
            name: folder.path, manifest: stored.manifest, rows: rows, contents: contents)
        {
            parts.append((part, folder))
        }
        return true
    }
}
