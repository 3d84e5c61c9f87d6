import Foundation
import Testing

/// `harness/rig` builds if something changed, and otherwise does nothing extra.
@Suite struct RigScriptTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.tool("pkg-config", "exit 0")
        try sandbox.tool(
            "swift",
            """
            [[ $1 == --version ]] && { echo 'Swift version 6.3.1'; exit; }
            echo "$1 $2 $3" >>$log
            mkdir -p "$root/.build/release"
            cd "$root/.build/release"
            printf '#!%s\\necho "ran $# $* in $PWD"\\nexit 99\\n' "${0%/swift}/bash" \
                | tee rig rig-confine downloader >downloader-with-bugs
            chmod +x rig rig-confine downloader downloader-with-bugs
            echo 'compiled'
            """)
        try sandbox.write("let package = 1", to: "Package.swift")
        try sandbox.write("let a = 1", to: "Sources/Rig/rig/A.swift")
    }

    @Test func buildsOnceThenRunsInTheCallersFolderWithItsArguments() throws {
        let elsewhere = sandbox.root.appendingPathComponent("Sources")
        let first = try sandbox.run("harness/rig", ["kill-test", "a b"], in: elsewhere)
        #expect(first.messages == "building (first time 2 to 5 minutes) …\n")
        #expect(first.output == "ran 2 kill-test a b in \(elsewhere.path)\n")
        #expect(first.status == 99)

        let second = try sandbox.run("harness/rig", ["plan"], in: elsewhere)
        #expect(second.messages == "")
        #expect(second.output == "ran 1 plan in \(elsewhere.path)\n")
        #expect(sandbox.log().count == 1)
        #expect(sandbox.log().allSatisfy { $0.hasPrefix("build -c release") })
    }

    @Test(arguments: [
        ("Sources/Rig/rig/A.swift", "let a = 2"), ("Sources/Rig/rig/B.swift", ""),
        ("Package.swift", "let package = 2"), ("Package.resolved", "{}"),
    ])
    func buildsAgainWhenAnInputChanged(path: String, text: String) throws {
        _ = try sandbox.run("harness/rig")
        try sandbox.write(text, to: path)
        #expect(try sandbox.run("harness/rig").messages == "building …\n")
        #expect(sandbox.log().count == 2)
    }

    @Test func buildsAgainAfterAFailureAndShowsTheCompilersMessages() throws {
        try sandbox.tool(
            "swift",
            "[[ $1 == --version ]] && { echo 'Swift version 6.3'; exit; }; "
                + "echo 'A.swift:1: error: no'; exit 1")
        for _ in 0..<2 {
            let outcome = try sandbox.run("harness/rig").exits(70)
            #expect(outcome.output == "")
            #expect(outcome.messages.contains("A.swift:1: error: no"))
        }
    }

    @Test func doesNotBuildWhatSetupRefuses() throws {
        try sandbox.tool("swift", "echo 'Swift version 5.9'")
        try sandbox.run("harness/rig").exits(69).says("Swift 5.9 is too old")
    }
}
