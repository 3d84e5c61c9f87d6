import Foundation

/// A copy of the scripts in a folder of its own, with a `PATH` that holds what the test puts there.
final class Sandbox {
    /// How a command ended.
    struct Outcome {
        let status: Int32
        let output: String
        let messages: String
    }

    /// The folder that looks like the repository.
    let root: URL
    /// The folder of the tools.
    let tools: URL
    private let folder: URL

    /// Commands of the system that the scripts may count on everywhere.
    private static let system = [
        "awk", "bash", "cat", "chmod", "cksum", "cp", "env", "find", "grep", "ln", "ls", "mkdir",
        "mktemp", "readlink", "rm", "sed", "sleep", "tee", "touch",
    ]

    init() throws {
        let files = FileManager.default
        folder = files.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("house-\(UUID().uuidString)")
        root = folder.appendingPathComponent("repository")
        tools = folder.appendingPathComponent("tools")
        for created in [root, tools] {
            try files.createDirectory(at: created, withIntermediateDirectories: true)
        }
        for name in Self.system {
            guard let path = Self.path(of: name) else { continue }
            try files.createSymbolicLink(
                atPath: tools.appendingPathComponent(name).path, withDestinationPath: path)
        }
        let scripts = Repository.root.appendingPathComponent("harness").path
        // The benchmarks' own package is none of the scripts, and large once it is built.
        try prepare(
            #"""
            mkdir "$2/harness"
            for entry in "$1"/*; do
                [ "${entry##*/}" = benchmarks ] || cp -R "$entry" "$2/harness" || exit 1
            done
            """#, scripts, root.path)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Puts a tool on the `PATH`: a bash script, for which `$log` names a file.
    func tool(_ name: String, _ script: String) throws {
        let file = tools.appendingPathComponent(name)
        let text =
            "#!\(tools.path)/bash\nlog='\(folder.path)/log'\nroot='\(root.path)'\n\(script)\n"
        // What stands there may be a link to a program of the system, which must not be written to.
        try prepare(
            #"rm -f "$1" && printf %s "$2" >"$1" && chmod 755 "$1""#, file.path, text)
    }

    /// Lets a child write what will be executed.
    ///
    /// A file that this process writes may be open in children that other tests start at the same
    /// moment, and cannot be executed until they close it ("text file busy").
    private func prepare(_ script: String, _ arguments: String...) throws {
        let status = try ChildProcess.run(
            [tools.appendingPathComponent("bash").path, "-c", script, "prepare"] + arguments,
            environment: ["PATH=\(tools.path)"])
        guard status == 0 else { throw ChildProcess.Failure(reason: "exit \(status): \(script)") }
    }

    /// Takes a tool off the `PATH` again.
    func removeTool(_ name: String) throws {
        try FileManager.default.removeItem(at: tools.appendingPathComponent(name))
    }

    /// Writes a file of the repository.
    func write(_ text: String, to path: String) throws {
        let file = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    /// What the tools wrote into `$log`, line by line.
    func log() -> [String] {
        let text = try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// Runs a script of the repository and waits for its end.
    func run(
        _ script: String, _ arguments: [String] = [], in directory: URL? = nil,
        environment: [String] = []
    ) throws -> Outcome {
        let output = folder.appendingPathComponent("output")
        let messages = folder.appendingPathComponent("messages")
        let bash = tools.appendingPathComponent("bash").path
        let status = try ChildProcess.run(
            [
                bash, "-c", #"cd "$1" && exec "${@:4}" </dev/null >"$2" 2>"$3""#, "sandbox",
                (directory ?? folder).path, output.path, messages.path, bash,
                root.appendingPathComponent(script).path,
            ] + arguments,
            environment: ["PATH=\(tools.path)", "HOME=\(folder.path)"] + environment)
        return Outcome(
            status: status, output: try String(contentsOf: output, encoding: .utf8),
            messages: try String(contentsOf: messages, encoding: .utf8))
    }

    private static func path(of tool: String) -> String? {
        ["/usr/bin", "/bin", "/opt/homebrew/bin", "/usr/local/bin"].map { "\($0)/\(tool)" }
            .first(where: FileManager.default.isExecutableFile)
    }
}
