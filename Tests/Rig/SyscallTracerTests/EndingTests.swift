import Foundation
import Glibc
import SyscallTracer
import TestSupport
import Testing

/// A tracer ends as its program did, and the program dies with it.
@Suite struct EndingTests {
    private let program: TracedProgram

    init() throws { program = try TracedProgram() }

    @Test(arguments: [0, 1, 64, 255]) func exitCodesPassThrough(code: Int32) async throws {
        let outcome = try await program.trace(["exit", "\(code)"])
        #expect(outcome.exitCode == code && outcome.report?.exitCode == code)
        #expect(outcome.report?.signal == nil && outcome.report?.kill == nil)
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGUSR1, SIGALRM])
    func signalsPassThrough(signal: Int32) async throws {
        let outcome = try await program.trace(["signal", "\(signal)"])
        #expect(outcome.signal == signal && outcome.report?.signal == signal)
        #expect(outcome.report?.exitCode == nil)
    }

    /// The tracer used to send the signal to its whole process.
    ///
    /// Most often another thread took it, and the tracer continued and exited with 139, so that
    /// a crash was reported as an exit.
    @Test func aCrashIsNeverAnExit() async throws {
        for _ in 0..<20 {
            // Not a Swift program, because Swift's runtime has a handler for this signal.
            let outcome = try await program.trace(["-c", "kill -SEGV $$"], command: "/bin/sh")
            #expect(outcome.signal == SIGSEGV && outcome.report?.signal == SIGSEGV)
        }
    }

    /// curl ends with 23 and names no place: the tracer names the last one that was refused.
    @Test func whatIsRefusedIsNamed() async throws {
        // No file system lets a folder have two names.
        let script = "link($ARGV[0], \"$ARGV[0]/a\"); link($ARGV[0], \"$ARGV[0]/b\"); exit 23"
        let outcome = try await program.trace(["-e", script, program.work], command: "perl")
        #expect(outcome.exitCode == 23)
        #expect(outcome.report?.refused == "\(program.work)/b")
        let sound = try await program.trace(
            ["-e", "mkdir \"$ARGV[0]/a\"", program.work], command: "perl")
        #expect(sound.exitCode == 0 && sound.report?.refused == nil)
    }

    @Test(arguments: ["/no/such/program", "no-such-program-anywhere"])
    func aProgramThatIsNotThereIsSaidSo(name: String) async throws {
        let outcome = try await program.trace([], command: name)
        #expect(outcome.exitCode == 69)
        #expect(outcome.complaint.contains("cannot start \(name)"))
        #expect(outcome.report == nil)
    }

    @Test func aFolderThatIsNotThereIsSaidSo() async throws {
        let outcome = try await program.trace(["exit", "0"], ["--under", "/no/such/folder"])
        #expect(outcome.exitCode == 64)
        #expect(outcome.complaint.contains("/no/such/folder"))
    }

    @Test func aProgramThatIgnoresSignalsIsKilledAllTheSame() async throws {
        let outcome = try await program.trace(
            ["forever", "{work}"], ["--under", program.work, "--kill-at", "30"])
        #expect(outcome.signal == 9 && outcome.report?.kill?.call.ordinal == 30)
        // The first call is the creation, and the thirtieth does not happen.
        #expect(try program.sizes() == ["forever": 28])
    }

    @Test func killingTheTracerKillsTheProgram() async throws {
        let outcome = try await program.trace(["forever", "{work}"], ["--under", program.work]) {
            tracer in
            try await eventually("the program writes") {
                try program.sizes()["forever", default: 0] > 3
            }
            let child = try #require(Self.children(of: tracer).first)
            kill(tracer, SIGKILL)
            try await eventually("the program is gone") { !Self.isAlive(child) }
        }
        #expect(outcome.signal == 9)
        #expect(outcome.report == nil)
    }

    /// Uses a program that never ends: one that ends by itself could do so before a busy
    /// machine looked.
    @Test func aSignalToTheTracerReachesTheProgram() async throws {
        let outcome = try await program.trace(["infinity"], command: "sleep") { tracer in
            try await eventually("the program runs") {
                Self.children(of: tracer).contains { Self.name(of: $0) == "sleep" }
            }
            kill(tracer, SIGTERM)
        }
        #expect(outcome.signal == SIGTERM && outcome.report?.signal == SIGTERM)
    }

    @Test func whatTheProgramLeavesBehindEndsWithIt() async throws {
        let outcome = try await program.trace(
            ["leave-behind", "{work}"], ["--under", program.work])
        #expect(outcome.exitCode == 0)
        let size = try program.sizes()["forever"]
        let everyone = try FileManager.default.contentsOfDirectory(atPath: "/proc")
        let left = everyone.filter { name in
            let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") ?? Data()
            return String(decoding: line, as: UTF8.self).contains(program.work)
        }
        #expect(left == [])
        #expect(try program.sizes()["forever"] == size)
    }

    /// The fields of `/proc/PID/stat`, from the state on.
    private static func facts(_ process: pid_t) -> [Substring] {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        guard let end = text.lastIndex(of: ")") else { return [] }
        return text[end...].dropFirst(2).split(separator: " ")
    }

    private static func children(of process: pid_t) -> [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(pid_t.init).filter { facts($0).dropFirst().first == "\(process)" }
    }

    private static func name(of process: pid_t) -> String? {
        let text = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return text?.split(separator: "\n").first.map(String.init)
    }

    private static func isAlive(_ process: pid_t) -> Bool {
        facts(process).first.map { $0 != "Z" } ?? false
    }
}
