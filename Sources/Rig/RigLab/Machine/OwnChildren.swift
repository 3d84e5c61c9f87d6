internal import Synchronization

/// The processes that this process itself has started while lives are under way, until reaped; any
/// other child was started by one of them, orphaned and adopted (``Orphans``).
enum OwnChildren {
    /// The start of a process, which may exist before its id is known.
    struct Launch: Sendable {
        fileprivate let number: Int

        func note(_ process: Int32) { book.withLock { $0.launches[number]?.process = process } }
        /// Records that the process has been reaped, or never existed.
        func end() { book.withLock { $0.launches[number] = nil } }
    }

    struct Start: Sendable {
        let began: UInt64
        var process: Int32?
    }

    private struct Book {
        var launches: [Int: Start] = [:]
        var next = 0
    }

    private static let book = Mutex(Book())

    static func launch() -> Launch {
        let began = ProcessFacts.now
        return book.withLock { book in
            book.next += 1
            book.launches[book.next] = Start(began: began)
            return Launch(number: book.next)
        }
    }

    static var starts: [Start] { book.withLock { Array($0.launches.values) } }
}
