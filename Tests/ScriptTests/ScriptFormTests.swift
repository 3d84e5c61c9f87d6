import Foundation
import TestSupport
import Testing

/// Every script is executable, and stops at the first failing command.
@Suite struct ScriptFormTests {
    @Test func scriptsAreExecutableAndStrict() throws {
        let scripts = try Self.scripts(of: "/usr/bin/env bash")
        #expect(scripts.count >= 6)
        for script in scripts {
            let text = try Checkout.text(of: script)
            #expect(Checkout.isExecutable(script), "\(script)")
            #expect(text.contains("\nset -euo pipefail\n"), "\(script)")
        }
    }

    /// `harness/setup --help` was a bad option.
    @Test func scriptsForUsersExplainThemselves() throws {
        let sandbox = try Sandbox()
        let others = ["harness/rig", "harness/lib/", "harness/ci/lib/"]
        let scripts = try Self.scripts(of: "/usr/bin/env bash").filter { script in
            script.hasPrefix("harness") && !others.contains { script.hasPrefix($0) }
        }
        #expect(scripts.count > 10)
        for script in scripts {
            let outcome = try sandbox.run(script, ["--help"])
            #expect(outcome.status == 0 && outcome.messages.isEmpty, "\(script)")
            let header = try Checkout.text(of: script).split(separator: "\n").dropFirst()
                .prefix { $0.hasPrefix("#") }.map { $0.dropFirst($0.hasPrefix("# ") ? 2 : 1) }
            #expect(outcome.output == header.joined(separator: "\n") + "\n", "\(script)")
        }
    }

    /// In Python the help is the text at the top as well.
    @Test func scriptsInPythonExplainThemselves() throws {
        let sandbox = try Sandbox()
        let scripts = try Self.scripts(of: "/usr/bin/python3").filter { !$0.contains(".") }
        #expect(scripts.count > 15)
        for script in scripts {
            let outcome = try sandbox.run(script, ["--help"])
            let text = try Checkout.text(of: script).components(separatedBy: "\"\"\"")
            #expect(Checkout.isExecutable(script), "\(script)")
            #expect(outcome.status == 0 && outcome.messages.isEmpty, "\(script)")
            #expect(text.count > 2 && outcome.output == text[1], "\(script)")
        }
    }

    /// What is no option ends with 64, before anything is done.
    @Test func whatIsNoOptionIsRefused() throws {
        let sandbox = try Sandbox()
        for (line, says) in [
            ("reference-runs --all", "--all"), ("reference-runs --only", "--only"),
            ("reference-runs --only nothing", "no part 'nothing'"), ("reference --all", "--all"),
            ("reference nobody", "no profile 'nobody'"), ("reference --kills 0", "at least 1"),
            ("reference --out", "--out"), ("ci/build --all", "use harness/ci/build [--key]"),
            ("ci/schemas --all", "--all"), ("ci/mutants --only", "--only"),
            ("ci/mutants --only nothing", "no mutant 'nothing'"), ("ci/mutants --all", "--all"),
            ("ci/mutants --list x", "x"), ("ci/figures --all", "--all"),
            ("ci/findings other", "there is no"),
            ("setup --all", "use harness/setup [--test-tools]"),
            ("setup --test-tools now", "use harness/setup [--test-tools]"),
            ("setup --install", "--install needs a folder"),
            ("setup --install ", "--install needs a folder"),
            ("setup --install --test-tools", "--install needs a folder"),
        ] {
            let words = line.split(separator: " ", omittingEmptySubsequences: false).map(
                String.init)
            try sandbox.run("harness/\(words[0])", Array(words.dropFirst())).exits(64).says(says)
        }
    }

    /// All files in `harness` and `.ci` that name an interpreter first, except for build output.
    private static func scripts(of interpreter: String) throws -> [String] {
        try ["harness", ".ci"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(
                atPath: Checkout.root.appendingPathComponent(folder).path
            ).map { "\(folder)/\($0)" }
        }.filter { !$0.contains("/.build/") }.filter {
            (try? Checkout.text(of: $0))?.hasPrefix("#!\(interpreter)\n") == true
        }
    }
}
