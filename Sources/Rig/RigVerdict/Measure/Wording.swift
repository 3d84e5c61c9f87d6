import RigModel

enum Wording {
    /// Replaces a rate when every worker was spared, or will be.
    static let noWorkerWasKilled = "no worker was killed: this says nothing about kills"
    static let noWorkerIsKilled = "no worker is killed: this says nothing about kills"

    /// The first three ranges and the number of the others: `0..<512, 1024..<2048 and 2 more`.
    static func places(_ set: ByteRanges) -> String {
        let shown = set.ranges.prefix(3).map { "\($0.lowerBound)..<\($0.upperBound)" }
        let more = set.ranges.count - shown.count
        return shown.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }

    /// `, 512 of them past its end`; empty for none.
    static func past(_ surplus: Int64) -> String {
        surplus > 0 ? ", \(surplus) of them past its end" : ""
    }

    /// `, the first at 4096: bytes shifted by 1`; empty when there is no difference.
    static func place(_ difference: Difference?) -> String {
        guard let difference else { return "" }
        let diagnosis = difference.diagnosis.map { ": \($0)" } ?? ""
        return ", the first at \(difference.offset)\(diagnosis)"
    }

    static func oneSentence(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " / ")
    }

    /// A torn CSV row can then be told from a damaged file, and `;` separates findings.
    static func oneLine(_ text: String) -> String { oneSentence(text).replacing(";", with: ",") }
}

extension ByteRanges {
    /// `512 bytes are gone, at 0..<512`; nil without any.
    func told(_ what: String) -> String? {
        isEmpty ? nil : "\(count.counted("byte")) \(what), at \(Wording.places(self))"
    }
}
