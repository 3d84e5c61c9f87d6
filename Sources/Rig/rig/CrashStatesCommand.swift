internal import ArgumentParser
internal import Foundation
internal import RigLab
internal import RigModel

/// Prints every state that a power cut can leave of a short storage log, for harness/conformance.
struct CrashStatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash-states",
        abstract: "Print all states that the modelled power cut can leave of a storage log.",
        shouldDisplay: false)

    @Argument(help: "The storage log, from rig trace --record.")
    var log: String

    @Option(name: .long, help: "The folder that was recorded, as the program left it.")
    var completedFrom: String?

    private struct Line: Encodable {
        let disk: DiskModel
        let states: [String]
    }

    func run() throws {
        for disk in DiskModel.allCases where disk != .garbage {
            guard
                let states = try AllCrashStates.texts(
                    log: log, completedFrom: completedFrom, on: disk)
            else {
                throw RigError(
                    .data, "\(log) has too many states to list them; record a shorter program")
            }
            let line = try JSONEncoder().encode(Line(disk: disk, states: states.sorted()))
            print(String(decoding: line, as: UTF8.self))
        }
    }
}
