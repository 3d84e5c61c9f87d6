/// The fields of a request's head (RFC 9112, 5; RFC 9110, 5).
struct RequestFields {
    /// The values by names in lower case; those of one name are joined to a list.
    private(set) var values: [String: String] = [:]
    private var hosts = 0

    mutating func add(_ line: ArraySlice<UInt8>) throws(MalformedRequest) {
        guard let first = line.first, first != 0x20, first != 0x09 else {
            throw MalformedRequest(
                "a field goes on in a second line, which is out of use; send it in one line")
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(\.isTokenByte)
        else {
            throw MalformedRequest(
                "a line of the head is no field; send a name and a colon, without a blank before it"
            )
        }
        let name = String(fieldBytes: line[..<colon]).lowercased()
        guard line[(colon + 1)...].allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
            throw MalformedRequest("the field '\(name)' has a control character; leave it out")
        }
        let value = String(String(fieldBytes: line[(colon + 1)...])[...].trimmingBlanks())
        if name == "host" { hosts += 1 }
        values[name] = values[name].map { "\($0), \(value)" } ?? value
    }

    /// The value of `Host`, which HTTP/1.1 requires (RFC 9112, 3.2); throws for none, or two.
    func host(isRequired: Bool) throws(MalformedRequest) -> String? {
        guard hosts <= 1 else { throw MalformedRequest("there are several Host fields; send one") }
        guard let host = values["host"] else {
            guard !isRequired else { throw MalformedRequest("the Host field is missing; send one") }
            return nil
        }
        guard host.utf8.allSatisfy(\.isHostByte) else {
            throw MalformedRequest("the Host field names no host; send its name and port")
        }
        return host
    }
}
