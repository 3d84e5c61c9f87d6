import Foundation
import Glibc
@testable import RigLab
import RigModel
import TestSupport
import Testing

/// What a life of any program depends on.
struct WorkerRunTests {
    @Test func aTextIsFilled() {
        let values = WorkerPlaceholders(
            url: "http://127.0.0.1:4711/1/a%20video.mp4", directory: "/d", output: "/o",
            policy: Policy(threshold: ByteSize(bytes: 512 << 10)), port: 8080)
        #expect(
            values.fill("{origin}|{path}|{port}|{url}|{dir}|{output}|{threshold}|{durability}")
                == "127.0.0.1:4711|/1/a%20video.mp4|8080|http://127.0.0.1:4711/1/a%20video.mp4"
                + "|/d|/o|512KB|process")
        #expect(values.fill("server { listen {port}; }") == "server { listen 8080; }")
        #expect(values.fill("{unknown} {}") == "{unknown} {}")
    }

    @Test func aPortStaysUntilItIsTaken() throws {
        let port = FreePort()
        let first = try port.pick()
        #expect(try port.pick() == first)
        let other = try #require(LoopbackSocket.bound(to: first))
        defer { close(other.descriptor) }
        try #require(listen(other.descriptor, 1) == 0)
        let second = try port.pick()
        #expect(second != first)
        #expect(try port.pick() == second, "it does not go back")
    }

    /// A killed server's sockets, a pipe or a dangling link each could end a run.
    @Test func anyStateCanBeCopied() throws {
        let folder = try TemporaryFolder()
        let files = FileManager.default
        let state = folder.file("state")
        try files.createDirectory(atPath: "\(state)/a/b", withIntermediateDirectories: true)
        for name in ["top", "a/b/deep", "index-shm"] {
            try name.write(toFile: "\(state)/\(name)", atomically: false, encoding: .utf8)
        }
        try #require(mkfifo("\(state)/a/pipe", 0o600) == 0)
        try files.createSymbolicLink(atPath: "\(state)/link", withDestinationPath: "gone")
        try Self.makeSocket("\(state)/a/s")
        try StateCopy.copy(from: state, to: folder.file("copy"))
        #expect(
            try files.subpathsOfDirectory(atPath: folder.file("copy")).sorted()
                == ["a", "a/b", "a/b/deep", "link", "top"])
        #expect(
            try String(contentsOfFile: folder.file("copy/a/b/deep"), encoding: .utf8) == "a/b/deep")
    }

    private static func makeSocket(_ path: String) throws {
        let name = URL(fileURLWithPath: path)
        // A socket address only has room for a short path.
        let script =
            "import os,socket,sys; os.chdir(sys.argv[1]); "
            + "socket.socket(socket.AF_UNIX).bind(sys.argv[2])"
        let ended = try Tool.run([
            "python3", "-c", script, name.deletingLastPathComponent().path, name.lastPathComponent,
        ])
        try #require(ended.status == 0, "\(ended.words)")
    }

    /// Files may vanish while a folder is read: temporary files of a program that cleans up.
    @Test func whatVanishesWhileItIsCopiedIsLeftOut() throws {
        let folder = try TemporaryFolder()
        let (state, copy) = (folder.file("state"), folder.file("copy"))
        try FileManager.default.createDirectory(
            atPath: "\(state)/going", withIntermediateDirectories: true)
        for name in ["kept", "gone", "going/along"] {
            try name.write(toFile: "\(state)/\(name)", atomically: false, encoding: .utf8)
        }
        try StateCopy.copy(from: state, to: copy) { path in
            if ["gone", "going"].contains(URL(fileURLWithPath: path).lastPathComponent) {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
        #expect(try FileManager.default.subpathsOfDirectory(atPath: copy) == ["kept"])
    }
}

/// Which processes belong to a run.
struct RunProcessTests {
    /// Launches a program, waits until it has written a file, and finds the run's processes.
    private func look(
        _ script: String, _ environment: [String: String], in folder: TemporaryFolder, mark: RunMark
    ) async throws -> (id: pid_t, found: [ProcessFacts]) {
        let up = folder.file("up")
        let (_, seen) = try await WorkerLauncher(environment: environment).run(
            ["/bin/sh", "-c", script, up], log: folder.file("log")
        ) { worker in
            defer { worker.kill() }
            worker.waits("it is up") {
                !worker.isAlive || FileManager.default.fileExists(atPath: up)
            }
            return (worker.processID, RunProcesses.living(mark))
        }
        return seen
    }

    private static let wait = "; : > \"$0\"; while :; do sleep 1; done"

    @Test func theMarkTells() async throws {
        let folder = try TemporaryFolder()
        let mark = RunMark(entry: "RIG_TEST_MARK=\(folder.path)", folder: nil)
        let seen = try await look(
            ":" + Self.wait, ["RIG_TEST_MARK": folder.path], in: folder, mark: mark)
        #expect(seen.found.contains { $0.id == seen.id && $0.group == seen.id })
        let other = RunMark(entry: "RIG_TEST_MARK=\(folder.path)x", folder: nil)
        let unseen = try await look(
            ":" + Self.wait, ["RIG_TEST_MARK": folder.path], in: folder, mark: other)
        #expect(unseen.found.isEmpty)
    }

    /// A process that only has one of the run's files open must not be killed.
    @Test func anOpenFileAloneDoesNotTell() async throws {
        let folder = try TemporaryFolder()
        let mark = RunMark(entry: "RIG_TEST_MARK=none", folder: RealPath.of(folder.path))
        let seen = try await look("exec 9>\"$0.open\"" + Self.wait, [:], in: folder, mark: mark)
        #expect(seen.found.isEmpty)
    }

    /// A worker's child that was exiting was reported as left running: on a machine with a
    /// busy core it had not disappeared after a second.
    @Test func aProcessThatIsExitingIsWaitedFor() {
        func process(isDying: Bool) -> ProcessFacts {
            ProcessFacts(
                id: 1, name: "child", group: 1, started: 0, hasEnded: false, isDying: isDying)
        }
        #expect(!RunProcesses.mayStillExit([], after: 0))
        #expect(RunProcesses.mayStillExit([process(isDying: false)], after: 0.9))
        #expect(!RunProcesses.mayStillExit([process(isDying: false)], after: 1.1))
        #expect(RunProcesses.mayStillExit([process(isDying: true)], after: 9.9))
        #expect(!RunProcesses.mayStillExit([process(isDying: true)], after: 10.1))
        let both = [process(isDying: true), process(isDying: false)]
        #expect(!RunProcesses.mayStillExit(both, after: 1.1), "one of them runs on")
    }

    /// A server that its script had started out of the group was no part of a checked program.
    ///
    /// So it went on after the kill, and the row failed.
    @Test func whatHasLeftTheGroupDiesWithIt() async throws {
        let place = try TemporaryFolder()
        let folder = try IterationFolder(creating: place.file("iteration"))
        let traces = try ProcessReaper(in: folder)
        let log = "\(folder.state)/log"
        let script = "setsid sh -c 'while :; do echo on >> \"$0\"; sleep 0.01; done' \"$0\" & wait"
        let (death, seen) = try await WorkerLauncher(
            environment: [IterationFolder.markVariable: folder.realPath]
        ).run(["/bin/sh", "-c", script, log], log: place.file("log")) { worker in
            let whole = traces.withOutsiders(worker)
            whole.waits("it writes") { FileManager.default.fileExists(atPath: log) }
            let outsiders = whole.outsiders().map(\.name)
            whole.kill()
            return (outsiders, left: RunProcesses.living(folder.mark).map(\.words))
        }
        #expect(death == .signaled(SIGKILL))
        #expect(seen.0.contains("sh"), "\(seen)")
        #expect(seen.left == [])
    }

    @Test func whatIsThereIsKilledAndNamed() async throws {
        let folder = try TemporaryFolder()
        let entry = "RIG_TEST_MARK=\(folder.path)"
        let mark = RunMark(entry: entry, folder: nil)
        let script = """
            setsid sh -c ': > "$0"; exec sleep 1000' "$0" > /dev/null 2>&1 &
            until [ -e "$0" ]; do sleep 0.01; done
            """
        let (_, group) = try await WorkerLauncher(
            environment: ["RIG_TEST_MARK": folder.path]
        ).run(["/bin/sh", "-c", script, folder.file("up")], log: folder.file("log")) { worker in
            worker.waits("it has ended") { !worker.isAlive }
            return worker.processID
        }
        let left = RunProcesses.clear(mark, groups: [group], wasKilled: true)
        #expect(left.map(\.name) == ["sleep"] || left.map(\.name) == ["sh"])
        #expect(left.first?.command?.contains("sleep 1000") == true)
        #expect(left.first?.command?.count ?? 0 <= 80)
        #expect(left.first?.words.contains(", \(left.first?.command ?? "-"))") == true)
        #expect(RunProcesses.living(mark).isEmpty)
        #expect(RunProcesses.clear(mark, groups: [group], wasKilled: true).isEmpty)
    }
}
