import Foundation
import TestSupport
import Testing

/// `harness/test --quick` runs without it, the whole of `harness/test` installs it.
private let python = "/usr/bin/python3"

/// In each target every folder uses those below it and none above it: `harness/lib/layers.py` has
/// the order, and finds each use of a folder above.
///
/// The eleven folders of RigLab had become one circle, in which no part could be read alone.
@Suite(
    .enabled(if: FileManager.default.isExecutableFile(atPath: python), "python3 is not installed"))
struct LayerTests {
    /// The exit code of the script, and what it printed.
    private struct Outcome: Equatable {
        let status: Int32
        let lines: [String]

        static let clean = Outcome(status: 0, lines: [])
    }

    private static func layers(_ arguments: String...) throws -> Outcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = [Checkout.path("harness/lib/layers.py")] + arguments
        // What starts the tests may have set a home for a Python of its own.
        process.environment = ["PATH": "/usr/bin:/bin"]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run(within: patience)
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus,
            lines: String(decoding: output, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    /// What the script finds in a repository of two folders of RigLab, a low one and a high one.
    private static func layers(low: String, high: String, cycles: Bool = false) throws -> Outcome {
        let root = FileManager.default.temporaryDirectory
            .appendingPathComponent("layers-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        for (folder, text) in [("Machine", low), ("Lab", high)] {
            let place = root.appendingPathComponent("Sources/Rig/RigLab/\(folder)")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try text.write(
                to: place.appendingPathComponent("A.swift"), atomically: false, encoding: .utf8)
        }
        return try cycles
            ? layers("--root", root.path, "--cycles", "RigLab")
            : layers("--root", root.path, "RigLab")
    }

    @Test func noFolderUsesOneAboveIt() throws {
        #expect(try Self.layers("--check") == .clean)
        #expect(try Self.layers("--cycles") == .clean)
    }

    @Test(arguments: [
        "let it: High?", "extension High {}", "func it() -> [High] { [] }", "let it = High.self",
        "struct Low: High {}", "let it = \"\\(High.count)\"", "let it = RigLab.High()",
        "let it = \"\"\"\n    \\(String(\"\\(High())\"))\n    \"\"\"", "let it = 0...High.count",
        "/* a /* b */ c */ let it = #\"a\"b\"# + High()",
    ])
    func aUseOfAFolderAboveIsCaught(low: String) throws {
        let found = try Self.layers(low: low, high: "@frozen package struct High {}\n")
        let expected = Outcome(status: 1, lines: ["RigLab/Machine/A.swift uses High of Lab"])
        #expect(found == expected)
    }

    @Test(arguments: [
        "// High", "/* High /* High */ High */", "let it = \"High\"", "let it = #\"\\(High)\"#",
        "let it = \"\"\"\n    High \"High\"\n    \"\"\"", "let it = Other.High()",
        "let Highest = 1",
        "struct Low { struct High {}; let it: High }", "private struct High {}; let it = High()",
    ])
    func whatIsNoUsePasses(low: String) throws {
        #expect(try Self.layers(low: low, high: "struct High {}") == .clean)
    }

    @Test(arguments: [
        "protocol High {}", "enum High {}", "final class High {}", "actor High {}",
        "typealias High = Int", "let High = 1", "func High() {}",
        "#if os(Linux)\nstruct High {}\n#endif",
    ])
    func everyKindOfNameIsKnown(high: String) throws {
        #expect(try Self.layers(low: "let it = High()", high: high).status == 1)
        #expect(try Self.layers(low: "", high: high + "; let it = Low()") == .clean)
    }

    @Test(arguments: [
        "private struct High {}", "fileprivate enum High {}", "struct A { enum High {} }",
    ])
    func whatOtherFilesCannotSeeIsNoName(high: String) throws {
        #expect(try Self.layers(low: "let it = High()", high: high) == .clean)
    }

    @Test func aCircleIsCaught() throws {
        let (low, high) = ("struct Low { var it: High? }", "struct High { var it: Low? }")
        let expected = Outcome(status: 1, lines: ["RigLab: Lab Machine"])
        #expect(try Self.layers(low: low, high: high, cycles: true) == expected)
        #expect(try Self.layers(low: "struct Low {}", high: high, cycles: true) == .clean)
    }

    @Test func anUnknownTargetIsRefused() throws {
        #expect(try Self.layers("Gone").status == 64)
        #expect(try Self.layers("--all").status == 64)
    }
}
