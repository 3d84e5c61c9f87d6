import Synchronization

/// The ranges that this process reads; eviction leaves them alone (C6).
package final class ReaderRegistry: Sendable {
    fileprivate struct Book {
        var last = 0
        var drops = 0
        var held: [Int: Extent] = [:]

        var ranges: [Int64: ByteRangeSet] {
            Dictionary(grouping: held.values, by: \.video).mapValues {
                ByteRangeSet($0.map(\.range))
            }
        }
    }

    fileprivate let book = Mutex(Book())

    package init() {}

    package func hold(_ range: ByteRange, of video: CachedVideo) -> ReaderHold {
        let number = book.withLock { book in
            book.last += 1
            book.held[book.last] = Extent(video: video.id, range: range)
            return book.last
        }
        return ReaderHold(registry: self, number: number)
    }

    /// How often rows of chunks were dropped; an eviction counts from its beginning.
    ///
    /// A reader that protects a range, and then finds the same number as before, can rely on what
    /// it knew of the range: no eviction since has seen the range without its protection.
    var drops: Int { book.withLock { $0.drops } }

    /// Counts that rows are dropped, which needs no protection of readers: what they refer to is
    /// not served any more.
    func noteDrop() { book.withLock { $0.drops += 1 } }

    /// Begins an eviction, which may drop everything but what is protected now.
    func beginEviction() -> [Int64: ByteRangeSet] {
        book.withLock { book in
            book.drops += 1
            return book.ranges
        }
    }

    package func ranges() -> [Int64: ByteRangeSet] { book.withLock { $0.ranges } }
}

/// One reader's protected range; releasing the object ends the protection.
package final class ReaderHold: Sendable {
    private let registry: ReaderRegistry
    private let number: Int

    fileprivate init(registry: ReaderRegistry, number: Int) {
        (self.registry, self.number) = (registry, number)
    }

    deinit { registry.book.withLock { $0.held[number] = nil } }

    package func move(to range: ByteRange) {
        registry.book.withLock { $0.held[number]?.range = range }
    }
}
