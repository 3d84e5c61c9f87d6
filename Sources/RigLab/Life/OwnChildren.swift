internal import Synchronization

/// The processes that this one has started itself while lives are under way, each until it has been
/// reaped.
///
/// Another child of this process was started below one of them, lost its parent, and came to this
/// process (``Orphans``).
enum OwnChildren {
    /// The start of a process, which may be there before its number is known.
    struct Launch: Sendable {
        fileprivate let number: Int

        /// Notes the process.
        func note(_ process: Int32) {
            book.withLock { $0.launches[number]?.process = process }
        }

        /// Notes that it has been reaped, or never was there.
        func end() {
            book.withLock { $0.launches[number] = nil }
        }
    }

    /// What is known of a start.
    struct Start: Sendable {
        /// When it began, in the kernel's ticks; 0 where there are none.
        let began: UInt64
        /// The process; nil as long as its number is not known.
        var process: Int32?
    }

    private struct Book {
        var launches: [Int: Start] = [:]
        var next = 0
    }

    private static let book = Mutex(Book())

    /// Begins to start a process.
    static func launch() -> Launch {
        #if os(Linux)
            let began = ProcessFacts.now
        #else
            let began: UInt64 = 0
        #endif
        return book.withLock { book in
            book.next += 1
            book.launches[book.next] = Start(began: began)
            return Launch(number: book.next)
        }
    }

    /// All that are there or about to be.
    static var starts: [Start] { book.withLock { Array($0.launches.values) } }
}
