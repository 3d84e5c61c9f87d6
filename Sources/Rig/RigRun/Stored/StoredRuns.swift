internal import Foundation
internal import RigLab
package import RigModel
internal import RigVerdict

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
