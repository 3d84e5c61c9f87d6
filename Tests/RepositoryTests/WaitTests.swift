import Testing

/// Every wait in a test has a limit, and the rule detects waits without one.
@Suite struct WaitTests {
    @Test func noTestWaitsWithoutALimit() throws {
        let sources = try Repository.swiftSources(below: "Tests")
        #expect(sources.flatMap(WaitRule.violations) == [])
    }

    @Test(arguments: [
        "while isRunning() { Pause.seconds(0.001) }", "while !isOver.load(ordering: .acquiring) {}",
        "while reader.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }",
        "while list.contains(where: { $0.isAlive }) { usleep(1) }",
        "repeat { sleep(1) } while isRunning()", "while true { if isSo() { break }; usleep(9) }",
        "try process.run()", "while a { await Task.yield() }",
    ])
    func aWaitWithoutALimitIsCaught(text: String) {
        let source = SwiftSource(path: "Tests/Rig/RigLabTests/A.swift", text: text)
        #expect(WaitRule.violations(in: source).count == 1)
        for path in ["Sources/Rig/RigLab/A.swift", "Tests/TestSupport/A.swift"] {
            #expect(WaitRule.violations(in: SwiftSource(path: path, text: text)) == [])
        }
    }

    @Test(arguments: [
        "while let line = next() { lines.append(line) }", "try eventually(\"it ends\") { isSo() }",
        "for _ in 0..<3 { usleep(1) }", "while index < count { index += 1 }",
        "try process.run(within: patience)", "usleep(50_000)",
    ])
    func whatEndsPasses(text: String) {
        let source = SwiftSource(path: "Tests/Rig/RigLabTests/A.swift", text: text)
        #expect(WaitRule.violations(in: source) == [])
    }
}
