internal import Foundation
package import RigModel

extension RunFolder {
    private static let unsyncedName = "unsynced.json"

    /// Keeps what was not synced at a modelled power cut, also of a kill that passed; throws exit
    /// code 70.
    package func keepUnsynced(_ text: String, of row: RowIdentity) throws {
        let folder = "\(path)/\(row.evidencePath)"
        try SystemFailure.explained("cannot keep the evidence in \(folder)") {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try text.write(
                toFile: "\(folder)/\(Self.unsyncedName)", atomically: true, encoding: .utf8)
        }
    }

    /// What ``keepUnsynced(_:of:)`` has kept; nil for nothing, and when it cannot be read.
    package func unsynced(of row: RowIdentity) -> String? {
        try? text(of: "\(row.evidencePath)/\(Self.unsyncedName)")
    }

    /// Keeps the evidence for a row that did not pass, in `evidence/<policy>-<iteration>-<kill>/`:
    /// texts by file name, and, where asked, the state with the log from which a power cut was
    /// modelled; throws exit code 70.
    package func keepEvidence(
        of row: IterationRow, from iteration: IterationFolder, withState: Bool,
        texts: [String: String]
    ) throws {
        let folder = "\(path)/evidence/\(row.policy)-\(row.iteration)-\(row.kill)"
        let files = FileManager.default
        try SystemFailure.explained("cannot keep the evidence in \(folder)") {
            try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for (source, name) in [
                (iteration.stateCopy(ofKill: row.kill), "state"),
                (iteration.storageLog(ofKill: row.kill), "storage.log"),
            ]
            where withState && files.fileExists(atPath: source) {
                try files.moveItem(atPath: source, toPath: "\(folder)/\(name)")
            }
            // An iteration's kills share one log, and each kill's evidence is kept separately, so
            // it is copied.
            for (log, name) in [
                (iteration.log, "worker.log"), (iteration.ofSecondInstance.log, "worker-2.log"),
                (iteration.ofCheck.log, "check.log"),
                (iteration.said(beforeKill: row.kill), "said"),
            ]
            where files.fileExists(atPath: log) {
                try LaunchLog(path: log).keep(as: "\(folder)/\(name)")
            }
            try iteration.launches.keepLaunches(upToKill: row.kill, in: folder)
            for (name, text) in texts {
                try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
            }
        }
    }
}
