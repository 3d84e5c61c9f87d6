internal import RigLab
internal import RigModel
internal import RigReport
internal import RigVerdict

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
