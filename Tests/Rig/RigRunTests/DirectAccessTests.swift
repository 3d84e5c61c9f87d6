import Testing

@testable import RigRun

/// A user's `no_proxy` was replaced by the rig's: a worker's request to another excepted host went
/// to the company's proxy.
@Suite struct DirectAccessTests {
    @Test(arguments: [
        ([:], "127.0.0.1", "127.0.0.1"),
        (["no_proxy": "localhost"], "localhost,127.0.0.1", "localhost,127.0.0.1"),
        (["NO_PROXY": "corp.example"], "corp.example,127.0.0.1", "corp.example,127.0.0.1"),
        (["no_proxy": "a", "NO_PROXY": "b,c"], "a,127.0.0.1", "b,c,127.0.0.1"),
        (["no_proxy": "", "NO_PROXY": "b"], "127.0.0.1", "b,127.0.0.1"),
        (["no_proxy": "a, b  c,"], "a,b,c,127.0.0.1", "a,b,c,127.0.0.1"),
        (["no_proxy": "*"], "*", "*"),
        (["NO_PROXY": " * "], "*", "*"),
        (["no_proxy": "127.0.0.1 , x"], "127.0.0.1 , x", "127.0.0.1 , x"),
        (["no_proxy": "127.0.0.10"], "127.0.0.10,127.0.0.1", "127.0.0.10,127.0.0.1"),
    ])
    func whatTheUserExceptsStaysExcepted(own: [String: String], lower: String, upper: String) {
        let variables = DirectAccess.variables(beside: [:], own: own)
        #expect(variables == ["no_proxy": lower, "NO_PROXY": upper])
    }

    /// A variable that the run has recorded is the worker's, also in a replay from another shell.
    @Test func recordedOnesGoFirst() {
        let variables = DirectAccess.variables(
            beside: ["no_proxy": "then"], own: ["no_proxy": "now", "NO_PROXY": "now"])
        #expect(variables == ["no_proxy": "then,127.0.0.1", "NO_PROXY": "now,127.0.0.1"])
    }
}
