import Foundation
import RigModel
import RigReport

func makeFailedRow(
    _ policy: String = "512KB", iteration: Int = 1, lost: Int64 = 3_000_000,
    reason: String = "bound: lost 3000000 bytes, 2475712 more than the bound of 524288",
    change: (inout IterationRow) -> Void = { _ in }
) -> IterationRow {
    makeFullRow(policy, iteration: iteration) { row in
        row.lostBytes = lost
        row.receivedBytes = max(lost, row.receivedBytes ?? 0)
        (row.recoveredBytes, row.boundOK, row.verdict) = (0, false, .fail)
        (row.checkers, row.reason) = ([.bound], reason)
        change(&row)
    }
}

func makeRun(
    _ rows: [IterationRow], summary: RunSummary = makeSummary(),
    manifest: Manifest = makeRunManifest(), details: [RowIdentity: KillDetails] = [:],
    folder: String = "results/latest"
) -> ReportedRun {
    var summary = summary
    summary.rows = rows.count
    return ReportedRun(
        manifest: manifest, rows: rows, summary: summary, folder: folder, details: details)
}

/// A policy summary that matches rows of ``makeFullRow(_:iteration:change:)``.
func makePolicySummary(_ name: String, bound: Int64? = 524_288) -> PolicySummary {
    var summary = PolicySummary(policy: name)
    summary.lossPercent = 4.9
    summary.lossPercentInterval = ConfidenceInterval(low: 4.21, high: 5.6)
    summary.documentedLossPercent = Policy(name)?.documentedLossPercent
    (summary.lostBytesMax, summary.boundBytes) = (378_560, bound)
    return summary
}

/// A page without the titles that each cell repeats for a narrow screen.
func withoutTitles(_ page: String) -> String {
    page.replacingOccurrences(of: " data-title=\"[^\"]*\"", with: "", options: .regularExpression)
}

struct ReadPage {
    let text: String
    let tags: [String]

    init(_ text: String) {
        self.text = text
        var tags: [String] = []
        // By scalars, as a browser reads: a character with a combining mark is still that
        // character.
        var rest = text.unicodeScalars[...]
        while let start = rest.firstIndex(of: "<") {
            guard let end = rest[start...].firstIndex(of: ">") else { break }
            tags.append(String(rest[rest.index(after: start)..<end]))
            rest = rest[rest.index(after: end)...]
            // The style sheet and the script have no tags in them.
            for raw in ["style", "script"] where tags.last == raw {
                if let close = text.range(
                    of: "</\(raw)>", options: .literal, range: rest.startIndex..<text.endIndex)
                {
                    rest = text.unicodeScalars[close.lowerBound...]
                }
            }
        }
        self.tags = tags
    }

    func opened(_ name: String) -> [String] {
        tags.filter { $0 == name || $0.hasPrefix(name + " ") }
    }

    func values(of attribute: String) -> [String] {
        tags.flatMap { $0.components(separatedBy: " \(attribute)=\"").dropFirst() }
            .map { String($0.prefix { $0 != "\"" }) }
    }

    func content(_ name: String, with words: String) -> String? {
        guard let place = text.range(of: words),
            let start = text[place.upperBound...].firstIndex(of: ">"),
            let end = text[start...].range(of: "</\(name)>")
        else { return nil }
        return String(text[text.index(after: start)..<end.lowerBound])
    }
}
