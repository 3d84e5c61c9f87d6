import Foundation
import Testing

/// Every script can be run as it is, and stops at the first thing that fails.
@Suite struct ScriptFormTests {
    @Test func scriptsAreExecutableAndStrict() throws {
        let scripts = try Self.scripts()
        #expect(scripts.count >= 6)
        for script in scripts {
            let text = try Repository.text(of: script)
            #expect(Repository.isExecutable(script), "\(script)")
            #expect(text.contains("\nset -euo pipefail\n"), "\(script)")
        }
    }

    /// Everything in `harness` and `.ci` that begins with bash's name, and was not built.
    private static func scripts() throws -> [String] {
        try ["harness", ".ci"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(
                atPath: Repository.root.appendingPathComponent(folder).path
            ).map { "\(folder)/\($0)" }
        }.filter { !$0.contains("/.build/") }.filter {
            (try? Repository.text(of: $0))?.hasPrefix("#!/usr/bin/env bash\n") == true
        }
    }
}
