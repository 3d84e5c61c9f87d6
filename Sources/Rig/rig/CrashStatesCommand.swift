internal import ArgumentParser
internal import Foundation
internal import RigLab
internal import RigModel
internal import StorageModel

/// Prints or writes states that a power cut can leave of a log, for harness/conformance.
struct CrashStatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash-states",
        abstract: "Print all states that the modelled power cut can leave of a storage log.",
        shouldDisplay: false)

    @Argument(help: "The storage log, from rig trace --record.") var log: String

    @Option(help: "The folder that was recorded, as the program left it.")
    var completedFrom: String?

    @Option(help: "Say whether this folder is a state, as a real cut has left it.")
    var contains: String?

    @Option(help: "A folder for states of cuts during the life, 64 at a time.") var into: String?
    @Option(help: "With --into or --contains: what the disk may do.") var disk: DiskModel = .ext4

    @Option(help: "With --into: decides what is not certain.") var seed: UInt64 = 1
    @Option(help: "With --into: about the most states.") var most = 1_000_000

    private struct Line: Encodable {
        let disk: DiskModel
        let states: [String]
    }

    func run() throws {
        if let contains {
            let objection = try TornCut.objection(to: contains, after: log, on: disk)
            return print(objection.map { "no: \($0)" } ?? "yes")
        }
        if let into { return try write(to: into) }
        for disk in DiskModel.allCases where disk != .garbage {
            guard
                let states = try TornCut.allStates(log: log, completedFrom: completedFrom, on: disk)
            else {
                throw RigError(
                    .data, "\(log) has too many states to list them; record a shorter program")
            }
            let line = try JSONEncoder().encode(Line(disk: disk, states: states.sorted()))
            print(String(decoding: line, as: UTF8.self))
        }
    }

    /// Writes states to folders below a folder, and prints the operation of each; after so many,
    /// and at the end, it prints an empty line, and waits for a line of its reader.
    private func write(to folder: String) throws {
        let cuts = try TornCut.cuts(log: log, on: disk, told: Self.told, each: 2)
        var count = 0
        try cuts.visit(seed: seed, most: most) { operation, image, told in
            let place = "\(folder)/\(count % Self.batch)"
            try FileManager.default.createDirectory(
                atPath: place, withIntermediateDirectories: true)
            try image.replace(folder: place, with: told, as: Self.told)
            say("\(operation)")
            count += 1
            if count % Self.batch == 0 { try waitForTheReader() }
        }
        if count % Self.batch > 0 { try waitForTheReader() }
    }

    private static let batch = 64
    /// The file by which a recorded life tells what it has done.
    private static let told = "told"

    private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

    private func waitForTheReader() throws {
        say("")
        try RigError.require(
            readLine() != nil, .unavailable, "the reader of the states has ended; see what it said")
    }
}
