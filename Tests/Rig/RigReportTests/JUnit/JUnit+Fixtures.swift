import Foundation
import RigModel
import RigReport
import Testing
import TestSupport

#if canImport(FoundationXML)
    import FoundationXML
#endif

func makeRunManifest(
    runID: String = "2026-11-21-1", worker: String = "downloader", fault: Fault = .sigkill,
    policies: [String] = ["512KB"], profile: WorkerProfile? = nil,
    command: [String] = ["rig", "kill-test"], host: String? = "box", source: String = "fixture",
    durability: Durability = .process, environment: [String: String] = [:], iterations: Int = 100,
    trigger: TriggerKind = .bytes, pinned: Trigger? = nil, plan: KillPlan? = nil,
    partition: RunPartition? = nil, parts: [MergedPart]? = nil
) -> Manifest {
    let plan =
        plan
        ?? KillPlan(
            seed: 3, iterations: iterations,
            policies: policies.compactMap { Policy($0, durability: durability) }, trigger: trigger,
            pinned: pinned, videoLength: 10 << 20)
    var spec = RunSpec(profile: profile, fault: fault)
    (spec.command, spec.partition) = (command, partition)
    var manifest = Manifest(
        spec, runID: runID, versions: ["rig": "0.1.0", "sqlite": "3.40.1"],
        machine: .init(
            system: "Linux", processor: "x", cores: 2, memoryBytes: 1, fileSystem: "ext4",
            host: host),
        worker: worker, environment: environment, plan: plan,
        video: .init(source: source, length: plan.videoLength, etag: ""), bandwidth: nil,
        startedAt: "2026-11-21T12:00:00Z")
    manifest.parts = parts
    return manifest
}

final class JUnitReading: NSObject, XMLParserDelegate {
    struct Case: Equatable {
        let suite: String
        let className: String
        let name: String
        /// `passed`, `failure`, `error` or `skipped`.
        var outcome = "passed"
        var message = ""
        var details = ""
        var output = ""
    }

    private(set) var suites: [[String: String]] = []
    private(set) var totals: [String: String] = [:]
    private(set) var cases: [Case] = []
    private(set) var properties: [String: String] = [:]
    private var text = ""

    init(_ document: String) throws {
        super.init()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = self
        let isParsed = parser.parse()
        try #require(isParsed, "\(String(describing: parser.parserError)) in \(document)")
    }

    func parser(
        _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        text = ""
        switch element {
        case "testsuites": totals = attributes
        case "testsuite": suites.append(attributes)
        case "property": properties[attributes["name"] ?? ""] = attributes["value"]
        case "testcase":
            cases.append(
                Case(
                    suite: suites.last?["name"] ?? "", className: attributes["classname"] ?? "",
                    name: attributes["name"] ?? ""))
        case "failure", "error", "skipped":
            cases[cases.count - 1].outcome = element
            cases[cases.count - 1].message = attributes["message"] ?? ""
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        switch element {
        case "failure", "error": cases[cases.count - 1].details = text
        case "system-out": cases[cases.count - 1].output = text
        default: break
        }
        text = ""
    }

    func only(_ name: String, in suite: String = "512KB") -> Case? {
        let found = cases.filter { $0.name == name && $0.suite.hasSuffix(": \(suite)") }
        return found.count == 1 ? found[0] : nil
    }
}

func validate(_ document: String) throws -> (status: Int32, words: String) {
    let schema = try #require(
        Bundle.module.url(forResource: "Schemas/junit-10", withExtension: "xsd"))
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).xml")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(document.utf8).write(to: file)
    return try Tool.run(["xmllint", "--noout", "--nonet", "--schema", schema.path, file.path])
}
