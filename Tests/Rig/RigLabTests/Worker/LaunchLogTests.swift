import Foundation
import TestSupport
import Testing

@testable import RigLab

/// Which lines of an iteration's log are those of which launch.
@Suite struct LaunchLogTests {
    private func files(in folder: TemporaryFolder) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("."))
            .filter { $0.hasPrefix("launch-") }
        return Dictionary(
            uniqueKeysWithValues: try names.map {
                ($0, try String(contentsOfFile: folder.file($0), encoding: .utf8))
            })
    }

    @Test func eachLaunchHasItsOwnLinesUpToTheKill() throws {
        for (kill, expected) in [
            (1, ["launch-1.log": "first\n"]),
            (2, ["launch-1.log": "first\n", "launch-2.log": "second\n"]),
        ] {
            let folder = try TemporaryFolder()
            let log = LaunchLog(path: folder.file("worker.log"))
            log.noteLaunch()
            try append("first\n", to: log.path)
            log.noteEnd(ofKill: 1)
            log.noteLaunch()
            try append("second\n", to: log.path)
            log.noteEnd(ofKill: 2)
            log.noteLaunch()
            try append("relaunched\n", to: log.path)
            // The states of a power cut are examined one after the other.
            log.noteEnd(ofKill: 1)
            try log.keepLaunches(upToKill: kill, in: folder.file("."))
            #expect(try files(in: folder) == expected)
        }
    }

    /// Killed before its first line, it has a log without one.
    @Test func aSilentLaunchHasAnEmptyLog() throws {
        let folder = try TemporaryFolder()
        let log = LaunchLog(path: folder.file("worker.log"))
        try append("", to: log.path)
        log.noteLaunch()
        log.noteEnd(ofKill: 1)
        log.noteLaunch()
        try append("relaunched\n", to: log.path)
        log.noteEnd(ofKill: 2)
        log.noteLaunch()
        log.noteEnd(ofKill: 3)
        try log.keepLaunches(upToKill: 1, in: folder.file("."))
        #expect(try files(in: folder) == ["launch-1.log": ""])
        try log.keepLaunches(upToKill: 3, in: folder.file("."))
        #expect(
            try files(in: folder)
                == ["launch-1.log": "", "launch-2.log": "relaunched\n", "launch-3.log": ""])
    }

    @Test func ofALongLogTheBeginningAndTheEndAreKept() throws {
        let folder = try TemporaryFolder()
        let log = LaunchLog(path: folder.file("worker.log"))
        log.noteLaunch()
        try append("begin\n" + String(repeating: "x", count: 1 << 20) + "\nend\n", to: log.path)
        log.noteEnd(ofKill: 1)
        try log.keepLaunches(upToKill: 1, in: folder.file("."))
        let kept = try #require(try files(in: folder)["launch-1.log"])
        #expect(kept.hasPrefix("begin\n"))
        #expect(kept.hasSuffix("x\nend\n"))
        let surplus = (1 << 20) + 11 - LaunchLog.mostBytes
        #expect(kept.contains("[rig: \(surplus) bytes are left out here]"))
        #expect(kept.utf8.count <= LaunchLog.mostBytes + 100)
    }
}
