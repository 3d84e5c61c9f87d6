/// How long a worker that is asked to end may take before it is killed (T12).
package struct Grace: Sendable, Hashable, TextCoded {
    package static var kind: String { "grace" }

    package let least: Int
    package let most: Int

    /// The grace where none is given: long enough for any orderly end.
    package static let standard = Grace(least: 5000, most: 5000)
    package static let longest = 60_000

    private init(least: Int, most: Int) { (self.least, self.most) = (least, most) }

    /// Parses `5s`, `200ms`, or `0-50ms` for one that is drawn; nil for other text.
    package init?(_ text: String) {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard let last = ends.last, ends.count <= 2, let most = Self.milliseconds(last) else {
            return nil
        }
        let unit = last.drop { $0.isNumber }
        let first = ends[0].allSatisfy(\.isNumber) ? "\(ends[0])\(unit)" : String(ends[0])
        guard let least = Self.milliseconds(first), least <= most, most <= Self.longest else {
            return nil
        }
        self.init(least: least, most: most)
    }

    private static func milliseconds(_ text: some StringProtocol) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits) else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": return number
        case "s": return number.multipliedReportingOverflow(by: 1000).overflow ? nil : number * 1000
        default: return nil
        }
    }

    package var text: String {
        let isInSeconds = least.isMultiple(of: 1000) && most.isMultiple(of: 1000)
        let (scale, unit) = isInSeconds ? (1000, "s") : (1, "ms")
        return least == most ? "\(most / scale)\(unit)" : "\(least / scale)-\(most / scale)\(unit)"
    }

    /// One kill's grace in seconds, evenly distributed, from its iteration's seed.
    package func seconds(seed: UInt64, kill: Int) -> Double {
        var random = SplitMix64(seed: seed ^ 0x6772_6163_6500_0000 ^ UInt64(kill))
        return (Double(least) + Double(most - least) * random.unit()) / 1000
    }
}

/// What `--fault` names: a fault, for `term` with its grace.
package struct FaultChoice: Sendable, Hashable {
    package let fault: Fault
    package let grace: Grace?
    /// What stands where a grace should and is none; nil for nothing.
    package let mistake: String?

    package init(_ fault: Fault) { (self.fault, grace, mistake) = (fault, nil, nil) }

    /// Parses `sigkill`, `term` or `term:GRACE`; nil where no fault has the name.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let fault = Fault(rawValue: String(parts[0])), parts.count == 1 || fault == .term
        else { return nil }
        self.fault = fault
        grace = parts.count == 2 ? Grace(String(parts[1])) : nil
        mistake = parts.count == 2 && grace == nil ? String(parts[1]) : nil
    }
}

extension Fault {
    /// The fault as `--fault` names it: `term:0-50ms`.
    package func text(_ grace: Grace?) -> String {
        grace.map { "\(rawValue):\($0.text)" } ?? rawValue
    }
}
