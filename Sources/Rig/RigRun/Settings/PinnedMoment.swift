internal import RigModel

/// A pinned moment: a size for `bytes`, a fraction for `time`, a phase, a call or lines said.
package struct PinnedMoment: Sendable, Hashable {
    /// The text for sparing the worker.
    package static let never = Trigger.never.planned

    package let text: String

    package init(_ text: String) { self.text = text }

    /// The bytes over which kills are drawn; nil when the text names no such window in a video.
    func window(of kind: TriggerKind, videoLength: Int64) -> ByteWindow? {
        guard kind == .bytes, let window = ByteWindow(text),
            window.fits(videoLength: videoLength)
        else { return nil }
        return window
    }

    /// True for kills all over the end of the work.
    func isEnd(of kind: TriggerKind) -> Bool { kind == .time && text == Trigger.end }

    /// The moment as a trigger of a kind; nil when the text does not fit the kind.
    func trigger(of kind: TriggerKind, videoLength: Int64) -> Trigger? {
        switch kind {
        case .bytes:
            let isFlowing = text.hasSuffix(Trigger.flowingSuffix)
            let count = isFlowing ? text.dropLast(Trigger.flowingSuffix.count) : text[...]
            guard let size = ByteSize(String(count)), (1..<videoLength).contains(size.bytes) else {
                return nil
            }
            return isFlowing ? .flowing(size.bytes) : .bytes(size.bytes)
        case .time:
            if text == Self.never { return .never }
            let isOfEnd = text.hasPrefix(Trigger.endingPrefix)
            let words = isOfEnd ? text.dropFirst(Trigger.endingPrefix.count) : text[...]
            let isPercent = words.hasSuffix("%")
            guard let number = Double(isPercent ? words.dropLast() : words) else { return nil }
            let fraction = isPercent ? number / 100 : number
            guard fraction > 0, fraction < 1 else { return nil }
            return isOfEnd ? .ending(fraction) : .time(fraction)
        case .phase: return Phase(rawValue: text).map { .phase($0) }
        case .syscall: return CallMoment(text).map { .syscall($0) }
        case .said: return Int(text).flatMap { $0 > 0 ? .said($0) : nil }
        case .random: return nil
        }
    }

    private var phases: [String] { Phase.allCases.map(\.rawValue) }

    func advice(for kind: TriggerKind, videoLength: Int64) -> String {
        let otherwise = "give \(expected(by: kind, videoLength: videoLength))"
        return kind == .phase ? text.advice(among: phases, otherwise: otherwise) : otherwise
    }

    func expected(by kind: TriggerKind, videoLength: Int64) -> String {
        switch kind {
        case .bytes:
            "a size from 1 to \(videoLength - 1) bytes, with \(Trigger.flowingSuffix) behind it for a"
                + " kill that nothing waits for, or two sizes with .. between them, over which kills"
                + " are spread"
        case .time, .random:
            "a fraction between 0 and 1, with \(Trigger.endingPrefix) before it for one of the time"
                + " between the last byte and the worker's end, \(Trigger.end) for kills all over"
                + " that time, or never"
        case .phase: "one of \(phases.joined(separator: ", "))"
        case .syscall:
            "the ordinal of a call, such as 137, or 137:after, or with its name rename:2:after"
        case .said: "how many lines the program has said, from 1"
        }
    }
}
