internal import Foundation
internal import RigModel

extension RunFolder {
    private static let evidenceName = "evidence"

    /// Replaces the folder's evidence with that of other run folders, as a whole; no two hold
    /// evidence of the same kill, and `texts` gives the files to rewrite in a copy, by name.
    package func replaceEvidence(
        from folders: [RunFolder], texts: (RunFolder) throws -> [String: String]
    ) throws {
        let files = FileManager.default
        let fresh = "\(path)/.\(Self.evidenceName).new"
        let target = "\(path)/\(Self.evidenceName)"
        defer { try? Removal.remove(fresh) }
        do {
            if files.fileExists(atPath: fresh) { try files.removeItem(atPath: fresh) }
            try files.createDirectory(atPath: fresh, withIntermediateDirectories: true)
            for folder in folders {
                let source = "\(folder.path)/\(Self.evidenceName)"
                guard files.fileExists(atPath: source) else { continue }
                for name in try files.contentsOfDirectory(atPath: source).sorted() {
                    try files.copyItem(atPath: "\(source)/\(name)", toPath: "\(fresh)/\(name)")
                    let copy = try RunFolder(existing: "\(fresh)/\(name)")
                    for (name, text) in try texts(copy) { try copy.write(text, to: name) }
                }
            }
            if files.fileExists(atPath: target) { try files.removeItem(atPath: target) }
            let isEmpty = try files.contentsOfDirectory(atPath: fresh).isEmpty
            if isEmpty {
                try files.removeItem(atPath: fresh)
            } else {
                try files.moveItem(atPath: fresh, toPath: target)
            }
        } catch let error as RigError {
            throw error
        } catch {
            throw RigError(
                .failure,
                "cannot copy the evidence to \(target): \(SystemFailure(error)), or name another "
                    + "folder with --out")
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
}
