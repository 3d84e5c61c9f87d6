import Foundation
import OriginFaults
import RigModel
import TestSupport
import Testing

struct OriginFaultTests {
    @Test(
        arguments: [
            ("latency:50ms", OriginFault.Kind.latency, OriginFault.Argument.milliseconds(50), nil),
            ("latency:2s", .latency, .milliseconds(2000), nil),
            ("bandwidth:1MB/s", .bandwidth, .pace(1 << 20), nil),
            ("bandwidth:1MB", .bandwidth, .pace(1 << 20), nil),
            ("slow_close:200ms", .slowClose, .milliseconds(200), nil),
            ("reset_peer", .resetPeer, .milliseconds(0), nil),
            ("reset_peer:100ms:3", .resetPeer, .milliseconds(100), 3),
            ("reset_peer:512KB", .resetPeer, .bytes(512 << 10), nil),
            ("slicer:1000", .slicer, .bytes(1000), nil),
            ("limit_data:1MB:2", .limitData, .bytes(1 << 20), 2),
            ("ignore_range", .ignoreRange, .none, nil),
            ("ignore_range:2", .ignoreRange, .none, 2),
            ("changed", .changed, .none, nil),
            ("shortened", .shortened, .none, nil),
            ("longer", .longer, .none, nil),
            ("moved", .moved, .none, nil),
            ("change_etag", .changeETag, .number(1), nil),
            ("change_etag:5", .changeETag, .number(5), nil),
            ("wrong_content_range:short", .wrongContentRange, .word("short"), nil),
            ("wrong_content_range:later:1", .wrongContentRange, .word("later"), 1),
            ("redirect", .redirect, .number(1), nil),
            ("redirect:3:6", .redirect, .number(3), 6),
            ("status:503:2", .status, .number(503), 2),
            ("reset:1MB", .reset, .bytes(1 << 20), nil),
            ("encode", .encode, .none, nil),
        ] as [(String, OriginFault.Kind, OriginFault.Argument, Int?)])
    func aFaultIsReadAndWrittenBack(
        text: String, kind: OriginFault.Kind, argument: OriginFault.Argument, times: Int?
    ) throws {
        let fault = try OriginFault(text)
        #expect(fault.kind == kind)
        #expect(fault.argument == argument)
        #expect(fault.times == times)
        #expect(try OriginFault(fault.text) == fault)
        let stored = try JSONEncoder().encode([fault])
        #expect(try JSONDecoder().decode([OriginFault].self, from: stored) == [fault])
    }

    @Test(arguments: [
        "latency", "latency:", "latency:50", "latency:-1ms", "latency:1.5s", "latency:2h",
        "latency:99999999s", "latency:50ms:2", "bandwidth:0", "bandwidth:x", "slicer", "slicer:0",
        "truncate:0", "truncate:9999999TB", "truncate:1MB:0", "truncate:1MB:x", "truncate:1MB:1:1",
        "reset_peer:", "reset_peer:x", "ignore_range:0", "ignore_range:x", "ignore_range:1:1",
        "weak_etag:1", "change_etag:0", "status", "status:200", "status:600", "status:x",
        "wrong_content_range", "wrong_content_range:wrong", "redirect:0", "encode:2", "changed:1",
        "shortened:512KB", "moved:2",
    ])
    func whatDoesNotFitAFaultIsRefusedWithItsForm(text: String) throws {
        let error = try #require(throws: OriginFaultError.self) { try OriginFault(text) }
        let name = String(text.prefix { $0 != ":" })
        #expect("\(error)".contains("write it \(name)"), "\(error)")
    }

    @Test(arguments: ["", ":", "nonsense:50ms"])
    func anUnknownNameIsAnsweredByTheKnownOnes(text: String) throws {
        let error = try #require(throws: OriginFaultError.self) { try OriginFault(text) }
        for kind in OriginFault.Kind.allCases { #expect("\(error)".contains(kind.facts.name)) }
    }

    @Test(arguments: ["latncy:50ms", "LATENCY:50ms", "latecny"])
    func aMisspeltNameIsAnsweredByTheOneThatWasMeant(text: String) throws {
        let error = try #require(throws: OriginFaultError.self) { try OriginFault(text) }
        #expect("\(error)".hasSuffix("; did you mean 'latency'?"), "\(error)")
    }

    @Test(arguments: OriginFault.Kind.allCases)
    func theDocumentationHasTheSameTable(kind: OriginFault.Kind) throws {
        let page = try Checkout.text(of: "docs/origin-faults.md")
        let facts = kind.facts
        let usage = facts.usage.replacing("|", with: "\\|")
        var judged =
            switch facts.onset {
            case .launch: facts.objection == nil ? "yes" : "no"
            case .relaunch: "from the relaunch on"
            case .relaunchIfCounted: "yes; with TIMES from the relaunch on"
            }
        if kind == .changeETag { judged = "`playback` only" }
        let line = "| `\(usage)` | \(facts.summary) | \(judged) |"
        #expect(page.contains("\n\(line)\n"), "docs/origin-faults.md lacks the line \(line)")
    }

    @Test func theTableHasEveryFaultInLinesThatFitATerminal() {
        let lines = OriginFault.Kind.table.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        for facts in OriginFault.Kind.allCases.map(\.facts) {
            #expect(lines.contains { $0 == "  \(facts.usage)" })
            #expect(OriginFault.Kind.table.contains(facts.summary.prefix(20)))
        }
    }

    /// A name that two faults had would only ever mean the first.
    @Test func everyFaultHasANameOfItsOwn() {
        let names = OriginFault.Kind.allCases.map(\.facts.name)
        #expect(Set(names).count == names.count)
    }
}
