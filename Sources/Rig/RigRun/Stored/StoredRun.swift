internal import Foundation
package import RigLab
package import RigModel
internal import RigReport
internal import RigVerdict

package struct StoredRun {
    package internal(set) var folder: RunFolder
    package let manifest: Manifest

    package init(_ path: String) throws {
        folder = try RunFolder(existing: Self.folderPath(path))
        guard let text = try folder.text(of: "manifest.json") else {
            throw RigError(.data, Self.objection(to: folder))
        }
        do {
            manifest = try ManifestJSON.read(text)
        } catch {
            throw RigError(
                .data, "cannot read \(folder.path)/manifest.json: \(error); restore it from a copy")
        }
    }

    /// Why a folder without a manifest is not a run, and what to name instead.
    private static func objection(to folder: RunFolder) -> String {
        let parts = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { FileManager.default.fileExists(atPath: "\(folder.path)/\($0)/manifest.json") }
            .sorted()
        if parts.contains(where: { $0.hasPrefix("part-") && $0.contains("-of-") }) {
            return "\(folder.path) holds the parts of one run; join them with rig judge "
                + ShellWord.quoted(folder.path)
        }
        guard let part = parts.first else {
            return "\(folder.path) has no manifest.json, so it is no run folder; name one that rig "
                + "wrote"
        }
        let whole =
            "\(folder.path)/audit.json".isFile
            ? "an audit, whose page is \(folder.path)/\(ReportFormat.page)"
            : "a self-check or of verify-claims"
        return
            "\(folder.path) holds the parts of \(whole), each a run of its own; name one of them, "
            + "such as \(folder.path)/\(part)"
    }

    /// The run's folder, also when its iterations.csv is named.
    static func folderPath(_ run: String) -> String {
        let file = URL(fileURLWithPath: run)
        guard file.lastPathComponent == "iterations.csv", run.isFile else { return run }
        let folder = run.parentFolder
        return folder.isEmpty ? "." : folder
    }

    /// The rows of the run, in the order of the file; exit code 65 when they cannot be read.
    package func rows(console: Console) throws -> [IterationRow] {
        // A run killed before its first row has no file yet, which is not damage.
        guard let bytes = try folder.bytes(of: "iterations.csv") else { return [] }
        return try Self.rows(in: bytes, file: "\(folder.path)/iterations.csv", console: console)
    }

    /// The same, of which each has to be a row of the run; exit code 65 when one is not.
    package func plannedRows(console: Console) throws -> [IterationRow] {
        let rows = try rows(console: console)
        try PlanCheck.check(rows, against: manifest)
        return rows
    }

    /// The rows of a file anywhere, in its order; exit code 65 when they cannot be read.
    static func rows(
        in bytes: some Sequence<UInt8>, file: String, console: Console
    ) throws -> [IterationRow] {
        do {
            let read = try IterationsCSV.read(bytes)
            if let line = read.tornLine {
                console.note(
                    "rig: line \(line) of \(file) is torn, as a killed rig leaves it; it does not "
                        + "count")
            }
            return read.rows
        } catch {
            throw error.rigError(file: file)
        }
    }
}

extension StoredRun {
    /// Where to continue, and how many bytes of the file of rows are kept.
    func resumePoint(console: Console) throws -> (point: ResumePoint, length: Int) {
        let bytes = try folder.bytes(of: "iterations.csv") ?? []
        // A rig killed while writing its first line leaves an incomplete header.
        let isBlank = IterationsCSV.header.utf8.starts(with: bytes)
        let point = try ResumePoint(isBlank ? [] : rows(console: console), of: manifest)
        let text = point.kept.isEmpty ? "" : IterationsCSV.text(point.kept)
        try RigError.require(
            bytes.starts(with: text.utf8), .data,
            "\(folder.path)/iterations.csv is not as the rig wrote it, though its figures are; "
                + "restore the file, or run again")
        return (point, text.utf8.count)
    }
}

package struct StoredRuns {
    package let listings: [RunListing]

    package init(in folder: String, console: Console) throws {
        let folder = PartsSearch.withoutEnd(folder)
        let files = FileManager.default
        let names: [String]
        do {
            names = try files.contentsOfDirectory(atPath: folder)
        } catch {
            throw RigError(
                .data, "there is no folder \(folder); name the one that run folders are in")
        }
        let paths = names.filter { !$0.hasPrefix(".") }
            .map { folder == "." ? $0 : "\(folder)/\($0)" }
            .filter { files.fileExists(atPath: "\($0)/manifest.json") }
            // The link `latest` leads to one of the others.
            .filter { (try? files.destinationOfSymbolicLink(atPath: $0)) == nil }
        listings = paths.map { Self.listing($0, console) }.sorted {
            ($1.manifest?.startedAt ?? "", $1.folder) < ($0.manifest?.startedAt ?? "", $0.folder)
        }
    }

    private static func listing(_ path: String, _ console: Console) -> RunListing {
        var manifest: Manifest?
        var rows: [IterationRow] = []
        // Asked before the rows are read: a run that ends in between would look cut short.
        let isRunning = (try? RunFolder(existing: path)).map(RunLock.isHeld) ?? false
        func entry(_ status: RigModel.ExitStatus?, _ reason: String? = nil) -> RunListing {
            RunListing(
                folder: path, manifest: manifest, rows: rows.count, status: status, reason: reason,
                isRunning: isRunning)
        }
        do {
            let stored = try StoredRun(path)
            manifest = stored.manifest
            rows = try stored.rows(console: console)
            if let partition = stored.manifest.partition {
                return entry(nil, "it is \(partition.words); rig judge takes all of them")
            }
            return entry(try status(of: stored.manifest, rows))
        } catch {
            return entry(nil, (error as? RigError)?.message ?? "\(error)")
        }
    }

    /// The exit code of `rig judge` without gates on the command line.
    static func status(
        of manifest: Manifest, _ rows: [IterationRow]
    ) throws -> RigModel.ExitStatus {
        let criteria = try Criteria(of: manifest)
        try PlanCheck.check(rows, against: manifest)
        return try criteria.summary(of: manifest, rows).status
    }
}
