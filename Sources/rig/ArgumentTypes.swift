internal import ArgumentParser
internal import RigModel

extension ByteSize: ExpressibleByArgument {
    /// Reads a size such as `10MB`.
    public init?(argument: String) {
        self.init(argument)
    }
}

extension TriggerKind: ExpressibleByArgument {}

extension Durability: ExpressibleByArgument {}

/// A pace such as `20MB/s`.
struct Rate: ExpressibleByArgument {
    let bytesPerSecond: Int64

    init?(argument: String) {
        let text = argument.hasSuffix("/s") ? String(argument.dropLast(2)) : argument
        guard let size = ByteSize(text), size.bytes > 0 else { return nil }
        bytesPerSecond = size.bytes
    }
}

/// A pinned moment: a size for the `bytes` trigger, a fraction for the `time` trigger.
struct PinnedMoment: ExpressibleByArgument {
    let text: String

    init?(argument: String) {
        text = argument
    }

    /// The moment in the terms of a trigger; nil when the text does not fit it.
    func trigger(of kind: TriggerKind, videoLength: Int64) -> Trigger? {
        switch kind {
        case .bytes:
            guard let size = ByteSize(text), (1..<videoLength).contains(size.bytes) else {
                return nil
            }
            return .bytes(size.bytes)
        case .time:
            let isPercent = text.hasSuffix("%")
            guard let number = Double(isPercent ? String(text.dropLast()) : text) else {
                return nil
            }
            let fraction = isPercent ? number / 100 : number
            guard fraction > 0, fraction < 1 else { return nil }
            return .time(fraction)
        case .random:
            return nil
        }
    }
}
