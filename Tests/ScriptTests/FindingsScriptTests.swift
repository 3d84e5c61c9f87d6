import Foundation
import TestSupport
import Testing

/// `harness/ci/findings` runs the scripts of the findings three times each, and says which showed
/// nothing.
///
/// A finding that is gone, or whose script no longer works, was noticed by nothing.
@Suite struct FindingsScriptTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.provide(["basename", "tail", "timeout"])
    }

    private func run(seconds: Int = 60) throws -> Sandbox.Outcome {
        try sandbox.run(
            "harness/ci/findings",
            environment: [
                "RIG_FINDINGS=\(sandbox.root.path)/scripts", "RIG_FINDINGS_SECONDS=\(seconds)",
            ])
    }

    @Test func countsHowOftenEachScriptShowsItsFinding() throws {
        try sandbox.write("echo shown\n", to: "scripts/always.sh")
        // Shows it from the second time on, as one that kills at random moments may.
        try sandbox.write(
            "[ -e seen ] || { touch seen; echo 'not shown'; exit 1; }\n", to: "scripts/mostly.sh")
        let outcome = try run().exits(0)
        #expect(
            outcome.output.split(separator: "\n").map { $0.replacing(#/, \d+ s each/#, with: "") }
                == ["always: shown 3 of 3", "mostly: shown 2 of 3; else: not shown"])
    }

    @Test(arguments: [
        (script: "echo 'some words'; echo 'not shown'; exit 1", says: "not shown"),
        (script: "no-such-program", says: "no-such-program: command not found"),
        // It would wait for something that never comes.
        (script: "echo waiting; while true; do sleep 1; done", says: "waiting"),
    ])
    func saysWhatWasNotShown(_ row: (script: String, says: String)) throws {
        try sandbox.write("exit 0\n", to: "scripts/always.sh")
        try sandbox.write("\(row.script)\n", to: "scripts/gone.sh")
        let outcome = try run(seconds: 1).exits(1)
        let line = outcome.output.split(separator: "\n").last ?? ""
        #expect(line.hasPrefix("gone: not shown, ") && line.hasSuffix(row.says), "\(line)")
        #expect(outcome.messages.hasSuffix("harness/ci/findings: 1 of 2 not shown\n"))
    }

    @Test func theNightRunsThem() throws {
        let text = try Checkout.text(of: "harness/ci/nightly")
        let setup = try #require(text.range(of: "\nstep harness/setup --stores --workers\n"))
        let findings = try #require(text.range(of: "\nstep harness/ci/findings\n"))
        // The scripts need the stores and programs that the setup installs.
        #expect(setup.lowerBound < findings.lowerBound)
    }
}
