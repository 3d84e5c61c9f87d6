import Foundation
import TestSupport
import Testing

@testable import Witness

/// Positions and sizes in the C header and the Python module are those of the layout.
@Suite struct ForeignLayoutTests {
    /// Each constant's name in Python, its name in C, and its value.
    private static let constants: [(python: String, c: String, value: UInt64)] = [
        ("MAGIC", "RIG_WITNESS_MAGIC", WitnessLayout.magic),
        ("VERSION", "RIG_WITNESS_VERSION", UInt64(WitnessLayout.version)),
        ("SLOTS", "RIG_WITNESS_SLOTS", UInt64(WitnessLayout.slotCount)),
        ("SIZE", "RIG_WITNESS_SIZE", UInt64(WitnessLayout.pageSize)),
        ("AT_MAGIC", "RIG_WITNESS_AT_MAGIC", 0),
        ("AT_VERSION", "RIG_WITNESS_AT_VERSION", UInt64(WitnessLayout.versionOffset)),
        ("AT_SLOTS", "RIG_WITNESS_AT_SLOTS", UInt64(WitnessLayout.slotCountOffset)),
        ("AT_PHASE", "RIG_WITNESS_AT_PHASE", UInt64(WitnessLayout.phaseOffset)),
        ("AT_COMMITS", "RIG_WITNESS_AT_COMMITS", UInt64(WitnessLayout.commitsOffset)),
        ("AT_REQUESTS", "RIG_WITNESS_AT_REQUESTS", UInt64(WitnessLayout.requestsOffset)),
        ("AT_EVICTIONS", "RIG_WITNESS_AT_EVICTIONS", UInt64(WitnessLayout.evictionsOffset)),
        ("AT_ENTRIES", "RIG_WITNESS_AT_ENTRIES", UInt64(WitnessLayout.entriesOffset)),
        ("AT_HOLD", "RIG_WITNESS_AT_HOLD", UInt64(WitnessLayout.holdOffset)),
        ("AT_WAITING", "RIG_WITNESS_AT_WAITING", UInt64(WitnessLayout.waitingOffset)),
        ("AT_SLOT", "RIG_WITNESS_AT_SLOT", UInt64(WitnessLayout.slotsOffset)),
        ("SLOT_SIZE", "RIG_WITNESS_SLOT_SIZE", UInt64(WitnessLayout.slotStride)),
        ("RESOURCE", "RIG_WITNESS_IN_SLOT_RESOURCE", UInt64(WitnessLayout.resourceOffset)),
        ("RECORD", "RIG_WITNESS_IN_SLOT_RECORD", UInt64(WitnessLayout.recordOffset)),
        ("RECORD_SIZE", "RIG_WITNESS_RECORD_SIZE", UInt64(WitnessLayout.recordSize)),
        ("EVICTION", "RIG_WITNESS_IN_SLOT_EVICTION", UInt64(WitnessLayout.evictionOffset)),
    ]

    private let folder: URL
    private let page: RawPage

    init() throws {
        page = try RawPage()
        folder = URL(fileURLWithPath: page.path).deletingLastPathComponent()
    }

    private func compileAndRun(_ source: String, _ compiler: [String]) throws -> String {
        let file = folder.appendingPathComponent("print.c")
        try source.write(to: file, atomically: true, encoding: .utf8)
        let program = folder.appendingPathComponent("print").path
        let (status, words) = try Tool.run(
            compiler + [
                "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror", "-I",
                PageWriter.folder, file.path, "-o", program,
            ])
        try #require(status == 0, "\(words)")
        return try Tool.run([program]).words
    }

    private static var source: String {
        let lines = constants.map { "printf(\"%llu\\n\", (unsigned long long)\($0.c));" }
        let phases = WitnessPhase.allCases.map {
            "printf(\"%d\\n\", (int)RIG_\("\($0)".uppercased()));"
        }
        return """
            #include "rig_witness.h"
            #include <stdio.h>
            int main(void) {
            \((lines + phases).joined(separator: "\n"))
            printf("%llu\\n", (unsigned long long)rig_witness_resource("foobar"));
            return 0;
            }
            """
    }

