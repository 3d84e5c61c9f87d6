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
        let recovered = evidence.autopsy?.recovered
        let killed = pairs(evidence.requests, evidence.witness?.requests ?? [])
            .map { ("killed", $0.served, $0.witnessed) as Line }
        let relaunched = (evidence.resumption?.requests ?? [])
            .map { ("relaunched", $0, nil) as Line }
        return (killed + relaunched).table([
            .word("life") { $0.life },
            .size("first_byte") { $0.served?.requested.lowerBound ?? $0.witnessed?.start },
            .size("end_byte") { $0.served?.requested.upperBound },
            .size("served_bytes") { $0.served?.servedBytes },
            .size("received_bytes") { $0.witnessed?.received },
            .size("acknowledged_bytes") { $0.witnessed?.acknowledged },
            .size("recovered_bytes") { line in
                line.witnessed.flatMap { recovered?.intersection($0.receivedRange).count }
            },
            .text("active") { .string($0.witnessed.map { "\($0.isActive)" }) },
        ]).csv
    }

    private typealias Line = (
        life: String, served: ServedRequest?, witnessed: WitnessedRequest?
    )
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
}
