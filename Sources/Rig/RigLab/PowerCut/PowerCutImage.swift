/// The file in a run's scratch folder that holds the file system whose power is cut.
///
/// Its name identifies its owner, so that files left by a killed rig can be told from files in use.
struct PowerCutImage: Sendable, Hashable {
    /// The run that made it.
    let run: String
    /// The rig that made it.
    let owner: ProcessIdentity
}

extension PowerCutImage {
    private static let prefix = "power-cut"
    private static let suffix = "image"

    /// `power-cut.RUN.OWNER.image`.
    var fileName: String { "\(Self.prefix).\(run).\(owner.text).\(Self.suffix)" }

    /// Parses a file's name; nil for one that no rig has created.
    init?(fileName: String) {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == Self.prefix,
            parts[3] == Self.suffix, !parts[1].isEmpty,
            let owner = ProcessIdentity(String(parts[2]))
        else { return nil }
        self.init(run: String(parts[1]), owner: owner)
    }
}
