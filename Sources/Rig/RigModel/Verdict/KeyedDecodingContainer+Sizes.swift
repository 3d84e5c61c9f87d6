extension KeyedDecodingContainer {
    /// A number, which may be written as a size, such as `512KB`; nil if the key is absent.
    func number(_ key: Key) throws -> Double? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let value = Double(text) ?? ByteSize(text).map({ Double($0.bytes) }), value.isFinite
        else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self,
                debugDescription: "'\(text)' is neither a number nor a size; write 5 or 512KB")
        }
        return value
    }

    func size(_ key: Key) throws -> Int64? { try number(key).map { Int64($0) } }
}
