import RigModel

struct VerdictSection {
    let run: ReportedRun

    var fields: Fields {
        let failure = FailureBrief(run)
        let headline = VerdictHeadline(run, failure, elapsed: nil)
        let body = VerdictBody(run, failure)
        let kind = run.sparesWorkers ? "Run without kills" : "Kill test"
        return Fields(
            [
                "word": headline.word, "kicker": "\(kind) \(run.summary.runID)",
                "headline": PageText.clipped(headline.text, bytes: 1000),
                "lines": (body.found + body.rest + headline.notes).map(Self.fields),
                "isRepeatable": failure != nil, "command": failure?.command ?? "",
                "isOfCall": failure?.call != nil, "callCommand": failure?.call?.command ?? "",
                "facts": facts.list,
            ], verdict: run.summary.status)
    }

    private static func fields(_ line: VerdictLine) -> Fields {
        Fields([
            "label": line.label, "value": PageText.clipped(line.value, bytes: 1000),
            "remark": PageText.clipped(line.note, bytes: 1000), "hasRemark": !line.note.isEmpty,
        ])
    }

    private var facts: PageFacts {
        let manifest = run.manifest
        let plan = manifest.plan
        var facts = PageFacts()
        let about = manifest.profile?.about ?? ""
        facts.add("Worker", manifest.worker + (about.isEmpty ? "" : " – \(about)"))
        facts.add("Workload", manifest.workload.rawValue)
        if !run.sparesWorkers {
            let failure = manifest.callFailure.map { ", \($0.text)" } ?? ""
            facts.add("Fault", manifest.faultText + failure)
        }
        if let check = manifest.profile?.check {
            facts.add("Check", check.command, isCode: true)
        } else {
            facts.add("Video", video)
            facts.add("Policies", plan.policies.map(\.name).joined(separator: ", "))
        }
        facts.add("Kills", kills)
        facts.add(
            "Rows",
            "\(Figure.count(run.summary.rows)) of \(Figure.count(run.summary.expectedRows))")
        if let coverage = run.summary.coverage {
            facts.add(
                "Kill points",
                "\(Figure.count(coverage.hit)) of \(Figure.count(coverage.counted)) counted")
        }
        return facts
    }

    private var video: String {
        let video = run.manifest.video
        let size = MetricUnit.readableBytes(Double(video.length))
        let pace = run.manifest.bandwidth.map { " at \(MetricUnit.readableBytes(Double($0)))/s" }
        let each = run.manifest.workload.videoCount > 1 ? " each" : ""
        return "\(video.source), \(size)\(each)\(pace ?? "")"
    }

    private var kills: String {
        let manifest = run.manifest
        let iterations = Figure.counted(manifest.iterations, "iteration")
        let ofEach = manifest.workload.hasBytes ? " of each policy" : ""
        guard !manifest.plan.sparesWorkers else {
            return "none: \(iterations)\(ofEach), left to finish"
        }
        let each = manifest.plan.kills > 1 ? ", \(manifest.plan.kills) kills in a row" : ""
        let at = manifest.plan.at.map { ", at \($0)" } ?? ""
        return "\(iterations)\(ofEach)\(each), trigger \(manifest.plan.trigger.rawValue)\(at)"
    }
}

struct InconclusiveRows {
    let table: Table
    let rest: String

    private static let mostReasons = 40

    init(_ rows: [IterationRow], hasBytes: Bool) {
        var counts: [String: [String: Int]] = [:]
        for row in rows where row.verdict == .inconclusive {
            counts[row.reason, default: [:]][row.policy, default: 0] += 1
        }
        let reasons = counts.map { (reason: $0, policies: $1, total: $1.values.reduce(0, +)) }
            .sorted { ($1.total, $0.reason) < ($0.total, $1.reason) }
        typealias Entry = (reason: String, policies: [String: Int], total: Int)
        table = Array(reasons.prefix(Self.mostReasons)).table([
            .prose("reason") { (entry: Entry) in
                entry.reason.isEmpty ? "no reason given" : entry.reason
            }.clipped(600),
            .count("rows") { $0.total },
            .prose("policies") { entry in
                entry.policies.sorted { $0.key < $1.key }
                    .map { "\($0.key): \($0.value)" }.joined(separator: ", ")
            }.clipped(600).when(hasBytes),
        ]).captioned("Why rows prove nothing")
        let others = reasons.dropFirst(Self.mostReasons)
        rest =
            others.isEmpty
            ? ""
            : "\(Figure.counted(others.count, "more reason")), of "
                + "\(Figure.counted(others.reduce(0) { $0 + $1.total }, "row")), are in "
                + "iterations.csv."
    }
}

enum EnvironmentSection {
    static func fields(_ run: ReportedRun) -> Fields {
        let manifest = run.manifest
        let machine = manifest.machine
        var facts = PageFacts()
        facts.add("Command", ShellWord.line(manifest.command), isCode: true)
        facts.add("Seed", String(manifest.plan.seed))
        facts.add("Plan digest", manifest.planDigest, isCode: true)
        if let partition = manifest.partition { facts.add("Part", partition.text) }
        for part in manifest.parts ?? [] {
            facts.add(
                "Part \(part.partition.index) of \(part.partition.count)",
                "run \(part.runID) on \(part.host ?? "a machine that is not known"), "
                    + part.startedAt)
        }
        facts.add("Started", manifest.startedAt)
        if let profile = manifest.profile {
            facts.add("Worker's command", ShellWord.line(profile.command), isCode: true)
        }
        facts.add("Environment", each: manifest.environment)
        facts.add("Setting", each: manifest.settings)
        if manifest.tls == true { facts.add("Origin", "https") }
        if let relaunch = manifest.relaunch { facts.add("Relaunch", relaunch.words) }
        if let model = manifest.crashModel { facts.add("Power cut", model.words) }
        for fault in manifest.originFaults ?? [] { facts.add("Origin fault", fault.text) }
        if let limit = manifest.timeLimit {
            facts.add("Time limit", MetricUnit.readableSeconds(limit))
        }
        let versions = manifest.versions.sorted { $0.key < $1.key }
        facts.add("Versions", versions.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        facts.add("Commit", manifest.provenance?.words, isCode: true)
        facts.add("Program", each: manifest.provenance?.programs, by: " ")
        facts.add("System", machine.system)
        facts.add("Processor", "\(machine.processor), \(Figure.counted(machine.cores, "core"))")
        facts.add("Memory", MetricUnit.readableBytes(Double(machine.memoryBytes)))
        facts.add("File system", machine.fileSystem)
        facts.add("Machine", machine.host)
        return Fields(["facts": facts.list])
    }
}
