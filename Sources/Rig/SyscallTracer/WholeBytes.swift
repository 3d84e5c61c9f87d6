internal import Glibc

/// Bytes by calls that read or write a part of them at a time.
enum WholeBytes {
    /// As many bytes as a call reads, to an address, after so many that are there.
    static func read(_ count: Int, by call: (UnsafeMutablePointer<UInt8>?, Int) -> Int) -> [UInt8] {
        guard count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            var found = 0
            while found < count {
                let part = call(buffer.baseAddress.map { $0 + found }, found)
                guard part > 0 else { break }
                found += part
            }
            done = found
        }
    }

    /// False if a call, which takes those after so many, does not write all of them.
    static func write(_ bytes: [UInt8], by call: (UnsafeRawBufferPointer, Int) -> Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let part = call(UnsafeRawBufferPointer(rebasing: bytes[done...]), done)
                guard part > 0 || errno == EINTR else { return false }
                done += max(0, part)
            }
            return true
        }
    }
}
