import Fixture
import FixtureOrigin
import Foundation
import Synchronization
import Testing
import TestSupport
import Witness

/// A `downloader` that its witness page holds in a phase, observed by other means than that page.
///
/// These are its log (F5), the origin's ledger, the kernel, and its database, read with the tests'
/// own SQL.
struct HeldWorker: Sendable {
    let processID: pid_t
    let place: Workplace
    let mount: Mount
    let witness: WitnessReader

    private var cache: String { place.path("cache") }

    /// How many times an event was logged.
    ///
    /// `bytes` comes before a save and `commit` after it; `start` and `end` enclose a request.
    func logged(_ event: String) throws -> Int { try log().count { $0.hasSuffix("] \(event)") } }

    /// The sum of a number in the lines of an event.
    func logged(_ event: String, sumOf key: String) throws -> Int64 {
        try log().filter { $0.hasSuffix("] \(event)") }.reduce(0) { sum, line in
            let word = line.split(separator: " ").first { $0.hasPrefix("\(key)=") }
            return sum + (word.flatMap { Int64($0.dropFirst(key.count + 1)) } ?? 0)
        }
    }

    private func log() throws -> [Substring] {
        let names = try FileManager.default.contentsOfDirectory(atPath: place.url.path)
        return try names.filter { $0.hasPrefix("stderr-") }.flatMap {
            try place.text($0).split(separator: "\n")
        }
    }

    /// The bytes that the database holds.
    func saved() throws -> Int64 { ScenarioState.savedBytes(in: cache) ?? 0 }

    /// The size of the database file, which grows at a checkpoint.
    var databaseBytes: Int64 { size(of: "cache.sqlite") }

    /// The size of the database's WAL; 0 if there is none.
    var writeAheadBytes: Int64 { size(of: "cache.sqlite-wal") }

    private func size(of name: String) -> Int64 {
        let facts = try? FileManager.default.attributesOfItem(atPath: "\(cache)/\(name)")
        return (facts?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// True while the worker has the database open.
    var hasDatabaseOpen: Bool {
        let folder = "/proc/\(processID)/fd"
        let files = FileManager.default
        return ((try? files.contentsOfDirectory(atPath: folder)) ?? []).contains {
            (try? files.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))?
                .hasSuffix("/cache.sqlite") ?? false
        }
    }

    /// The bytes that the origin has sent, by request.
    var served: [Int64] { mount.ledger.map(\.servedBytes) }
}

extension HeldWorker {
    /// Runs a `downloader` command that is held in a phase, checks it there, and kills it.
    ///
    /// The check runs once the worker has done everything that belongs to the phase.
    ///
    /// - Parameters:
    ///   - phase: where it is held.
    ///   - entry: which entry of the phase, counted from 1.
    ///   - command: its arguments, given the video's address.
    ///   - resource: what the origin serves.
    ///   - meanwhile: runs once the command has printed a line; nil for a command that prints none.
    ///   - look: the check.
    /// - Throws: what `look` throws.
    static func run(
        heldIn phase: WitnessPhase, entry: UInt64, _ command: (_ url: String) -> [String],
        of resource: Resource,
        meanwhile: (@Sendable (_ line: String, _ url: String) async throws -> Void)? = nil,
        _ look: @Sendable (HeldWorker) throws -> Void
    ) async throws {
        let place = Workplace()
        let page = place.path("witness")
        let witness = try WitnessReader(path: page)
        witness.hold(phase, entry: entry)
        try await withOrigin { origin in
            let mount = origin.mount(resource, at: "/v.mp4")
            let outcome = try await Programs.run(
                Programs.downloader,
                command(mount.url) + ["--cache", place.path("cache"), "--verbose"],
                in: place.url, environment: ["RIG_WITNESS": page]
            ) { processID in
                // Never leave the worker waiting, whatever the check finds.
                defer { kill(processID, SIGKILL) }
                let player = Task {
                    guard let meanwhile else { return }
                    try await meanwhile(try await servedURL(in: place), mount.url)
                }
                defer { player.cancel() }
                try await eventually("it waits at the end of \(phase)") { witness.waiting > 0 }
                let worker = HeldWorker(
                    processID: processID, place: place, mount: mount, witness: witness)
                try look(worker)
            }
            #expect(outcome.signal == SIGKILL)
            #expect(witness.phase == phase)
        }
    }
}
