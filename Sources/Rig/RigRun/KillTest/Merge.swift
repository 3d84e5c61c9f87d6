internal import RigLab
package import RigModel
internal import RigReport
package import RigVerdict

/// Merges parts into a regular run folder, and judges it.
package enum Merge {
    /// The folders are of parts, or parts, of which there have to be as many as `expected` or as they
    /// say; the whole goes to `out`, or to the only folder named.
    package static func run(
        _ folders: [String], expected: Int?, out: String?, gates: [Gate]?,
        references: ReferencePaths, json: Bool, console: Console
    ) throws -> ExitStatus {
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
        let folder = try target(out, search.named.isEmpty ? folders : [], join)
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

    private static func target(
        _ out: String?, _ folders: [String], _ join: PartsJoin
    ) throws -> RunFolder {
        let common = folders.count == 1 ? PartsSearch.withoutEnd(folders[0]) : nil
        guard let path = out ?? common else {
            throw RigError(
                .usage, "parts from several places have no folder in common; name one with --out")
        }
        guard let text = try (try? RunFolder(existing: path))?.text(of: "manifest.json") else {
            return try out == nil ? RunFolder(existing: path) : RunFolder(creating: path)
        }
        guard let earlier = try? ManifestJSON.read(text), earlier.parts != nil,
            PartContradiction(earlier, join.manifest) == nil
        else {
            throw RigError.usage(
                "\(path) holds another run, which would be overwritten; name a new folder with --out"
            )
        }
        return try RunFolder(existing: path)
    }

    private static func write(
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
    private static func replayTexts(_ evidence: RunFolder, run path: String) throws -> [String:
        String]
    {
        guard let text = try evidence.text(of: "plan.json"),
            let kill = try? StoredKillJSON.read(text)
        else { return [:] }
        return ["replay.txt": kill.replayText(folder: path)]
    }
}
