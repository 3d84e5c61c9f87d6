#if canImport(Darwin)
    package import RigModel

    extension ProcessIdentity {
        static var own: ProcessIdentity? { nil }
    }

    extension PowerCutVolume {
        /// Refuses the run: a power cut needs Linux.
        ///
        /// - Throws: ``RigError`` with exit code 77.
        package static func check() throws { throw needsLinux }

        private static var needsLinux: RigError {
            RigError(
                .permission,
                "--fault power-cut needs Linux and its ext4; run it there, or use --fault sigkill")
        }

        /// Never used, because this system has no volumes.
        struct Parts: Sendable {
            static func make(
                in scratch: String, image: PowerCutImage, bytes: Int64
            ) async throws -> Parts {
                throw needsLinux
            }

            func wipe(_ folder: String) throws { throw needsLinux }
            func cut(_ folder: String) throws { throw needsLinux }
            func remount(_ folder: String) throws { throw needsLinux }
            func tearDown(_ folder: String) throws { throw needsLinux }
        }
    }
#endif
