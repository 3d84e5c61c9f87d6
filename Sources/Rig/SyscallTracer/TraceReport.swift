internal import Foundation
internal import Glibc
package import RigModel

package struct TracedCall: Sendable, Hashable, Codable {
    /// The position among the counted calls of all threads and processes, from 1.
    package let ordinal: Int
    package let name: String
    package let callClass: CallClass
    package let threadID: Int32
    /// The file or folder; for a call with two paths, the new one; empty for `sync`.
    package let path: String
    package let offset: Int64?
    package let length: Int64?
}

/// What the tracer observed of a program's life.
package struct TraceReport: Sendable, Hashable, Codable {
    package struct Kill: Sendable, Hashable, Codable {
        package let call: TracedCall
        package let edge: CallMoment.Edge
        /// When the program was killed, in seconds since the machine started.
        package var secondsSinceBoot: Double?

        /// The same by the clock of this process.
        package var moment: ContinuousClock.Instant? {
            secondsSinceBoot.map { .now - .seconds(Self.secondsSinceBootNow - $0) }
        }

        /// What `ContinuousClock` counts, whose instants no other process can read.
        static var secondsSinceBootNow: Double {
            var time = timespec()
            clock_gettime(CLOCK_BOOTTIME, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1_000_000_000
        }
    }

    package struct Failed: Sendable, Hashable, Codable {
        package let call: TracedCall
        /// How many bytes were left of it; nil for a call that was not carried out short.
        package let cutTo: Int64?
        /// True where a later sync of the file has to report it.
        package let isLate: Bool
        package var calls = 1
        /// The place of the sync that has reported it; nil for none.
        package var reportedBy: Int?
    }

    package struct Failure: Sendable, Hashable, Codable {
        package let isForbidden: Bool
        package let reason: String
    }

    /// Why nothing was observed; nil for a program that was traced.
    package var failure: Failure?
    /// The number of counted calls, including the one of the kill.
    package var counted = 0
    package var countedByName: [String: Int] = [:]
    package var kill: Kill?
    package var failed: Failed?
    package var exitCode: Int32?
    package var signal: Int32?
    /// False if every call was stopped, which is slow, as the kernel had no filter.
    package var isFiltered = true
    /// What the program did to files that is neither counted nor recorded, in words.
    package var unseen: [String] = []
    /// The files that the program has opened for reading, or has missed, before it changed them, in
    /// that order, by their paths in the folder; nil where that was not asked for.
    package var read: [String]?
    /// The path of the last call that was refused for want of a permission; nil for none.
    package var refused: String?

    package var writes: Int { count(of: .write) }
    package var syncs: Int { count(of: .sync) }

    private func count(of callClass: CallClass) -> Int {
        countedByName.reduce(0) { sum, calls in
            SystemCallKind.byName[calls.key]?.callClass == callClass ? sum + calls.value : sum
        }
    }

    mutating func count(_ kind: SystemCallKind, by step: Int) {
        counted += step
        countedByName[kind.name, default: 0] += step
    }
}

extension TraceReport {
    /// The report of a tracer that could not trace; nil where the program itself is to blame.
    package init?(of error: TraceError) {
        self.init()
        switch error {
        case .cannotStart: return nil
        case .notPermitted: failure = Failure(isForbidden: true, reason: "\(error)")
        case .badFolder, .cannotWrite: failure = Failure(isForbidden: false, reason: "\(error)")
        }
    }

    package func write(to path: String) throws(TraceError) {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .cannotWrite(path: path, message: error.localizedDescription)
        }
    }

    /// Reads what ``write(to:)`` wrote; nil if there is no file, as when the tracer was killed.
    package static func read(path: String) throws -> TraceReport? {
        guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
        return try JSONDecoder().decode(TraceReport.self, from: bytes)
    }
}

package enum TraceError: Error, Hashable, CustomStringConvertible {
    case cannotStart(program: String, message: String)
    /// The kernel does not let one process trace another, or read its memory.
    case notPermitted(message: String)
    case badFolder(path: String)
    case cannotWrite(path: String, message: String)

    package var description: String {
        switch self {
        case .cannotStart(let program, let message):
            "cannot start \(program): \(message); check its path"
        case .notPermitted(let message):
            "the kernel does not let one process trace another: \(message); it takes Linux 5.3, "
                + "and in a container the capability SYS_PTRACE, and a filter that lets ptrace and "
                + "process_vm_readv pass"
        case .badFolder(let path): "there is no folder \(path) to trace calls under; make it first"
        case .cannotWrite(let path, let message):
            "cannot write \(path): \(message); check the path and the free space"
        }
    }
}
