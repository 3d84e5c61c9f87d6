/// What becomes of a call that is made to fail (`--error`).
package enum CallError: String, Sendable, Hashable, Codable, CaseIterable {
    case eio, enospc, edquot, emfile
    /// Half of the bytes are written, or read.
    case shortWrite = "short-write"
    case shortRead = "short-read"
    /// Such a call reports an error of the device; a close has closed the file.
    case fsyncEIO = "fsync-eio"
    case closeEIO = "close-eio"
    case renameEIO = "rename-eio"
    case slow

    /// How it goes on where `--sticky` does not say: a full disk stays full.
    package var usual: Sticky { isFull ? .untilRelaunch : .once }
    package var isFull: Bool { self == .enospc || self == .edquot }

    /// True if nothing has gone wrong for a program that looks at what its calls return.
    package var isHarmless: Bool { [.shortWrite, .shortRead, .slow].contains(self) }

    /// What the call did: `failed with EIO`.
    fileprivate var outcome: String {
        switch self {
        case .eio, .fsyncEIO, .closeEIO, .renameEIO: "failed with EIO"
        case .enospc, .edquot, .emfile: "failed with \(rawValue.uppercased())"
        case .shortWrite, .shortRead: "was carried out short"
        case .slow: "took a second longer"
        }
    }
}

/// Which calls fail after the first one (`--sticky`).
package enum Sticky: Sendable, Hashable, TextCoded {
    package static var kind: String { "way to go on failing" }

    case once
    /// All that can fail so, until the worker is started again.
    case untilRelaunch
    /// Each n-th of those that can fail so.
    case every(Int)

    package var text: String {
        switch self {
        case .once: "once"
        case .untilRelaunch: "until-relaunch"
        case .every(let step): "every:\(step)"
        }
    }

    package init?(_ text: String) {
        switch text {
        case "once": self = .once
        case "until-relaunch": self = .untilRelaunch
        default:
            guard text.hasPrefix("every:"), let step = Int(text.dropFirst(6)), step > 0 else {
                return nil
            }
            self = .every(step)
        }
    }
}

/// How calls fail under `--fault call-error`.
package struct CallFailure: Sendable, Hashable, Codable {
    package let error: CallError
    package let sticky: Sticky
    /// A pattern of the files whose calls fail (`--on`); nil for all.
    package let pattern: String?
    /// What becomes of a file whose sync fails, and of the power then; nil for no loss.
    package let afterSync: AfterSync?

    /// A failure by this error; `sticky` is nil for what is usual with it.
    package init(
        _ error: CallError, sticky: Sticky? = nil, pattern: String? = nil,
        afterSync: AfterSync? = nil
    ) {
        self.error = error
        self.sticky = sticky ?? error.usual
        (self.pattern, self.afterSync) = (pattern, afterSync)
    }

    package var words: [String] {
        ["--error", error.rawValue]
            + (sticky == error.usual ? [] : ["--sticky", sticky.text])
            + (pattern.map { ["--on", $0] } ?? [])
            + (afterSync.map { ["--after-fsync", $0.rawValue] } ?? [])
    }

    /// The options as one text: `eio on *.tmp`.
    package var text: String {
        [
            error.rawValue, sticky == error.usual ? nil : sticky.text, pattern.map { "on \($0)" },
            afterSync.map { "after-fsync \($0.rawValue)" },
        ].compactMap(\.self).joined(separator: " ")
    }
}

package struct FailedCall: Sendable, Hashable, Codable {
    package let error: CallError
    /// Its place among the calls that can fail so, from 1.
    package let ordinal: Int
    package let name: String
    /// The last part of its file's path; empty for a call that is about all files.
    package let file: String
    /// The number of bytes that it was about; nil where there are none.
    package let length: Int64?
    /// How many of them were left; nil for a call that was not carried out short.
    package let cutTo: Int64?
    package let later: Int
    /// Whether a later sync of the file has to report it; nil where the call did so itself.
    private let isLate: Bool?
    /// The place of the sync that has reported it; nil for none.
    private let reportedBy: Int?

    package init(
        _ error: CallError, ordinal: Int, name: String, file: String, length: Int64?,
        cutTo: Int64? = nil, later: Int = 0, isLate: Bool = false, reportedBy: Int? = nil
    ) {
        self.isLate = isLate ? true : nil
        (self.reportedBy, self.error, self.ordinal, self.name) = (reportedBy, error, ordinal, name)
        (self.file, self.length, self.cutTo, self.later) = (file, length, cutTo, later)
    }

    /// `call 37, write of 4096 bytes to data.tmp failed with ENOSPC`.
    package var words: String {
        let bytes = length.map { " of \($0.counted("byte"))" } ?? ""
        let preposition = name.contains("read") ? "from" : length == nil ? "of" : "to"
        let place = file.isEmpty ? "" : " \(preposition) \(file)"
        let cut = cutTo.map { "was cut to \($0.counted("byte"))" }
        let outcome = cut ?? lateOutcome ?? error.outcome
        let more =
            later == 0
            ? "" : ", and \(later) after it\(error.isFull && cutTo != nil ? " failed" : "")"
        return "call \(ordinal), \(name)\(bytes)\(place) \(outcome)\(more)"
    }

    private var lateOutcome: String? {
        guard isLate == true else { return nil }
        return reportedBy.map { "lost what it had written, which call \($0) reported with EIO" }
            ?? "had nothing to report, as its file was not synced again"
    }
}
