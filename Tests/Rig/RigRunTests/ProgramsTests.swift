import Foundation
import RigModel
import RigProfiles
import Testing

@testable import RigRun

struct ProgramsTests {
    private let folder: RunsFolder

    init() throws {
        folder = try RunsFolder()
        try FileManager.default.createDirectory(
            atPath: "\(folder.path)/tools", withIntermediateDirectories: true)
        try "#!/bin/sh\n".write(
            toFile: "\(folder.path)/tools/get.sh", atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/tools/get.sh")
    }

    private func profile(_ keys: String) throws -> WorkerProfile {
        try Workers.read("name: mine\n\(keys)\n", name: "mine.yml")
    }

    /// `rig replay` of a run with a relative script failed in every other folder.
    @Test func relativePathsAreThoseOfTheRunsFolder() throws {
        let programs = try Programs.find(from: folder.path)
        let script = "\(folder.path)/tools/get.sh"
        let plain = try profile("command: [./tools/get.sh, '{url}']")
        let installed = try programs.installed(plain)
        #expect(installed.command.first == script)
        #expect(installed.workingDirectory == folder.path)
        #expect(programs.digests(of: plain)["./tools/get.sh"] != Provenance.unknown)
        #expect(refusal(.unavailable) { _ = try Programs.find().installed(plain) } != nil)

        let placed = try profile("command: [sh, get.sh, '{url}']\ncwd: tools")
        #expect(try programs.installed(placed).workingDirectory == "\(folder.path)/tools")
        #expect(programs.digests(of: placed).keys.contains("get.sh"))
        let own = try profile("command: [./get.sh, '{url}']\ncwd: ./tools")
        #expect(try programs.installed(own).command.first == script)
    }

    @Test func aFolderThatIsMissingIsNamed() throws {
        let programs = try Programs.find(from: folder.path)
        let nowhere = try profile("command: [sh, get.sh, '{url}']\ncwd: toolz")
        let message = refusal(.unavailable) { _ = try programs.installed(nowhere) }
        #expect(message?.contains("toolz', which is no folder") == true, "\(message ?? "")")
        // It exists only once the worker is started.
        let state = try profile("command: [sh, get.sh, '{url}']\ncwd: '{dir}'")
        #expect(try programs.installed(state).workingDirectory == "{dir}")
    }

    @Test func withoutAFolderNothingIsChanged() throws {
        let plain = try profile("command: [sh, get.sh, '{url}']")
        let installed = try Programs.find().installed(plain)
        #expect(installed.workingDirectory == nil && installed.command[1] == "get.sh")
        var manifest = try folder.store("run", settings(iterations: 1)).manifest
        #expect(manifest.workingDirectory == FileManager.default.currentDirectoryPath)
        #expect(manifest.otherWorkingDirectory == nil)
        manifest.workingDirectory = folder.path
        #expect(manifest.otherWorkingDirectory == folder.path)
        manifest.workingDirectory = "\(folder.path)/gone"
        #expect(manifest.otherWorkingDirectory == nil)
    }
}

/// A user's `no_proxy` was replaced by the rig's: a worker's request to another excepted host went
/// to the company's proxy.
@Suite struct DirectAccessTests {
    @Test(arguments: [
        ([:], "127.0.0.1", "127.0.0.1"),
        (["no_proxy": "localhost"], "localhost,127.0.0.1", "localhost,127.0.0.1"),
        (["NO_PROXY": "corp.example"], "corp.example,127.0.0.1", "corp.example,127.0.0.1"),
        (["no_proxy": "a", "NO_PROXY": "b,c"], "a,127.0.0.1", "b,c,127.0.0.1"),
        (["no_proxy": "", "NO_PROXY": "b"], "127.0.0.1", "b,127.0.0.1"),
        (["no_proxy": "a, b  c,"], "a,b,c,127.0.0.1", "a,b,c,127.0.0.1"),
        (["no_proxy": "*"], "*", "*"),
        (["NO_PROXY": " * "], "*", "*"),
        (["no_proxy": "127.0.0.1 , x"], "127.0.0.1 , x", "127.0.0.1 , x"),
        (["no_proxy": "127.0.0.10"], "127.0.0.10,127.0.0.1", "127.0.0.10,127.0.0.1"),
    ])
    func whatTheUserExceptsStaysExcepted(own: [String: String], lower: String, upper: String) {
        let variables = DirectAccess.variables(beside: [:], own: own)
        #expect(variables == ["no_proxy": lower, "NO_PROXY": upper])
    }

    /// A variable that the run has recorded is the worker's, also in a replay from another shell.
    @Test func recordedOnesGoFirst() {
        let variables = DirectAccess.variables(
            beside: ["no_proxy": "then"], own: ["no_proxy": "now", "NO_PROXY": "now"])
        #expect(variables == ["no_proxy": "then,127.0.0.1", "NO_PROXY": "now,127.0.0.1"])
    }
}
