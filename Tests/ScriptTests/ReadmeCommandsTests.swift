import Testing
import TestSupport

/// `harness/ci/readme-commands` runs what the README and the pages of docs/ tell a reader to type.
@Suite struct ReadmeCommandsTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test func runsBlocksInOrderInOneFolderThatIsNotTheRepository() throws {
        let outcome = try check(
            """
            ```sh
            touch made
            ```
            ```text
            exit 1
            ```
            <!-- exit: 99 -->
            ```sh
            ls made harness/rig
            exit 99
            ```
            ```sh
            [[ -e made ]]
            ```
            """
        ).exits(0).says("3 blocks ran as written")
        #expect(!outcome.messages.contains("exit 1 "))
    }

    @Test(arguments: [
        ("```sh\necho said; false; true\n```", "said"),
        ("<!-- exit: 99 -->\n```sh\ntrue\n```", "expected exit 99"),
        ("```sh\nexit 98\n```", "exit 98"), ("```sh\nfalse | cat\n```", "expected exit 0"),
        ("```text\ntrue\n```", "no block fenced"), ("```sh\ntrue", "no end"),
        ("<!-- exit: 99 -->\n```text\n```\n```sh\nexit 99\n```", "expected exit 0"),
    ])
    func failsWhenABlockDoesNotDoWhatItSays(document: String, message: String) throws {
        try check(document).exits(1).says(message)
    }

    @Test func runsThePagesOfTheDocumentationAfterTheReadme() throws {
        try sandbox.write("```sh\n[[ -e made ]] && touch more\n```\n", to: "docs/a-page.md")
        try sandbox.write("```sh\n[[ -e more ]] && exit 3\n```\n", to: "docs/b.md")
        try check("```sh\ntouch made\n```")
            .exits(1).says("a-page.md, line 1: exit 0").says("b.md, line 1: exit 3")
            .says("1 of 3 blocks failed")
            .says("a-page.md: 0 s for 1 blocks\nb.md: 0 s for 1 blocks\n")
    }

    @Test(.timeLimit(.minutes(1))) func leavesNothingRunning() async throws {
        try sandbox.tool(
            "forever",
            "trap 'echo ended >>$log; exit' TERM; touch started; while :; do sleep 0.05; done")
        try check("```sh\nforever &\nuntil [[ -e started ]]; do :; done\n```").exits(0)
        try await eventually("it has ended") { sandbox.log() == ["ended"] }
    }

    private func check(_ document: String) throws -> Sandbox.Outcome {
        try sandbox.write(document, to: "README.md")
        return try sandbox.run("harness/ci/readme-commands")
    }
}
