import Foundation
import RigModel
import RigReport
import Testing

/// The figures for Prometheus.
///
/// `harness/ci/github/try-action` has Prometheus's own parser read a real run's.
@Suite struct OpenMetricsTests {
    /// A parsed sample.
    private struct Sample {
        let name: String
        var labels: [String: String] = [:]
        let value: String
    }

    private func samples(_ text: String) throws -> [Sample] {
        #expect(text.hasSuffix("\n# EOF\n"))
        return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let parts = try #require(
                line.wholeMatch(of: /([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)/), "\(line)")
            var sample = Sample(name: String(parts.1), value: String(parts.3))
            var rest = parts.2 ?? Substring()
            while !rest.isEmpty {
                let label = try #require(
                    rest.prefixMatch(of: /,?([a-z_][a-z0-9_]*)="((?:[^\\"\n]|\\[\\"n])*)"/),
                    "\(line)")
                #expect(sample.labels[String(label.1)] == nil)
                let escaped = String(label.2)
                sample.labels[String(label.1)] =
                    escaped
                    .replacing("\\\\", with: "\u{1}").replacing("\\\"", with: "\"")
                    .replacing("\\n", with: "\n").replacing("\u{1}", with: "\\")
                rest = rest[label.range.upperBound...]
            }
            return sample
        }
    }

    private func exposition(
        _ summary: RunSummary = makeSummary(), rows: [IterationRow] = [],
        manifest: Manifest = makeRunManifest(policies: ["512KB", "disabled"])
    ) -> String {
        OpenMetrics.text(summary, rows: rows, manifest: manifest)
    }

    @Test func everyFamilySaysWhatItIsAndHasItsUnitInItsName() throws {
        let text = exposition(rows: [makeFullRow()])
        let lines = text.split(separator: "\n")
        let types = lines.filter { $0.hasPrefix("# TYPE ") }.map { $0.split(separator: " ") }
        #expect(Set(types.map { $0[2] }).count == types.count)
        #expect(lines.count { $0.hasPrefix("# HELP ") } == types.count)
        for unit in lines.filter({ $0.hasPrefix("# UNIT ") }).map({ $0.split(separator: " ") }) {
            #expect(unit[2].hasSuffix("_\(unit[3])"))
        }
        let found = try samples(text)
        for type in types where type[3] == "counter" {
            let names = Set(found.map(\.name).filter { $0.hasPrefix(type[2]) })
            #expect(names == ["\(type[2])_total"])
        }
        #expect(found.contains { $0.name == "rig_run_info" && $0.value == "1" })
    }

    @Test func aGateThatCannotBeDecidedDoesNotHold() throws {
        let found = try samples(exposition()).filter { $0.name == "rig_gate_holds" }
        #expect(found.map { $0.labels["gate"] } == makeSummary().gates.map(\.gate))
        #expect(found.map(\.value) == ["0", "1", "0"])
        let states = try samples(exposition()).filter {
            $0.name == "rig_gate_verdict" && $0.value == "1"
        }
        #expect(states.map { $0.labels["rig_gate_verdict"] } == ["fails", "holds", "unknown"])
    }

    @Test func whatIsNotKnownHasNoSample() throws {
        let found = try samples(exposition()).filter { $0.labels["policy"] == "disabled" }
        // This policy has no row: only the number of its kills is known, and it is 0.
        #expect(
            Set(found.map(\.name))
                == ["rig_kills_total", "rig_gate_holds", "rig_gate_verdict", "rig_gate_limit"])
        let unknown = try samples(exposition()).filter { $0.name == "rig_gate_value" }
        #expect(unknown.count == 2)
    }

    @Test func bucketsAreCumulativeAndBothEndsAreInThem() throws {
        let rows = [0, 65_536, 65_537, 524_288, 300_000_000].enumerated().map { index, lost in
            makeFullRow(iteration: index + 1) {
                $0.lostBytes = Int64(lost)
                $0.recoverySeconds = nil
            }
        }
        let inconclusive = makeFullRow(iteration: 9) { $0.verdict = .inconclusive }
        let found = try samples(exposition(rows: rows + [inconclusive]))
        let buckets = found.filter { $0.name == "rig_kill_lost_bytes_bucket" }
        #expect(
            buckets.map { $0.labels["le"] }
                == OpenMetrics.byteBounds.map { "\($0)" } + ["+Inf"])
        #expect(
            buckets.map(\.value)
                == "1 2 3 3 4 4 4 4 4 4 4 4 5".split(separator: " ").map(String.init))
        #expect(found.first { $0.name == "rig_kill_lost_bytes_count" }?.value == "5")
        #expect(found.first { $0.name == "rig_kill_lost_bytes_sum" }?.value == "300655361")
        #expect(!found.contains { $0.name.hasPrefix("rig_recovery_seconds") })
    }

    /// The same gate twice on a command line must not make the exposition unreadable.
    @Test func noSampleIsThereTwice() throws {
        var summary = makeSummary()
        summary.gates += summary.gates
        let keys = try samples(exposition(summary, rows: [makeFullRow()])).map {
            "\($0.name) \($0.labels.sorted { $0.key < $1.key })"
        }
        #expect(Set(keys).count == keys.count)
    }

    @Test(arguments: HostileTextTests.texts)
    func everyTextComesBackFromItsLabel(text: String) throws {
        let document = OpenMetrics.text(
            HostileTextTests.summary(text), rows: HostileTextTests.rows(text),
            manifest: HostileTextTests.manifest(text))
        let found = try samples(document)
        let held = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let isShown = scalar == "\n" || PrintableText.line("\(scalar)") == "\(scalar)"
                    return isShown ? scalar : "\u{FFFD}"
                }))
        func has(_ name: String, _ label: String) -> Bool {
            found.contains {
                $0.name == name && Array(($0.labels[label] ?? "").utf8) == Array(held.utf8)
            }
        }
        #expect(has("rig_run_info", "worker") && has("rig_run_info", "host"))
        #expect(has("rig_kills_total", "policy") && has("rig_gate_holds", "gate"))
    }
}
