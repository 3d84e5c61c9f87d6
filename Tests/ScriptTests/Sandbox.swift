import Foundation
import TestSupport
import Testing

/// A copy of the scripts in a temporary folder, with a `PATH` of only the test's tools.
final class Sandbox {
    /// How a command ended.
    struct Outcome {
        let status: Int32
        let output: String
        let messages: String

        @discardableResult
        func exits(_ code: Int32, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
            #expect(status == code, "\(output)\(messages)", sourceLocation: sourceLocation)
            return self
        }

        /// Expects words in its messages.
        @discardableResult
        func says(_ words: String, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
            #expect(messages.contains(words), "\(messages)", sourceLocation: sourceLocation)
            return self
        }
    }

    /// The folder that stands in for the repository.
    let root: URL
    /// The folder of the tools.
    let tools: URL
    private let folder: URL

    /// System commands that the scripts may use everywhere.
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
        try provide(Self.system)
        // The benchmarks' package contains no scripts, and is large once built; the mutants are half
        // of all files.
        try prepare(
            #"""
            set -o pipefail
            mkdir -p "$3/harness/ci/mutants.d" && "$1" -C "$2/harness" -cf - --exclude=./benchmarks \
                --exclude=./ci/mutants.d . | "$1" -C "$3/harness" -xf -
            """#, [Self.path(of: "tar") ?? "tar", Checkout.root.path, root.path])
    }

    /// Puts commands of the system on the `PATH`.
    func provide(_ names: [String]) throws {
        for name in names {
            guard let path = Self.path(of: name) else { continue }
            try FileManager.default.createSymbolicLink(
                atPath: tools.appendingPathComponent(name).path, withDestinationPath: path)
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Puts a tool on the `PATH`: a bash script, in which `$log` names a file.
    func tool(_ name: String, _ script: String) throws { try tool([name], script) }

    /// The same under several names.
    func tool(_ names: [String], _ script: String) throws {
        let text =
            "#!\(tools.path)/bash\nlog='\(folder.path)/log'\nroot='\(root.path)'\n\(script)\n"
        // A path may be a link to a system program, which must not be overwritten.
        try prepare(
            #"cd "$1" && rm -f "${@:3}" && for n in "${@:3}"; do printf %s "$2" >"$n"; done"#
                + #" && chmod 755 "${@:3}""#, [tools.path, text] + names)
    }

    /// Has a child write what will be executed.
    ///
    /// A file that this process writes may be open in children that other tests start at the same
    /// moment, and cannot be executed until they close it ("text file busy").
    private func prepare(_ script: String, _ arguments: [String]) throws {
        let status = try ChildProcess.run(
            [tools.appendingPathComponent("bash").path, "-c", script, "prepare"] + arguments,
            environment: ["PATH=\(tools.path)"])
        guard status == 0 else { throw ChildProcess.Failure(reason: "exit \(status): \(script)") }
    }

    /// Removes a tool from the `PATH`.
    func removeTool(_ name: String) throws {
        try FileManager.default.removeItem(at: tools.appendingPathComponent(name))
    }

    /// Has a build make a rig that is this script of bash, in which `$log` and `$root` are known.
    func buildsRig(_ script: String) throws {
        try tool("pkg-config", "exit 0")
        try write(script, to: "fake-rig")
        try tool(
            "swift",
            """
            [[ $1 == --version ]] && { echo 'Swift version 6.3.1'; exit; }
            mkdir -p "$root/.build/release"
            cd "$root/.build/release"
            { echo "#!${0%/swift}/bash"; echo "log='$log' root='$root'"; cat "$root/fake-rig"; } >rig
            chmod +x rig
            for name in rig-confine downloader downloader-with-bugs; do cp rig "$name"; done
            """)
        try write("let package = 1", to: "Package.swift")
        try write("let a = 1", to: "Sources/Rig/rig/A.swift")
    }

    /// Writes a file of the repository.
    func write(_ text: String, to path: String) throws {
        let file = root.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    /// The text of a file of the repository.
    func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The lines that the tools wrote into `$log`.
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
                (directory ?? folder).path, output.path, messages.path,
                root.appendingPathComponent(script).path,
            ] + arguments,
            environment: ["PATH=\(tools.path)", "HOME=\(folder.path)"] + environment)
        return Outcome(
            status: status, output: try String(contentsOf: output, encoding: .utf8),
            messages: try String(contentsOf: messages, encoding: .utf8))
    }

    /// Where a system command is; nil if the machine has none of that name.
    static func path(of tool: String) -> String? {
        ["/usr/bin", "/bin", "/opt/homebrew/bin", "/usr/local/bin"].map { "\($0)/\(tool)" }
            .first(where: FileManager.default.isExecutableFile)
    }
}
