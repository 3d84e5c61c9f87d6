import Foundation
import RigModel

/// Parses one gate; its errors end in what to write instead.
struct GateParser {
    private let text: String

    init(_ text: String) { self.text = text.trimmingCharacters(in: .whitespacesAndNewlines) }

    func gate() throws(RigError) -> Gate {
        let (left, comparison, right) = try split()
        var subject = left[...]
        var policy: String?
        if let colon = left.firstIndex(of: ":") {
            policy = try policyName(left[..<colon])
            subject = left[left.index(after: colon)...]
        }
        let (metric, statistic) = try measured(subject)
        guard let change = try change(right) else {
            return Gate(
                text: text, policy: policy, metric: metric, statistic: statistic,
                comparison: comparison, limit: try limit(right, metric: metric))
        }
        let (limit, kind) = try limit(ofChange: change.text, metric: metric)
        let gate = Gate(
            text: text, policy: policy, metric: metric, statistic: statistic,
            comparison: comparison, limit: limit, kind: kind, reference: change.reference)
        try checkChange(gate)
        return gate
    }

    /// The text before `vs baseline` or `vs history`; nil for a gate that compares with neither.
    private func change(
        _ right: String
    ) throws(RigError) -> (text: String, reference: GateReference)? {
        let words = right.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
        let names = GateReference.allCases.map(\.rawValue)
        guard words.contains("vs") || names.contains(where: right.contains) else { return nil }
        guard words.count >= 3, words[words.count - 2] == "vs",
            let reference = words.last.flatMap(GateReference.init),
            words.count(where: { $0 == "vs" || names.contains($0) }) == 2
        else { throw error("has no change before 'vs baseline'", Self.changeAdvice) }
        let change = right.split(whereSeparator: \.isWhitespace).dropLast(2).joined()
        guard change.hasPrefix("+") || change.hasPrefix("-") else {
            throw error("'\(change)' has no sign", Self.changeAdvice)
        }
        return (change, reference)
    }

    private static let changeAdvice =
        "write by how much it may change, as in lost_bytes.median < +5% vs baseline, or +64KB"

    /// `+5%` is relative for every metric; anything else is a difference in the metric's unit.
    private func limit(
        ofChange change: String, metric: Metric
    ) throws(RigError) -> (Double, LimitKind) {
        let sign: Double = change.hasPrefix("-") ? -1 : 1
        let size = String(change.dropFirst())
        guard let percent = size.removing(suffix: "%") else {
            return (sign * (try limit(size, metric: metric)), .difference)
        }
        guard let value = Double(decimal: percent) else {
            throw error("'\(change)' is no change", Self.changeAdvice)
        }
        return (sign * value, .percent)
    }

    private func checkChange(_ gate: Gate) throws(RigError) {
        if gate.statistic == .ucb95 {
            throw error(
                "bounds of two runs show no change",
                "compare \(gate.metric.rawValue) itself, or give a limit for the bound")
        }
        if gate.metric == .violationRate, gate.kind == .percent {
            throw error(
                "rates of violations are compared by their difference",
                "write it as violation_rate < +0.01 vs baseline")
        }
        guard gate.isEstimate, [.equal, .notEqual].contains(gate.comparison) else { return }
        throw error(
            "an estimate is never known to change by just so much",
            "compare it with <, <=, > or >=")
    }

    private func split() throws(RigError) -> (String, Comparison, String) {
        guard let start = text.firstIndex(where: { "<>=!".contains($0) }) else {
            throw error("has no operator", "write it as METRIC OP VALUE: violations == 0")
        }
        let tail = text[start...]
        // Longest operator first: `<=` starts with `<`.
        let known = Comparison.allCases.sorted { $0.rawValue.count > $1.rawValue.count }
        guard let comparison = known.first(where: { tail.hasPrefix($0.rawValue) }) else {
            throw error(
                "has no operator that exists",
                "use one of \(Comparison.allCases.map(\.rawValue).joined(separator: " "))")
        }
        return (
            text[..<start].trimmingCharacters(in: .whitespaces), comparison,
            tail.dropFirst(comparison.rawValue.count).trimmingCharacters(in: .whitespaces)
        )
    }

