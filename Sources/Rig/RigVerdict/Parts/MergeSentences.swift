package import RigModel

package enum MergeSentences {
    /// Which parts, or rows of them, are missing, and what to do; nil if none, and for another run.
    package static func missing(_ manifest: Manifest, rows: [IterationRow]) -> String? {
        guard let parts = manifest.parts, let count = parts.first?.partition.count else {
            return nil
        }
        let there = Set(parts.map(\.partition.index))
        // Only the first few are named: there may be very many parts.
        let absent = (1...count).lazy.filter { !there.contains($0) }
        let named = Array(absent.prefix(mostNamed))
        let short = parts.compactMap { part in shortfall(of: part, in: manifest, rows: rows) }
        var texts = Array(short.prefix(mostNamed))
        if !named.isEmpty {
            let more = count - there.count - named.count
            texts.insert(
                "\(list(named, more: more, of: count)): run --partition "
                    + "slice:\(named[0])/\(count)\(count - there.count > 1 ? " and so on" : "")",
                at: 0)
        }
        return texts.isEmpty ? nil : texts.joined(separator: "; ") + ", then merge again"
    }

    /// How many copies of parts were found and left out; empty if there were none.
    package static func copies(_ manifest: Manifest) -> [String] {
        (manifest.parts ?? []).compactMap { part in
            part.copies.map { copies in
                "\(part.partition.words) was there \(copies + 1) times, every byte the same: it counts"
                    + " once"
            }
        }
    }

    private static let mostNamed = 10

    private static func list(_ numbers: [Int], more: Int, of count: Int) -> String {
        guard more > 0 || numbers.count > 1 else {
            return "part \(numbers[0]) of \(count) is missing"
        }
        var words = numbers.map(String.init)
        if more > 0 { words.append("\(more) more") }
        let last = words.removeLast()
        return "parts \(words.joined(separator: ", ")) and \(last) of \(count) are missing"
    }

    private static func shortfall(
        of part: MergedPart, in manifest: Manifest, rows: [IterationRow]
    ) -> String? {
        let plan = manifest.plan
        let wanted = part.partition.size(of: plan.iterations) * plan.policies.count * plan.kills
        let found = rows.count { part.partition.contains($0.iteration) }
        guard found < wanted else { return nil }
        return "\(part.partition.words) has \(found) of its \(wanted) rows: run it again in the"
            + " place of what is there"
    }
}
