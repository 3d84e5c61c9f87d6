/// Delta debugging: Zeller and Hildebrandt's `ddmin` (Simplifying and Isolating Failure-Inducing
/// Input, TSE 2002).
package enum DeltaDebugging {
    /// A part of a failing set, in its order, that fails, and of which nothing can be left out
    /// alone.
    package static func smallest<Item>(
        of items: [Item], fails: ([Item]) async throws -> Bool
    ) async rethrows -> [Item] {
        guard !items.isEmpty else { return [] }
        if try await fails([]) { return [] }
        var (items, count) = (items, 2)
        while items.count > 1 {
            let parts = split(items, into: count)
            var found: (items: [Item], count: Int)?
            for part in parts where found == nil { if try await fails(part) { found = (part, 2) } }
            if count > 2 {
                for index in parts.indices where found == nil {
                    let rest = parts.indices.filter { $0 != index }.flatMap { parts[$0] }
                    if try await fails(rest) { found = (rest, max(2, count - 1)) }
                }
            }
            if let found {
                (items, count) = found
            } else if count < items.count {
                count = min(items.count, 2 * count)
            } else {
                break
            }
        }
        return items
    }

    private static func split<Item>(_ items: [Item], into count: Int) -> [[Item]] {
        (0..<count).map { index in
            Array(items[items.count * index / count..<items.count * (index + 1) / count])
        }.filter { !$0.isEmpty }
    }
}
