internal import Foundation
package import RigModel
internal import SyscallTracer

extension Laboratory {
    private static let mostNamed = 10

    /// The files that the relaunch after a kill read first, of those that an unharmed launch leaves
    /// otherwise, in words; nil where it is not known what was read.
    package func readFirst(
        in outcome: IterationOutcome, _ plan: PlannedIteration
    ) async throws -> [String]? {
        let report = try? TraceReport.read(path: outcome.folder.traceReport)
        guard let read = report?.read else { return nil }
        let killed = outcome.folder.stateCopy(ofKill: 1)
        return try await withoutKill {
            try await scenario.unharmed(plan, followed: nil) { _, unharmed, _ in
                Array(
                    read.compactMap { Self.difference(of: $0, in: killed, from: unharmed.state) }
                        .prefix(Self.mostNamed))
            }
        }
    }

    private static func difference(
        of path: String, in killed: String, from unharmed: String
    ) -> String? {
        let (one, other) = ("\(killed)/\(path)", "\(unharmed)/\(path)")
        let sizes = [one.fileSize, other.fileSize]
        // What SQLite shares between processes is not kept of a kill.
        guard sizes != [nil, nil], !path.hasSuffix("-shm") else { return nil }
        guard sizes[0] == sizes[1] else {
            let words = sizes.map { $0.map { "\($0) bytes" } ?? "missing" }
            return "\(path): \(words[0]), and \(words[1]) after an unharmed launch"
        }
        return FileManager.default.contentsEqual(atPath: one, andPath: other)
            ? nil : "\(path): other bytes than after an unharmed launch"
    }
}
