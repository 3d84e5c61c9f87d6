internal import Foundation
internal import RigLab
package import RigModel
internal import RigReport
package import RigVerdict

/// Merges parts into a regular run folder, and judges it.
package struct Merge {
    /// Folders of parts, or parts.
    private let folders: [String]
    /// The number of parts there have to be; nil for as many as the parts say.
    private let expected: Int?
    /// The folder of the whole run; nil for the only one named.
    private let out: String?
    private let gates: [Gate]?
    /// Where the runs lie that gates compare with, unless it is where they were.
    private let references: ReferencePaths
    private let json: Bool
    private let console: Console

    package init(
        _ folders: [String], expected: Int?, out: String?, gates: [Gate]?,
        references: ReferencePaths, json: Bool, console: Console
    ) {
        (self.folders, self.expected, self.out, self.gates) = (folders, expected, out, gates)
        (self.references, self.json, self.console) = (references, json, console)
    }

    package func run() throws -> ExitStatus {
        let search = try PartsSearch(folders, console: console)
        for path in search.unfinished {
            console.note(
                "rig: \(path) is unfinished, so it is not used; finish it with rig resume "
                    + "\(ShellWord.quoted(path)), or remove it")
        }
        let join = try PartsJoin(search.parts.map(\.part), expected: expected)
        let criteria = try Criteria(of: join.manifest, given: gates, references)
        try criteria.check(join.manifest)
        let summary = try criteria.summary(of: join.manifest, join.rows)
        let folder = try target(search, join)
        defer { folder.removeIfEmpty() }
        let run = ReportedRun(
            manifest: join.manifest, rows: join.rows, summary: summary, folder: folder.path)
        try write(run, parts: join.parts, from: search, to: folder)
        console.result(run, json: json)
        run.publish(by: console)
        console.note(
            "rig: merged \(join.parts.count.counted("part")), \(join.rows.count) rows in "
                + "\(folder.path)/iterations.csv")
        return summary.status
    }

    private func target(_ search: PartsSearch, _ join: PartsJoin) throws -> RunFolder {
        let path: String
        if let out {
            path = out
        } else if folders.count == 1, search.named.isEmpty {
            path = PartsSearch.withoutEnd(folders[0])
        } else {
            throw RigError(
                .usage, "parts from several places have no folder in common; name one with --out")
        }
        guard let text = try (try? RunFolder(existing: path))?.text(of: "manifest.json") else {
            return try out == nil ? RunFolder(existing: path) : RunFolder(creating: path)
        }
        guard let earlier = try? ManifestJSON.read(text), earlier.parts != nil,
            PartContradiction(earlier, join.manifest) == nil
        else {
            throw RigError(
                .usage,
                "\(path) holds another run, which would be overwritten; name a new folder with --out"
            )
        }
        return try RunFolder(existing: path)
    }

    private func write(
        _ run: ReportedRun, parts: [FoundPart], from search: PartsSearch, to folder: RunFolder
    ) throws {
        let used = Set(parts.map(\.name))
        let sources = search.parts.filter { used.contains($0.part.name) }.map(\.folder)
        try folder.replaceEvidence(from: sources) { evidence in
            try replayTexts(evidence, run: folder.path)
        }
        for source in sources { try folder.keepVideo(of: source) }
        try folder.write(IterationsCSV.text(run.rows), to: "iterations.csv")
        try folder.write(try ManifestJSON.text(run.manifest), to: "manifest.json")
        try run.write(to: folder)
    }

    /// The replay command in terms of the whole run, since the part's own folder may be gone later.
    private func replayTexts(_ evidence: RunFolder, run path: String) throws -> [String: String] {
        guard let text = try evidence.text(of: "plan.json"),
            let kill = try? StoredKillJSON.read(text)
        else { return [:] }
        return ["replay.txt": kill.replayText(folder: path)]
    }
}
