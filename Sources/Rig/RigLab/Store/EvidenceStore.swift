internal import Foundation
internal import Glibc
package import RigModel
internal import SystemPackage

extension RunFolder {
    private static let unsyncedName = "unsynced.json"
    private var evidence: String { "\(path)/evidence" }

    /// Keeps what was not synced at a modelled power cut, also of a kill that passed.
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
        let folder = "\(evidence)/\(row.policy)-\(row.iteration)-\(row.kill)"
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

    /// Replaces the folder's evidence with that of other run folders, as a whole; no two hold
    /// evidence of the same kill, and `texts` gives the files to rewrite in a copy, by name.
    package func replaceEvidence(
        from folders: [RunFolder], texts: (RunFolder) throws -> [String: String]
    ) throws {
        let files = FileManager.default
        let fresh = "\(path)/.evidence.new"
        defer { try? Removal.remove(fresh) }
        try SystemFailure.explained(
            "cannot copy the evidence to \(evidence)", ", or name another folder with --out"
        ) {
            if files.fileExists(atPath: fresh) { try files.removeItem(atPath: fresh) }
            try files.createDirectory(atPath: fresh, withIntermediateDirectories: true)
            for source in folders.map(\.evidence) where files.fileExists(atPath: source) {
                for name in try files.contentsOfDirectory(atPath: source).sorted() {
                    try files.copyItem(atPath: "\(source)/\(name)", toPath: "\(fresh)/\(name)")
                    let copy = try RunFolder(existing: "\(fresh)/\(name)")
                    for (name, text) in try texts(copy) { try copy.write(text, to: name) }
                }
            }
            if files.fileExists(atPath: evidence) { try files.removeItem(atPath: evidence) }
            let isEmpty = try files.contentsOfDirectory(atPath: fresh).isEmpty
            if !isEmpty { try files.moveItem(atPath: fresh, toPath: evidence) }
        }
    }

    /// Keeps a part's fetched video, if it has one; throws exit code 70 when it cannot be written.
    package func keepVideo(of part: RunFolder) throws {
        let files = FileManager.default
        let source = "\(part.path)/\(ReferenceVideo.storedName)"
        let target = "\(path)/\(ReferenceVideo.storedName)"
        guard files.fileExists(atPath: source), !files.fileExists(atPath: target) else { return }
        try SystemFailure.explained("cannot copy the video to \(target)") {
            try files.copyItem(atPath: source, toPath: target)
        }
    }

    /// Removes what a killed rig left of the iteration under way, and cuts the file of the rows.
    package func cut(_ name: String, to length: Int, evidence lost: Set<String>) throws {
        try check()
        let files = FileManager.default
        let target = "\(path)/\(name)"
        if files.fileExists(atPath: target), truncate(target, off_t(length)) != 0 {
            throw RigError(
                .failure, "cannot shorten \(target): \(Errno(rawValue: errno)); make it writable")
        }
        do {
            for folder in try subfolders() where folder.hasPrefix(Self.scratchPrefix) {
                try Removal.remove("\(path)/\(folder)")
            }
            // It would cover only the iterations before the cut.
            let timings = "\(path)/timings.csv"
            if files.fileExists(atPath: timings) { try files.removeItem(atPath: timings) }
            guard files.fileExists(atPath: evidence) else { return }
            for folder in try files.contentsOfDirectory(atPath: evidence)
            where lost.contains(folder) { try files.removeItem(atPath: "\(evidence)/\(folder)") }
        } catch {
            throw RigError.failure(
                "cannot remove what the iteration under way has left in \(path): "
                    + "\(SystemFailure(error).reason); remove it by hand")
        }
    }
}
