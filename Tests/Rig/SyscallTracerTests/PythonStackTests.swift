import Foundation
import Glibc
import RigModel
import StorageModel
import Testing

@testable import SyscallTracer

/// The lines of a Python program are read from its interpreter, or else there are none.
@Suite struct PythonStackTests {
    @Test(arguments: RecordedPython.all) func theLinesOfAThreadAreRead(python: RecordedPython) {
        #expect(python.read() == RecordedPython.places)
        var other = python
        other.thread += 1
        #expect(other.read() == nil)
    }

    /// Whatever cannot be read, nothing is told; and no other byte ends the tracer.
    @Test(arguments: RecordedPython.all) func damagedMemoryTellsNothing(python: RecordedPython) {
        for (address, byte) in python.bytes {
            var damaged = python
            damaged.bytes[address] = nil
            #expect(damaged.read() == nil, "\(String(address, radix: 16))")
            damaged.bytes[address] = ~byte
            _ = damaged.read()
        }
    }

    /// 3.10, a beta of 3.11, 3.14, and 3.13.1 with the offsets of 3.13.0.
    @Test(arguments: [0x030a_0cf0, 0x030b_00b1, 0x030e_00f0, 0x030d_01f0] as [UInt64])
    func otherVersionsTellNothing(version: UInt64) {
        for python in RecordedPython.all {
            var other = python
            other.store(version, at: python.symbols[1])
            #expect(other.read() == nil, "\(python.testDescription)")
        }
    }

    /// Objects have other heads without the lock, which the third word says.
    @Test func aBuildWithoutTheLockTellsNothing() {
        var python = RecordedPython.v313
        python.store(1, at: python.symbols[0] + 16)
        #expect(python.read() == nil)
    }

    /// The outer frame is its own caller.
    @Test func framesWithoutAnEndTellNothing() {
        var python = RecordedPython.v311
        let frame: UInt64 = 0x7fa5e4175020
        python.store(frame, at: frame + 48)
        #expect(python.read() == nil)
    }

    /// Tables of real functions, their first lines, and what `co_positions()` says of each unit.
    ///
    /// There are all forms of entries: a line 81 further on and back, units without one (0 here),
    /// and a coroutine.
    private static let tables: [(String, Int, [Int])] = [
        (
            "8000d8090af06202000c0df063025101090e8041f064020011128818f8dc0b15d204219845fbd00421fa",
            28,
            [
                28, 29, 110, 29, 29, 111, 111, 0, 112, 112, 112, 112, 112, 112, 112, 112, 112,
                0, 0, 0, 0, 112, 0, 0, 0,
            ]
        ),
        (
            "e800e8008000d81112883788378837883788378837804e",
            117, [117, 117, 117, 118, 118, 118, 118, 118, 118, 118, 118]
        ),
    ]

    @Test(arguments: tables) func aLineIsThatOfTheTable(table: String, first: Int, lines: [Int]) {
        let table = RecordedPython.bytes(table)
        for (unit, line) in lines.enumerated() {
            let found = PythonStack.line(ofUnit: unit, in: table, from: first)
            #expect(found == (line == 0 ? nil : line), "unit \(unit)")
        }
        #expect(PythonStack.line(ofUnit: lines.count, in: table, from: first) == nil)
        #expect(PythonStack.line(ofUnit: -1, in: table, from: first) == nil)
    }

    /// Empty, and without a first byte; and a number of 240 bits is no reason to end.
    @Test func whatIsNoTableHasNoLine() {
        for table: [UInt8] in [[], [0x7f, 0xf0]] {
            #expect(PythonStack.line(ofUnit: 0, in: table, from: 1) == nil)
        }
        let huge: [UInt8] = [0xf0] + [UInt8](repeating: 0x7f, count: 40)
        #expect(PythonStack.line(ofUnit: 1, in: huge + huge, from: Int.max) ?? 1 > 0)
    }

    @Test func symbolsOfALoadedLibraryAreFound() throws {
        let maps = Tracee.file("/proc/self/maps", atMost: 1 << 24)
        let line = try #require(maps.split(separator: "\n").first { $0.contains("/libc.so") })
        let base = try #require(UInt64(line.prefix { $0 != "-" }, radix: 16))
        let memory = TraceeMemory { Tracee.bytes(at: $0, count: $1, in: getpid()) }
        let library = try LoadedModule(at: base, in: memory)
        let symbol: UnsafeMutableRawPointer? = dlsym(dlopen(nil, RTLD_NOW), "getpid")
        let known = try #require(symbol)
        #expect(try library.address(of: "getpid") == UInt64(UInt(bitPattern: known)))
        #expect(try library.address(of: "_PyRuntime") == nil)
        #expect(throws: TraceeMemory.Implausible.self) {
            try LoadedModule(at: base + 1, in: memory)
        }
    }

    private static let script = """
        import os, sys, threading

        def save(folder, name):
            with open(folder + "/new", "w") as file:
                file.write(name)
            os.rename(
                folder + "/new",
                folder + "/" + name)

        save(sys.argv[1], "a")
        thread = threading.Thread(target=save, args=(sys.argv[1], "b"))
        thread.start()
        thread.join()
        """

    /// Succeeds in an interpreter whose lines can be told.
    private static let isKnown = """
        import sys, sysconfig
        isFree = sysconfig.get_config_var("Py_GIL_DISABLED")
        isOurs = sys.implementation.name == "cpython" and (3, 11) <= sys.version_info < (3, 14)
        sys.exit(isFree or not isOurs)
        """

    /// The write is made where the `with` ends, which Python counts to its first line.
    @Test func callsOfAProgramAreNamedByTheirLines() async throws {
        let program = try TracedProgram()
        let script = program.place.path("save.py")
        try Self.script.write(toFile: script, atomically: true, encoding: .utf8)
        let known = try await program.run("python3", ["-c", Self.isKnown]).exitCode == 0
        let (log, stacks) = (program.place.path("log"), program.place.path("stacks"))
        let outcome = try await program.trace(
            [script, "{work}"], ["--under", program.work, "--record", log, "--stacks", stacks],
            command: "python3")
        #expect(outcome.exitCode == 0, "\(outcome.complaint)")
        let calls = StackLog(path: stacks).calls
        let stacksOfCalls = try StorageLog(path: log).operations.compactMap { operation in
            calls[operation.ordinal].map { (operation.kind, $0.places.filter(\.isLine)) }
        }
        func places(_ isWanted: (StorageOperation.Kind) -> Bool) -> [[StackPlace]] {
            stacksOfCalls.filter { isWanted($0.0) }.map { $0.1 }
        }
        let writes = places { if case .write = $0 { true } else { false } }
        let renames = places { if case .rename = $0 { true } else { false } }
        try #require(writes.count == 2 && renames.count == 2)
        guard known else {
            #expect((writes + renames).allSatisfy { $0.isEmpty })
            return
        }
        let main = StackPlace.line(file: script, line: 10, function: "<module>")
        for (calls, line) in [(writes, 4), (renames, 6)] {
            let save = StackPlace.line(file: script, line: line, function: "save")
            #expect(calls[0] == [save, main])
            // A thread of its own, which the library of Python has started.
            #expect(calls[1].first == save)
        }
    }
}

extension StackPlace { fileprivate var isLine: Bool { module == nil } }
