import RigModel
import RigProfiles
import Testing

@Suite("What a profile's keys mean")
struct ProfileReadingTests {
    private func read(_ text: String) throws -> WorkerProfile {
        try Workers.read(text, name: "my.yml")
    }

    @Test("two keys are enough, and promise nothing")
    func least() throws {
        let profile = try read("name: mine\ncommand: [mine, \"{url}\", \"{output}\"]\n")
        #expect(profile == WorkerProfile(name: "mine", command: ["mine", "{url}", "{output}"]))
        #expect(profile.completesInPlace && profile.bound.isEmpty && !profile.writesWitness)
    }

    @Test("whether it asks the origin again, which none promises that does not say so")
    func revalidates() throws {
        let text = "name: mine\ncommand: [mine, \"{url}\"]\n"
        #expect(try read(text).revalidates == nil)
        #expect(try read(text + "revalidates: false\n").revalidates == nil)
        #expect(try read(text + "revalidates: true\n").revalidates == true)
        let contract = WorkerContract(
            try read(text + "revalidates: true\n"), fault: .sigkill, bytesPerSecond: nil)
        #expect(contract.revalidates == true)
    }

    @Test("where it may write beside its own folders")
    func writable() throws {
        let text = "name: mine\ncommand: [mine, \"{url}\"]\n"
        #expect(try read(text).writable == nil)
        #expect(try read(text + "writable: [/var/cache/mine]\n").writable == ["/var/cache/mine"])
    }

    @Test("in which folder it is started")
    func workingDirectory() throws {
        let text = "name: mine\ncommand: [mine, \"{url}\"]\n"
        #expect(try read(text).workingDirectory == nil)
        #expect(try read(text + "cwd: tools\n").workingDirectory == "tools")
        #expect(try read(text + "cwd: \"{dir}\"\n").workingDirectory == "{dir}")
    }

    private static let server = """
        name: cache
        about: a caching server
        command: [curl, -o, "{output}", "http://127.0.0.1:{port}{path}"]
        server:
          command: [nginx, -c, "{dir}/nginx.conf", -g, "daemon off;"]
          ready: http://127.0.0.1:{port}/ready
        files:
          "{dir}/nginx.conf": |
            http {
              server { listen {port}; }
              location / { slice {slice}; proxy_pass http://{origin}$uri; return 200 ${path}; }
            }
        environment: {LANG: C, HOME: "{dir}"}
        needs: {nginx: nginx-light, curl: curl}
        completed: "{output}"
        bound: {sigkill: 1MB, abort: 4096, oom: 1.5s}
        bound_source: one slice
        settings: {slice: 1m}
        """

    @Test("a worker that speaks no HTTP, with a source of its own")
    func sourceProfile() throws {
        let profile = try read(
            """
            name: a
            source: {command: [feeder, "{source}", "{port}"], ready: port}
            command: [a, "feed://127.0.0.1:{port}{path}", "{output}"]
            """)
        #expect(profile.source == WorkerServer(command: ["feeder", "{source}", "{port}"]))
        #expect(profile.server == nil)
        #expect(profile.programs == ["feeder", "a"])
        #expect(profile.changingPrograms { "/bin/\($0)" }.source?.command.first == "/bin/feeder")
        #expect(profile.mentions("source"))
    }

