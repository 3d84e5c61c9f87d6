internal import ArgumentParser
internal import RigModel

extension ByteSize: ExpressibleByArgument {
    /// Parses a size such as `10MB`.
    public init?(argument: String) {
        self.init(argument)
    }
}

extension Durability: ExpressibleByArgument {}

/// A bandwidth such as `20MB/s`.
struct Rate: ExpressibleByArgument {
    let bytesPerSecond: Int64

    init?(argument: String) {
        let text = argument.hasSuffix("/s") ? String(argument.dropLast(2)) : argument
        guard let size = ByteSize(text), size.bytes > 0 else { return nil }
        bytesPerSecond = size.bytes
    }
}
