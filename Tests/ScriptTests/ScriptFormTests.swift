import Foundation
import TestSupport
import Testing

/// Every script is executable, and stops at the first failing command.
@Suite struct ScriptFormTests {
    @Test func scriptsAreExecutableAndStrict() throws {
        let scripts = try Self.scripts()
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
        let scripts = try Self.scripts().filter { script in
            script.hasPrefix("harness") && !others.contains { script.hasPrefix($0) }
        }
        #expect(scripts.count > 15)
        for script in scripts {
            let outcome = try sandbox.run(script, ["--help"])
            #expect(outcome.status == 0 && outcome.messages.isEmpty, "\(script)")
            let header = try Checkout.text(of: script).split(separator: "\n").dropFirst()
                .prefix { $0.hasPrefix("#") }.map { $0.dropFirst($0.hasPrefix("# ") ? 2 : 1) }
            #expect(outcome.output == header.joined(separator: "\n") + "\n", "\(script)")
        }
    }

    /// All files in `harness` and `.ci` that begin with bash's name, except for build output.
    private static func scripts() throws -> [String] {
        try ["harness", ".ci"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(
                atPath: Checkout.root.appendingPathComponent(folder).path
            ).map { "\(folder)/\($0)" }
        }.filter { !$0.contains("/.build/") }.filter {
            (try? Checkout.text(of: $0))?.hasPrefix("#!/usr/bin/env bash\n") == true
        }
    }
}
