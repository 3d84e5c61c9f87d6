internal import Foundation
internal import RigLab
package import RigModel
internal import RigVerdict

/// The runs stored in a folder, such as `results`.
package struct StoredRuns {
    /// One entry per run folder directly below the folder, the newest first.
    package let listings: [RunListing]

    /// Reads and judges the runs.
    ///
    /// - Parameters:
    ///   - folder: the folder of run folders.
    ///   - console: reports torn lines.
    /// - Throws: ``RigError`` with exit code 65 when there is no such folder.
    package init(in folder: String, console: Console) throws {
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: folder)
        } catch {
            throw RigError(
                .data, "there is no folder \(folder); name the one that run folders are in")
        }
        // `latest` is a link to one of the others.
        let paths = names.filter { $0 != "latest" && !$0.hasPrefix(".") }
            .map { folder == "." ? $0 : "\(folder)/\($0)" }
            .filter { FileManager.default.fileExists(atPath: "\($0)/manifest.json") }
        listings = paths.compactMap { try? Self.listing($0, console) }.sorted {
            ($1.manifest.startedAt, $1.folder) < ($0.manifest.startedAt, $0.folder)
        }
    }

    private static func listing(_ path: String, _ console: Console) throws -> RunListing {
        let stored = try StoredRun(path)
        let manifest = stored.manifest
        do {
            let rows = try stored.rows(console: console)
            try PlanCheck.check(rows, against: manifest)
            // A part has no verdict of its own: `rig merge` has it.
            let summary = try RunSummary(
                manifest: manifest, rows: rows,
                gates: manifest.partition == nil ? manifest.judgedBy : [])
            return RunListing(
                folder: path, manifest: manifest, rows: rows.count, status: summary.status)
        } catch {
            let reason = (error as? RigError)?.message ?? "\(error)"
            return RunListing(
                folder: path, manifest: manifest, rows: 0, status: nil, reason: reason)
        }
    }
}
