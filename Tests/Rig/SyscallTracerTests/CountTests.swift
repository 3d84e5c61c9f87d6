import Foundation
import SyscallTracer
import Testing

/// Which calls count, and that strace sees as many.
@Suite struct CountTests {
    private let program: TracedProgram

    init() throws { program = try TracedProgram() }

    @Test(arguments: [
        ["threads", "{work}", "4", "20"], ["processes", "{work}", "4", "20"], ["kinds", "{work}"],
    ]) func asManyAsStraceSees(arguments: [String]) async throws {
        let seen = try await program.trace(arguments, ["--under", program.work])
        let report = try #require(seen.report)
        #expect(seen.exitCode == 0, "\(seen.complaint)")
        try program.clear()
        let strace = try await straced(arguments)
        #expect(report.countedByName == strace)
        #expect(report.counted == strace.values.reduce(0, +))
    }

    /// The calls by name, as strace sees them.
    ///
    /// In `FileCaller`, calls that change nothing come last, and begin with an eventfd.
    private func straced(_ arguments: [String]) async throws -> [String: Int] {
        let log = program.place.path("strace")
        let names = [
            "write", "pwrite64", "writev", "pwritev", "sendfile", "copy_file_range",
            "truncate", "ftruncate", "fallocate", "rename", "link", "unlink", "symlink",
            "mkdir", "rmdir", "fsync", "fdatasync", "sync_file_range", "syncfs", "openat",
            "renameat", "linkat", "unlinkat", "symlinkat", "mkdirat", "eventfd2",
        ]
        let result = try await program.run(
            "strace",
            ["-f", "-o", log, "-e", "trace=" + names.joined(separator: ",")]
                + [TracedProgram.fileCaller]
                + arguments.map { $0 == "{work}" ? program.work : $0 })
        #expect(result.exitCode == 0, "is strace there? harness/setup --test-tools installs it")
        var counts: [String: Int] = [:]
        for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
            guard let text = line.split(separator: " ", maxSplits: 1).last else { continue }
            let name = String(text.drop { $0 == " " }.prefix { $0 != "(" })
            if name == "eventfd2" { break }
            guard names.contains(name) else { continue }
            if name == "openat", !text.contains("O_CREAT"), !text.contains("O_TRUNC") { continue }
            counts[name, default: 0] += 1
        }
        return counts
    }

    @Test func theCountIsTheSameEveryTime() async throws {
        for options in [[], ["--unfiltered"], ["--record", program.place.path("log")]] {
            for _ in 1...3 {
                try program.clear()
                let outcome = try await program.trace(
                    ["threads", "{work}", "8", "25"], ["--under", program.work] + options)
                #expect(outcome.report?.counted == 8 * (1 + 2 * 25))
            }
        }
    }

    /// A shell that writes to a named pipe waits for the reader to open it, and the reader's calls
    /// waited for the shell's: under the tracer the program hung.
    @Test func whoOpensAPipeHoldsUpNobody() async throws {
        for options in [[], ["--unfiltered"]] {
            try program.clear()
            let outcome = try await program.trace(
                ["pipe", "{work}"], ["--under", program.work] + options)
            #expect(outcome.exitCode == 0, "\(outcome.complaint)")
            #expect(outcome.report?.countedByName == ["openat": 1])
        }
    }

    @Test func onlyWhatLiesBelowTheFolderCounts() async throws {
        let other = program.place.path("work-not")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        let elsewhere = try await program.trace(
            ["threads", "{work}", "2", "3"], ["--under", other])
        #expect(elsewhere.report?.counted == 0)
        let anywhere = try await program.trace(["threads", other, "2", "3"])
        #expect(anywhere.report?.counted == 2 * (1 + 2 * 3))
        // The folder may be given as a symbolic link.
        try FileManager.default.createSymbolicLink(
            atPath: program.place.path("link"), withDestinationPath: program.work)
        let linked = try await program.trace(
            ["threads", "{work}", "2", "3"], ["--under", program.place.path("link")])
        // The files exist already, so none is created.
        #expect(linked.report?.counted == 2 * 2 * 3)
    }
}
