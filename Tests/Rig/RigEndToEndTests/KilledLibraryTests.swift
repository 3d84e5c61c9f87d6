import Foundation
import GRDB
import Testing
import TestSupport
import Witness

/// `downloader library refresh`, killed: the list is old or new, images are absent or whole
/// (O4, O6).
///
/// The documents' own designs are caught.
@Suite struct KilledLibraryTests {
    private let place = Workplace()
    private let reading: LibraryReading

    init() throws { reading = LibraryReading(folder: place.path("lib")) }

    private func arguments(_ address: String) -> [String] {
        [
            "library", "refresh", "--feed", address + "/feed", "--library", "lib", "--repeat",
            "forever", "--quiet",
        ]
    }

    private func listExitCode() async throws -> Int32? {
        try await downloader("library", "list", "--library", "lib", in: place).exitCode
    }

    /// True if the process no longer runs.
    private func isDead(_ process: pid_t) -> Bool {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let state = text?.split(separator: ")").last?.split(separator: " ").first
        return state == nil || state == "Z" || state == "X"
    }

    /// Watches the list until `isWanted` accepts its generation, and then kills the worker.
    ///
    /// It first takes the write lock, and kills only if the list is still as wanted. The lock's
    /// holder sees what a kill at that moment leaves, because the worker can commit nothing
    /// more before it dies.
    private func kill(
        _ worker: pid_t, betweenTransactionsWhen isWanted: (Int) -> Bool
    ) async throws -> Int {
        let connection = try reading.connection()
        let deadline = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < deadline {
            let seen = try await connection.read { try LibraryReading.generation(in: $0) }
            guard isWanted(seen) else { continue }
            let held = try await connection.writeWithoutTransaction { db in
                try db.execute(sql: "BEGIN IMMEDIATE")
                return try LibraryReading.generation(in: db)
            }
            if isWanted(held) {
                #expect(Foundation.kill(worker, SIGKILL) == 0)
                try await eventually("the worker is dead") { isDead(worker) }
            }
            try await connection.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
            if isWanted(held) { return held }
        }
        throw NeverHappened(what: "the list is as wanted")
    }

    @Test func killedBetweenTwoTransactionsTheDocumentsDesignLosesTheList() async throws {
        let origin = LibraryOrigin(imageBytes: 100)
        try await origin.serving { address in
            let outcome = try await Programs.run(
                Programs.downloaderWithBugs, arguments(address), in: place.url,
                environment: planted("delete-then-insert")
            ) { worker in
                try await eventually("a list is saved") { try reading.generation() > 0 }
                _ = try await kill(worker, betweenTransactionsWhen: { $0 == 0 })
            }
            #expect(outcome.signal == SIGKILL)
        }
        #expect(try reading.generation() == 0)
        #expect(try await listExitCode() == 66)
    }

    @Test func killedBetweenTwoTransactionsTheListIsWhole() async throws {
        let origin = LibraryOrigin(imageBytes: 100)
        try await origin.serving { address in
            let outcome = try await Programs.run(
                Programs.downloader, arguments(address), in: place.url
            ) { worker in
                try await eventually("a list is saved") { try reading.generation() > 0 }
                var looks = 0
                let last = try await kill(worker) { generation in
                    looks += 1
                    #expect(generation > 0)
                    return generation > 300 && looks > 300
                }
                #expect(try reading.generation() == last)
            }
            #expect(outcome.signal == SIGKILL)
        }
        #expect(try await listExitCode() == 0)
    }

    /// Has the kernel refuse more than 600 KB of an image of 1 MB.
    private func endInMidImage(
        _ program: String = Programs.downloader, environment: [String: String] = [:],
        says: String = "(ulimit -f)"
    ) async throws {
        let origin = LibraryOrigin(imageBytes: 1_000_000)
        try await origin.serving { address in
            let outcome = try await Programs.run(
                "/bin/bash",
                ["-c", #"ulimit -f 600; exec "$0" "$@""#, program] + arguments(address),
                in: place.url, environment: environment, exits: 74)
            #expect(outcome.complaint.lowercased().contains(says), "\(outcome.complaint)")
        }
        #expect(try reading.generation() == 1)
    }

    @Test func endedInMidImageThereIsNone() async throws {
        try await endInMidImage()
        #expect(try reading.imageFiles().isEmpty)
    }

    @Test func endedInMidImageTheDocumentsDesignTearsIt() async throws {
        try await endInMidImage(
            Programs.downloaderWithBugs,
            environment: planted("image-in-place"), says: "file too large")
        let files = try reading.imageFiles()
        #expect(files.keys.map(\.count) == [32])
        #expect(files.values.first?.count ?? 1_000_000 < 1_000_000)
    }

    /// Twenty kills in a row on one library, each at another moment of a refresh.
    @Test func killedAgainAndAgainNothingIsTorn() async throws {
        let origin = LibraryOrigin()
        let images = Set((0..<3).map { LibraryOrigin.image("/image/\($0)") })
        try await origin.serving { address in
            var last = 0
            for round in 0..<20 {
                let page = place.path("witness-\(round)")
                let before = origin.feed.generation
                let outcome = try await Programs.run(
                    Programs.downloader, arguments(address), in: place.url,
                    environment: ["RIG_WITNESS": page]
                ) { worker in
                    try await eventually("lists are served") {
                        origin.feed.generation > before + round % 4
                    }
                    // This is not a wait: it spreads the kills over what follows a feed's request.
                    try await Task.sleep(for: .microseconds(300 * round))
                    #expect(Foundation.kill(worker, SIGKILL) == 0)
                }
                #expect(outcome.signal == SIGKILL)
                let found = try reading.generation()
                #expect(found >= last)
                last = found
                let feed = WitnessLayout.resource(of: address + "/feed")
                let saved = try WitnessReader(path: page).records.filter {
                    $0.resource == feed && $0.acknowledged > 0
                }
                if !saved.isEmpty { #expect(found > before) }
                for (name, image) in try reading.imageFiles() where name.count == 32 {
                    #expect(images.contains(image), "round \(round): \(name) is torn")
                }
            }
        }
        #expect(try await listExitCode() == 0)
    }
}
