#if canImport(Darwin)
    /// Socket diagnostics exist only on Linux.
    final class SocketDiagnostics: SocketSource {
        init(originPort: UInt16) throws(SocketDiagnosticsError) {
            throw SocketDiagnosticsError(
                description: "sockets are read by Linux's socket diagnostics; run the rig on Linux")
        }

        func look(clientPort: UInt16) -> SocketLook { .failed }
        func ended() -> [EndedSocket]? { nil }
    }
#endif
