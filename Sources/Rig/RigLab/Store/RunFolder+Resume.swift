internal import Foundation
internal import Glibc
internal import RigModel
internal import SystemPackage

extension RunFolder {
    /// Removes what a killed rig left of the iteration under way, and all but so many bytes of the
    /// file of the rows.
    package func cut(_ name: String, to length: Int, evidence: Set<String>) throws {
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
            let kept = "\(path)/evidence"
            guard files.fileExists(atPath: kept) else { return }
            for folder in try files.contentsOfDirectory(atPath: kept)
            where evidence.contains(folder) { try files.removeItem(atPath: "\(kept)/\(folder)") }
        } catch {
            throw RigError(
                .failure,
                "cannot remove what the iteration under way has left in \(path): "
                    + "\(SystemFailure(error).reason); remove it by hand")
        }
    }
}
