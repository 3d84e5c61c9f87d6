/// Finds the known word closest to a misspelt one.
enum Spelling {
    /// The known word that a misspelt one probably means; nil when none is close.
    static func nearest(to word: String, among known: [String]) -> String? {
        let wanted = normal(word)
        let distances = known.map { (name: $0, distance: distance(wanted, normal($0))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }),
            best.distance <= max(1, word.count / 4)
        else { return nil }
        return best.name
    }

    /// Ignores differences in case and between dashes and underscores.
    private static func normal(_ word: String) -> [Character] {
        Array(word.lowercased().replacing("_", with: "-"))
    }

    /// The number of letters to change, add or remove (Levenshtein).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var row = Array(0...other.count)
        for (line, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, against) in other.enumerated() {
                let changed = diagonal + (letter == against ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