    private static var expected: [UInt64] {
        constants.map(\.value) + WitnessPhase.allCases.map { UInt64($0.rawValue) }
            + [WitnessLayout.resource(of: "foobar")]
    }

    @Test(arguments: [
        ["cc", "-std=c99"], ["cc", "-std=gnu17"], ["c++", "-x", "c++", "-std=c++11"],
        ["c++", "-x", "c++", "-std=c++20"],
    ])
    func theHeaderHasTheLayoutsNumbersInAnyLanguage(compiler: [String]) throws {
        let printed = try compileAndRun(Self.source, compiler)
        #expect(printed.split(separator: "\n").map { UInt64($0) } == Self.expected)
    }

    @Test func theModuleHasTheLayoutsNumbers() throws {
        let names = Self.constants.map(\.python).joined(separator: ", ")
        let program = """
            from rig_witness import *
            from rig_witness import PHASES
            for value in (\(names)): print(value)
            print(*PHASES)
            """
        let (status, words) = try Tool.run(
            ["python3", "-c", program], environment: PageWriter.environment(page: nil))
        #expect(status == 0)
        let lines = words.split(separator: "\n").map(String.init)
        #expect(lines.dropLast().map { UInt64($0) } == Self.constants.map(\.value))
        #expect(
            lines.last == WitnessPhase.allCases.map { "\($0)" }.joined(separator: " "))
    }

    /// The module has fewer than 120 lines, and neither file needs anything else, as promised.
    @Test func bothAreOneSmallFileWithoutDependencies() throws {
        let module = try String(
            contentsOfFile: "\(PageWriter.folder)/rig_witness.py", encoding: .utf8)
        #expect(module.split(separator: "\n", omittingEmptySubsequences: false).count <= 120)
        let imports = module.split(separator: "\n").filter { $0.contains("import") }
        #expect(
            imports == ["import collections, functools, mmap, os, sys, threading, time"])
        let header = try String(
            contentsOfFile: "\(PageWriter.folder)/rig_witness.h", encoding: .utf8)
        let includes = header.split(separator: "\n").filter { $0.hasPrefix("#include") }
        #expect(!includes.isEmpty)
        #expect(includes.allSatisfy { $0.hasPrefix("#include <") })
    }

    /// The README's tables have the positions of the layout.
    @Test func theReadmeHasTheLayoutsPositions() throws {
        let readme = try String(
            contentsOfFile: "\(PageWriter.folder)/README.md", encoding: .utf8)
        let places = [
            ("magic:", "0"), ("version:", "\(WitnessLayout.versionOffset)"),
            ("number of request slots:", "\(WitnessLayout.slotCountOffset)"),
            ("phase:", "\(WitnessLayout.phaseOffset)"),
            ("commits", "\(WitnessLayout.commitsOffset)"),
            ("requests begun", "\(WitnessLayout.requestsOffset)"),
            ("evictions", "\(WitnessLayout.evictionsOffset)"),
            ("entries:", "\(WitnessLayout.entriesOffset)"),
            ("hold:", "\(WitnessLayout.holdOffset)"),
            ("waiting:", "\(WitnessLayout.waitingOffset)"),
            ("a request slot", "\(WitnessLayout.slotsOffset) + \(WitnessLayout.slotStride) × slot"),
            ("resource:", "\(WitnessLayout.resourceOffset)"),
            ("record for an even", "\(WitnessLayout.recordOffset)"),
            ("record for an odd", "\(WitnessLayout.recordOffset + WitnessLayout.recordSize)"),
            ("an eviction,", "\(WitnessLayout.evictionOffset)"),
        ]
        let rows = readme.split(separator: "\n")
        for (field, offset) in places {
            #expect(
                rows.contains { $0.hasPrefix("| \(offset) | ") && $0.contains(" | \(field)") },
                "\(field)")
        }
    }
}
