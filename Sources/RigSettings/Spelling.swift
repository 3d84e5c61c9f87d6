/// Words that are nearly another one.
enum Spelling {
    /// The word that a misspelt one was probably meant to be; nil when none is near.
    static func nearest(to word: String, among known: [String]) -> String? {
        let wanted = normal(word)
        let distances = known.map { (name: $0, distance: distance(wanted, normal($0))) }
        guard let best = distances.min(by: { $0.distance < $1.distance }),
            best.distance <= max(1, word.count / 4)
        else { return nil }
        return best.name
    }

    /// Dashes, underscores and capitals are easily confused.
    private static func normal(_ word: String) -> [Character] {
        Array(word.lowercased().replacing("_", with: "-"))
    }

    /// How many letters have to be changed, added or left out (Levenshtein).
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
