internal import ArgumentParser
internal import RigModel

extension ByteSize: ExpressibleByArgument {
    /// Parses a size such as `10MB`.
    public init?(argument: String) { self.init(argument) }
}

extension Durability: ExpressibleByArgument {}

/// A time such as `2s`, `500ms` or `1.5`, which is one in seconds.
struct Seconds: ExpressibleByArgument {
    let value: Double

    init?(argument: String) {
        let isMilliseconds = argument.hasSuffix("ms")
        let unit = isMilliseconds ? 2 : argument.hasSuffix("s") ? 1 : 0
        guard let number = Double(argument.dropLast(unit)), number.isFinite, number > 0 else {
            return nil
        }
        value = isMilliseconds ? number / 1000 : number
    }
}

/// A bandwidth such as `20MB/s`.
struct Rate: ExpressibleByArgument {
    let bytesPerSecond: Int64

    init?(argument: String) {
        let text = argument.hasSuffix("/s") ? String(argument.dropLast(2)) : argument
        guard let size = ByteSize(text), size.bytes > 0 else { return nil }
        bytesPerSecond = size.bytes
    }
}

/// Refuses options where something does not hold, with what is wrong and what to do.
func require(_ holds: Bool, _ complaint: @autoclosure () -> String) throws {
    guard holds else { throw ValidationError(complaint()) }
}
