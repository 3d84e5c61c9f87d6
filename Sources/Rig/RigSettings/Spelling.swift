extension String {
    /// The known word that a misspelt one probably means; nil when none is close.
    ///
    /// Case does not count, nor whether words are joined by dashes or underscores.
    func nearest(among known: [String]) -> String? {
        let normal = { (word: String) in Array(word.lowercased().replacing("_", with: "-")) }
        let words = known.map { (word: $0, changes: changes(normal(self), normal($0))) }
        let best = words.min { $0.changes < $1.changes }
        return best.flatMap { $0.changes <= max(1, count / 4) ? $0.word : nil }
    }
}

/// The number of letters to change, add or remove (Levenshtein).
private func changes(_ one: [Character], _ other: [Character]) -> Int {
    var row = Array(0...other.count)
    for letter in one {
        var next = [row[0] + 1]
        for (column, against) in other.enumerated() {
            let changed = row[column] + (letter == against ? 0 : 1)
            next.append(min(changed, row[column + 1] + 1, next[column] + 1))
        }
        row = next
    }
    return row[other.count]
}
