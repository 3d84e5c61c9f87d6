import Foundation
import TestSupport

/// What only the origin's tests look at.
extension SocketClient {
    /// How many segments with data have arrived, as the kernel counts them.
    var dataSegments: Int {
        // `tcpi_data_segs_in` of the kernel's `struct tcp_info`, which the C library lacks.
        let offset = 152
        var info = [UInt8](repeating: 0, count: 256)
        var size = socklen_t(info.count)
        getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &size)
        return Int(
            info.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self) })
    }

    /// True if a byte or the connection's end can be read at once.
    var isReadable: Bool {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) >= 0
    }
}
