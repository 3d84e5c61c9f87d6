import RigModel

/// What was not synced at the power cuts of a run, by file.
enum UnsyncedColumns {
    private struct File {
        let path: String
        var kills = 0
        var operations = 0
        var bytes: Int64 = 0
    }

    /// The table for the page; nil where no cut was modelled.
    static func page(_ kills: [[UnsyncedFileFacts]]) -> Table? {
        guard !kills.isEmpty else { return nil }
        var files: [String: File] = [:]
        for facts in kills.joined() {
            var file = files[facts.path] ?? File(path: facts.path)
            file.kills += 1
            file.operations = max(file.operations, facts.operations)
            file.bytes = max(file.bytes, facts.bytes)
            files[facts.path] = file
        }
        let shown = files.values.sorted { ($1.kills, $0.path) < ($0.kills, $1.path) }
            .prefix(mostFiles)
        return Array(shown).table([
            .word("file or folder", \.path), .count("kills", \.kills),
            .count("operations, at most", \.operations),
            .number("bytes, at most") { .integer($0.bytes) },
        ]).captioned("Not synced at the kill, of \(kills.count) kills")
    }

    private static let mostFiles = 100
}
