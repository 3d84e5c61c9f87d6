package import RigModel

/// `ledger.csv` of a row's evidence: one line per request, from the origin and from the worker.
///
/// Columns: `life`, `killed` or `relaunched`; `first_byte` and `end_byte`, the requested positions,
/// the second one past the last; `served_bytes`, from the origin; `received_bytes`,
/// `acknowledged_bytes` and `active`, from the witness page after the kill; `recovered_bytes`, the
/// received bytes found after the kill. An empty field means unknown: origin and worker may each
/// know requests that the other does not.
package enum LedgerCSV {
    package static func text(_ evidence: IterationEvidence) -> String {
        let header = [
            "life", "first_byte", "end_byte", "served_bytes", "received_bytes",
            "acknowledged_bytes", "recovered_bytes", "active",
        ]
        let killed = pairs(evidence.requests, evidence.witness?.requests ?? [])
            .map { line(life: "killed", $0.served, $0.witnessed, evidence.autopsy?.recovered) }
        let relaunched = (evidence.resumption?.requests ?? [])
            .map { line(life: "relaunched", $0, nil, nil) }
        return CSVWriter.line(header) + killed.joined() + relaunched.joined()
    }

    private typealias Pair = (served: ServedRequest?, witnessed: WitnessedRequest?)

    /// Pairs each request of the origin's ledger with the worker's record of it, by start position.
    ///
    /// Several requests with the same start are paired by size: the one with more served bytes with
    /// the one with more received bytes.
    private static func pairs(
        _ served: [ServedRequest], _ witnessed: [WitnessedRequest]
    ) -> [Pair] {
        let bySize = served.indices.sorted {
            (served[$0].servedBytes, $0) < (served[$1].servedBytes, $1)
        }
        var left = Dictionary(grouping: witnessed, by: \.start)
            .mapValues { requests in requests.sorted { $0.received < $1.received } }
        var partner: [Int: WitnessedRequest] = [:]
        for index in bySize.reversed() {
            partner[index] = left[served[index].requested.lowerBound]?.popLast()
        }
        let unseen = left.sorted { $0.key < $1.key }.flatMap(\.value)
        return served.indices.map { (served[$0], partner[$0]) } + unseen.map { (nil, $0) }
    }

    private static func line(
        life: String, _ served: ServedRequest?, _ witnessed: WitnessedRequest?,
        _ recovered: ByteRanges?
    ) -> String {
        let start = served?.requested.lowerBound ?? witnessed?.start
        var found: Int64?
        if let witnessed, let recovered {
            found = recovered.intersection(witnessed.receivedRange).count
        }
        return CSVWriter.line([
            life, text(start), text(served?.requested.upperBound), text(served?.servedBytes),
            text(witnessed?.received), text(witnessed?.acknowledged), text(found),
            witnessed.map { $0.isActive ? "true" : "false" } ?? "",
        ])
    }

    private static func text(_ number: Int64?) -> String { number.map(String.init) ?? "" }
}
