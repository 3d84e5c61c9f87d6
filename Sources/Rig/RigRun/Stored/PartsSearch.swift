internal import Foundation
internal import RigLab
internal import RigModel
internal import RigVerdict

/// Parts in the named folders and two levels below: CI systems unpack uploads one level deeper.
package struct PartsSearch {
    /// Complete parts, each folder once.
    private(set) var parts: [(part: FoundPart, folder: RunFolder)] = []
    private(set) var unfinished: [String] = []
    /// The named folders that are parts themselves.
    private(set) var named: [String] = []
    private var seen: Set<String> = []
    private let console: Console

    /// Folders of a run that do not hold parts.
    private static let others: Set<String> = ["evidence", "scratch"]
    private static let depth = 2

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

    /// True for a folder that holds parts, finished or not, and is no part or other run itself.
    package static func hasParts(below path: String) throws -> Bool {
        guard let folder = try? RunFolder(existing: withoutEnd(path)) else { return false }
        if try folder.text(of: "manifest.json") != nil,
            try StoredRun(folder.path).manifest.parts == nil
        {
            return false
        }
        let search = try PartsSearch([path], console: .silent)
        return !search.parts.isEmpty || !search.unfinished.isEmpty
    }

    /// A path without trailing slashes, for appending names.
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

    /// Adds a folder if it is a part; true for any run, below which no parts are searched.
    private mutating func take(_ folder: RunFolder, isNamed: Bool) throws -> Bool {
        guard let text = try folder.text(of: "manifest.json") else { return false }
        let stored = try StoredRun(folder.path)
        // An earlier merge result can lie among its parts.
        if stored.manifest.parts != nil { return false }
        guard stored.manifest.partition != nil else {
            guard isNamed else {
                console.note("rig: \(folder.path) is a whole run, not a part: left out")
                return true
            }
            throw RigError.data(
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
