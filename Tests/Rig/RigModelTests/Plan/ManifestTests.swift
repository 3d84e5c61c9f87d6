import RigModel
import Testing

/// The command that repeats a kill has all settings of the run.
struct ManifestTests {
    private func manifest(
        _ workload: Workload, settings: [String: String], bandwidth: Int64?,
        profile: WorkerProfile? = nil, workerOption: String? = nil
    ) -> Manifest {
        var spec = RunSpec(profile: profile, workload: workload, settings: settings)
        spec.workerOption = workerOption
        return Manifest(
            spec, runID: "r", versions: [:],
            machine: .init(system: "", processor: "", cores: 1, memoryBytes: 1, fileSystem: "ext4"),
            worker: "downloader",
            plan: KillPlan(
                seed: 9, iterations: 2, policies: [Policy(threshold: ByteSize(bytes: 512 << 10))],
                trigger: .bytes, videoLength: 5 << 20),
            video: .init(source: "fixture", length: 1 << 20, etag: ""), bandwidth: bandwidth,
            startedAt: "")
    }

    /// The manifest of one pinned iteration, as in the smallest case of a replay.
    private func pinned(_ manifest: Manifest) throws -> Manifest {
        let planned = try #require(manifest.plan.schedule.last)
        return manifest.with(plan: manifest.plan.repeating(planned), video: manifest.video)
    }

    @Test func aCommandNamesWorkloadAndSettings() throws {
        let manifest = manifest(.switching, settings: ["storage": "file"], bandwidth: 32 << 20)
        let command = try pinned(manifest).killTestCommand(iterations: 3)
        #expect(
            command.hasPrefix("rig kill-test --iterations 3 --thresholds 512KB --trigger bytes"))
        #expect(command.contains("--workload switching --set storage=file"))
        // The size of each video, not of all together.
        #expect(command.contains("--video-size 1048576"))
        #expect(command.hasSuffix("--bandwidth 33554432/s"))
    }

    @Test func aCommandOfADownloadSaysNoMoreThanItHasTo() throws {
        let manifest = manifest(.download, settings: [:], bandwidth: nil)
        let command = try pinned(manifest).killTestCommand(iterations: 1)
        #expect(!command.contains("--workload") && !command.contains("--set"))
        #expect(manifest.settings == nil && manifest.environment == nil)
    }

    /// A kill must be repeated with the same states of the disk.
    @Test(arguments: [
        (StateChoice.drawn(1), "--disk posix --seed"), (.drawn(8), "--disk posix --states 8 "),
        (.sweep(most: StateChoice.usualSweep), "--disk posix --states sweep "),
        (.sweep(most: 70), "--disk posix --states sweep:70 "),
    ])
    func aCommandNamesTheStatesOfTheDisk(states: StateChoice, part: String) throws {
        var manifest = manifest(.download, settings: [:], bandwidth: nil)
        manifest.crashModel = CrashModel(disk: .posix, states: states)
        let command = try pinned(manifest).killTestCommand(iterations: 1)
        #expect(command.contains(part), "\(command)")
    }

    /// A kill must be repeated with the same program.
    @Test(arguments: [
        ("downloader", " --video-size 1048576"), ("curl", " --worker curl "),
        ("./my worker.yml", " --worker './my worker.yml' "),
        (nil, " -- get -o '{output}' '{url}'"),
    ])
    func aCommandNamesTheWorker(option: String?, part: String) throws {
        let worker = WorkerProfile(name: "get", command: ["get", "-o", "{output}", "{url}"])
        let manifest = manifest(
            .download, settings: [:], bandwidth: nil, profile: worker, workerOption: option)
        let command = try pinned(manifest).killTestCommand(iterations: 1)
        #expect(command.contains(part), "\(command)")
        #expect(command.contains("--worker") == part.contains("--worker"))
        #expect(command.hasSuffix(" -- get -o '{output}' '{url}'") == (option == nil))
    }

    /// A program that was allowed a place is not refused it when its kill is repeated.
    @Test func aCommandNamesThePlacesOfACheckedProgram() throws {
        let program = WorkerProfile(
            name: "own", command: ["own", "{dir}"], writable: ["/dev/shm", "/a b"],
            check: ProgramCheck("test -d {dir}"))
        let manifest = manifest(.check, settings: [:], bandwidth: nil, profile: program)
        let command = try pinned(manifest).killTestCommand(iterations: 1)
        #expect(
            command.contains(
                "--check 'test -d {dir}' --writable /dev/shm --writable '/a b'"), "\(command)")
    }

    /// Of a run that lets each call fail once, the command of a single one.
    @Test func aCommandLetsOneCallFail() throws {
        var failing = manifest(
            .download, settings: [:], bandwidth: nil,
            profile: WorkerProfile(name: "get", command: ["my get", "{url}", "it's"]))
        failing.fault = .callError
        failing.plan = KillPlan(
            seed: 9, iterations: 1, policies: [Policy(threshold: ByteSize(bytes: 512 << 10))],
            trigger: .syscall, videoLength: 1 << 20, refinement: .everyCall
        ).counting(["512KB": ["write": 40]])
        failing.callFailure = CallFailure(.enospc, sticky: .every(2), pattern: "*.tmp")
        let command = try #require(failing.failingCallCommand(iteration: 37, policy: "512KB"))
        #expect(failing.failingCall(iteration: 37, policy: "512KB") == "37")
        #expect(
            command.hasPrefix(
                "rig kill-test --iterations 1 --thresholds 512KB --trigger syscall --at 37"
                    + " --fault call-error --error enospc --sticky every:2 --on '*.tmp' --seed "))
        #expect(command.hasSuffix(" --video-size 1048576 -- 'my get' '{url}' 'it'\\''s'"))
        #expect(!command.contains("--exhaustive"))
        #expect(failing.failingCallCommand(iteration: 37, policy: "1MB") == nil)
        let killed = manifest(.download, settings: [:], bandwidth: nil)
        #expect(killed.failingCallCommand(iteration: 1, policy: "512KB") == nil)
    }

    @Test(arguments: [
        ("plain-word_1.mp4", "plain-word_1.mp4"), ("two words", "'two words'"), ("", "''"),
        ("it's", "'it'\\''s'"), ("$(rm -rf x)", "'$(rm -rf x)'"), ("a\nb", "'a\nb'"),
    ])
    func aWordIsQuotedForTheShell(word: String, quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
        #expect(ShellWord.line(["rig", word]) == "rig \(quoted)")
        #expect(ShellWord.assignments(["B": word, "A": "1"]) == "A=1 B=\(quoted) ")
    }
}

extension KillPlan.Refinement {
    /// A plan in which every call fails once.
    fileprivate static var everyCall: Self {
        var refinement = Self()
        refinement.isExhaustive = true
        refinement.hasOneSide = true
        return refinement
    }
}
