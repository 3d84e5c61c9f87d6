internal import Synchronization

/// The records of an encrypted connection, decrypted as a whole each (RFC 8446, 5.2).
package final class RecordMap: Sendable {
    private struct Record: Sendable {
        /// Where the record ends among the encrypted bytes.
        let end: Int64
        /// Where its text ends among the bytes of the answers.
        let plaintextEnd: Int64
    }

    private let records = Mutex<[Record]>([])

    package init() {}

    /// Adds what is about to be sent: encrypted bytes, and the bytes of the answers in them.
    package func add(_ count: Int, plaintext: Int) {
        records.withLock { records in
            let last = records.last ?? Record(end: 0, plaintextEnd: 0)
            let end = last.end + Int64(count)
            let plaintextEnd = last.plaintextEnd + Int64(plaintext)
            records.append(Record(end: end, plaintextEnd: plaintextEnd))
        }
    }

    /// How many bytes of the answers can be decrypted from the first bytes of the stream.
    package func plaintext(of bytes: Int64) -> Int64 {
        records.withLock { records in
            var low = 0
            var high = records.count
            while low < high {
                let middle = (low + high) / 2
                if records[middle].end <= bytes { low = middle + 1 } else { high = middle }
            }
            return low == 0 ? 0 : records[low - 1].plaintextEnd
        }
    }
}