    private func policyName(_ name: Substring) throws(RigError) -> String {
        guard let policy = Policy(name.trimmingCharacters(in: .whitespaces)) else {
            throw error(
                "names no policy before the colon",
                "write a threshold or disabled there, as in 512KB:lost_bytes.max <= 512KB")
        }
        return policy.name
    }

    private func measured(_ subject: Substring) throws(RigError) -> (Metric, Statistic?) {
        let parts = subject.trimmingCharacters(in: .whitespaces).split(
            separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.map(String.init) ?? ""
        guard let metric = Metric(rawValue: name) else {
            throw error(
                "unknown metric '\(name)'", name.advice(among: Metric.allCases.map(\.rawValue)))
        }
        guard parts.count == 2 else { return (metric, try unnamed(metric)) }
        guard let statistic = Statistic(rawValue: String(parts[1])),
            metric.facts.statistics.contains(statistic)
        else {
            let known = Self.names(metric)
            let advice = known.isEmpty ? "leave it out" : "use \(known.joined(separator: ", "))"
            throw error("\(name) has no statistic '\(parts[1])'", advice)
        }
        return (metric, statistic)
    }

    /// What a gate without a statistic means; nil for the total, ratio or count of all rows.
    private func unnamed(_ metric: Metric) throws(RigError) -> Statistic? {
        switch metric.facts.unnamed {
        case .all: return nil
        case .most: return .max
        case .refused:
            throw error(
                "\(metric.rawValue) has a value per row",
                "say which statistic: \(Self.names(metric).joined(separator: ", "))")
        }
    }

    private static func names(_ metric: Metric) -> [String] {
        metric.facts.statistics.map { "\(metric.rawValue).\($0.rawValue)" }
    }

    private func limit(_ written: String, metric: Metric) throws(RigError) -> Double {
        let joined = written.filter { !$0.isWhitespace }
        let (value, form): (Double?, String) =
            switch metric.unit {
            case .count: (Int64(decimal: joined).map(Double.init), "whole number, such as 0")
            case .bytes: (ByteSize(joined).map { Double($0.bytes) }, "size, such as 512KB or 4096")
            case .percent: (percentage(joined), "percentage, such as 5 or 5%")
            case .fraction: (fraction(joined), "rate of at most 1, such as 1% or 0.01")
            case .seconds: (seconds(joined), "time, such as 0.5, 0.5s or 500ms")
            }
        guard let value else {
            throw error("'\(written)' is no value for \(metric.rawValue)", "give a \(form)")
        }
        return value
    }

    private func percentage(_ written: String) -> Double? {
        Double(decimal: written.removing(suffix: "%") ?? written)
    }

    private func fraction(_ written: String) -> Double? {
        let value =
            written.removing(suffix: "%").map { Double(decimal: $0).map { $0 / 100 } }
            ?? Double(decimal: written)
        // A rate above 1 is refused: it was probably meant as a percentage.
        return value.flatMap { $0 <= 1 ? $0 : nil }
    }

    private func seconds(_ written: String) -> Double? {
        if let number = written.removing(suffix: "ms") {
            return Double(decimal: number).map { $0 / 1000 }
        }
        return Double(decimal: written.removing(suffix: "s") ?? written)
    }

    private func error(_ problem: String, _ advice: String) -> RigError {
        RigError(.usage, "gate '\(text)': \(problem); \(advice)")
    }
}

extension String {
    fileprivate func removing(suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }
}

extension Double {
    /// Parses digits with at most one point, and no other notation of a number.
    fileprivate init?(decimal text: String) {
        guard text.contains(where: \.isNumber),
            text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let value = Double(text),
            value.isFinite
        else { return nil }
        self = value
    }
}

extension Int64 {
    /// Parses digits, and no other notation of a number.
    fileprivate init?(decimal text: String) {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        self.init(text)
    }
}