    @Test("a server with its files, environment, programs and bounds")
    func serverProfile() throws {
        let profile = try read(Self.server)
        #expect(
            profile.server
                == WorkerServer(
                    command: ["nginx", "-c", "{dir}/nginx.conf", "-g", "daemon off;"],
                    ready: .url("http://127.0.0.1:{port}/ready")))
        #expect(profile.environment == ["LANG": "C", "HOME": "{dir}"])
        #expect(profile.needs == ["curl", "nginx"])
        #expect(profile.packages == ["nginx": "nginx-light", "curl": "curl"])
        #expect(
            profile.bound == [.sigkill: .bytes(1 << 20), .abort: .bytes(4096), .oom: .seconds(1.5)])
        #expect(profile.boundSource == "one slice")
        #expect(profile.defaults == ["slice": "1m"])
        #expect(profile.programs == ["nginx", "curl"])
    }

    @Test("a default of a setting stands everywhere, unless --set gives another")
    func defaults() throws {
        let profile = try read(Self.server)
        let standard = try #require(try profile.setting([:]).files["{dir}/nginx.conf"])
        #expect(standard.contains("slice 1m;") && standard.contains("listen {port};"))
        let set = try #require(try profile.setting(["slice": "2m"]).files["{dir}/nginx.conf"])
        #expect(set.contains("slice 2m;"))
        // A variable of the program's own language is not a placeholder.
        #expect(set.contains("${path}"))
    }

    @Test(
        "what is read of the state",
        arguments: [
            (
                "{database: \"{dir}/s.db\", chunks: SELECT 1}",
                WorkerInspection.database(.init(database: "s.db", chunks: "SELECT 1"))
            ),
            (
                "{database: s.db, chunks: A, ranges: B, files: {chunks: C, folder: \"{dir}/d\"}}",
                .database(
                    .init(
                        database: "s.db", chunks: "A", ranges: "B",
                        files: .init(chunks: "C", folder: "d")))
            ),
            ("{file: \"{output}\"}", .file(PartialFile(path: "{output}"))),
            ("{file: \"{dir}/p\", length: size}", .file(PartialFile(path: "{dir}/p"))),
            (
                "{file: \"{dir}/p\", length: \"{dir}/n\"}",
                .file(PartialFile(path: "{dir}/p", length: .file("{dir}/n")))
            ),
            (
                "{file: \"{dir}/p\", length: {database: \"{dir}/n\", query: SELECT 2}}",
                .file(
                    PartialFile(
                        path: "{dir}/p", length: .query(database: "{dir}/n", sql: "SELECT 2")))
            ),
        ])
    func inspections(text: String, inspection: WorkerInspection) throws {
        let profile = try read("name: a\ncommand: [a, \"{url}\"]\ninspect: \(text)\n")
        #expect(profile.inspection == inspection)
    }

    @Test("planted bugs, whose variable is among those that a run records")
    func plantedBugs() throws {
        let profile = try read(
            """
            name: a
            command: [a, "{url}"]
            variables: [A_MODE]
            planted_bugs:
              program: a-with-bugs
              variable: A_BUG
              bugs: [{name: b, options: [--kills, "2"], checkers: [bound], iterations: 3}]
            """)
        #expect(
            profile.plantedBugs
                == PlantedBugs(
                    program: "a-with-bugs", variable: "A_BUG",
                    bugs: [
                        PlantedBug(
                            name: "b", options: ["--kills", "2"], checkers: [.bound], iterations: 3)
                    ]))
        #expect(profile.variables == ["A_MODE", "A_BUG"])
        #expect(!profile.isHeldToItsWork)
    }

    @Test("a command without a profile is a black box that is named by its program")
    func command() throws {
        let words = ["/usr/bin/fetch", "--to", "{output}", "{url}", "%{http_code}"]
        let profile = try Workers.command(words)
        #expect(profile.name == "fetch" && profile.command == words)
        #expect(profile.bound.isEmpty && !profile.writesWitness && profile.inspection == nil)
    }

    @Test(
        "a command that does not say what the rig has to know",
        arguments: [
            (["curl", "-O", "{output}"], "put {url}"),
            (["./save", "{dir}"], "say by --check what must hold"),
            (["curl", "-O", "{url}"], "write a profile with 'completed:'"),
            (["curl", "-o", "{output}", "{ulr}"], "no placeholder {ulr}"),
            (["curl", "-o", "{output}", "{url}", "{port}"], "no placeholder {port}"),
            (["awk", "{print}", "{output}", "{url}"], "put a blank into braces"),
            ([], "give one, such as curl"),
        ])
    func badCommands(command: [String], word: String) {
        let error = #expect(throws: RigError.self) { try Workers.command(command) }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
    }
}
