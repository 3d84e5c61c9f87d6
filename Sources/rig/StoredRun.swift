internal import Foundation
internal import RigLab
internal import RigModel
internal import RigReport

/// A run that lies in a folder.
struct StoredRun {
    let folder: RunFolder
    let manifest: Manifest

    /// The run in a folder.
    ///
    /// - Parameter path: the run folder, or the iterations.csv in it.
    /// - Throws: ``RigError`` with exit code 65 when there is none that can be read.
    init(_ path: String) throws {
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

    /// Why a folder without a manifest is no run, and what is.
    private static func objection(to folder: RunFolder) -> String {
        let parts = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { FileManager.default.fileExists(atPath: "\(folder.path)/\($0)/manifest.json") }
            .sorted()
        if parts.contains(where: { $0.hasPrefix("part-") && $0.contains("-of-") }) {
            return "\(folder.path) holds the parts of one run; join them with rig merge "
                + ShellWord.quoted(folder.path)
        }
        guard let part = parts.first else {
            return "\(folder.path) has no manifest.json, so it is no run folder; name one that rig "
                + "wrote"
        }
        return
            "\(folder.path) holds the parts of a --self-check or --documented, each a run of its "
            + "own; name one of them, such as \(folder.path)/\(part)"
    }

    /// Whoever names the rows of a run means the run.
    private static func folderPath(_ run: String) -> String {
        let file = URL(fileURLWithPath: run)
        var isFolder: ObjCBool = false
        guard file.lastPathComponent == "iterations.csv",
            FileManager.default.fileExists(atPath: run, isDirectory: &isFolder),
            !isFolder.boolValue
        else { return run }
        let folder = (run as NSString).deletingLastPathComponent
        return folder.isEmpty ? "." : folder
    }

    /// The rows of the run.
    ///
    /// - Parameter console: where a torn line is mentioned.
    /// - Returns: the rows, in the order of the file.
    /// - Throws: ``RigError`` with exit code 65 when they cannot be read.
    func rows(console: Console) throws -> [IterationRow] {
        // A run that was killed before its first row has no file yet: nothing of it is damaged.
        guard let bytes = try folder.bytes(of: "iterations.csv") else { return [] }
        return try Self.rows(in: bytes, file: "\(folder.path)/iterations.csv", console: console)
    }

    /// The rows of a file, wherever it lies.
    ///
    /// - Parameters:
    ///   - bytes: what is in it.
    ///   - file: its path, for messages.
    ///   - console: where a torn line is mentioned.
    /// - Returns: the rows, in the order of the file.
    /// - Throws: ``RigError`` with exit code 65 when they cannot be read.
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
