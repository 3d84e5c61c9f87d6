import Glibc

/// The number of open connections to a port of this machine, as their clients see them.
package func connections(to port: UInt16) throws -> Int {
    let digits = String(port, radix: 16, uppercase: true)
    let wanted = ":" + String(repeating: "0", count: 4 - digits.count) + digits
    guard let file = fopen("/proc/net/tcp", "re") else { throw NeverHappened(what: "a table") }
    defer { fclose(file) }
    // The kernel gives the file's size as 0, so it is read to its end.
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 {
        text += piece[..<count]
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst()
        .map { $0.split(separator: " ") }
        // The remote address, and "established".
        .count { $0[2].hasSuffix(wanted) && $0[3] == "01" }
}
