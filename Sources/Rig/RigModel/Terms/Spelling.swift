extension String {
    /// The known word that is probably meant, whatever its case and dashes; nil for none.
    package func nearest(among known: [String]) -> String? {
        let normal = { (word: String) in Array(word.lowercased().replacing("_", with: "-")) }
        let words = known.map { (word: $0, changes: changes(normal(self), normal($0))) }
        let best = words.min { $0.changes < $1.changes }
        return best.flatMap { $0.changes <= max(1, count / 4) ? $0.word : nil }
    }

    /// Advice for an unknown word: the one probably meant, or else to use one of the known.
    package func advice(among known: [String], otherwise: String? = nil) -> String {
        nearest(among: known).map { "did you mean '\($0)'?" }
            ?? otherwise ?? "use one of \(known.joined(separator: ", "))"
    }
}

/// The number of letters to change, add or remove, or of neighbours to swap (Damerau, 1964).
private func changes(_ one: [Character], _ other: [Character]) -> Int {
    var before: [Int] = []
    var row = Array(0...other.count)
    for line in one.indices {
        var next = [row[0] + 1]
        for column in other.indices {
            let changed = row[column] + (one[line] == other[column] ? 0 : 1)
            var least = min(changed, row[column + 1] + 1, next[column] + 1)
            if line > 0, column > 0, one[line] == other[column - 1], one[line - 1] == other[column]
            {
                least = min(least, before[column - 1] + 1)
            }
            next.append(least)
        }
        (before, row) = (row, next)
    }
    return row[other.count]
}
