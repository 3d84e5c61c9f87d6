internal import COpenSSL

struct OpenSSLError: Error, CustomStringConvertible {
    /// What OpenSSL says of it.
    let description: String

    /// The earliest error of this thread, and forgets the others.
    init(_ action: String) {
        var text = [CChar](repeating: 0, count: 256)
        let code = ERR_get_error()
        ERR_error_string_n(code, &text, text.count)
        ERR_clear_error()
        let said = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        description =
            "cannot \(action): \(code == 0 ? "unknown" : String(decoding: said, as: UTF8.self))"
    }
}

/// The value, unless OpenSSL has returned none.
func made<Value>(_ value: Value?, _ action: String) throws(OpenSSLError) -> Value {
    guard let value else { throw OpenSSLError(action) }
    return value
}

/// Checks the result of a call that returns 1 for success.
func check(_ result: Int32, _ action: String) throws(OpenSSLError) {
    guard result > 0 else { throw OpenSSLError(action) }
}
