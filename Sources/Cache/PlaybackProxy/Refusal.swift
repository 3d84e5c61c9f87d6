/// Why a player's request is answered with an error, and with which status.
///
/// The text says what is wrong and ends in what to do; it is sent as plain text.
struct Refusal: Error, Hashable {
    /// The status code, 400 or above.
    var status: Int
    /// What is wrong, and what to do.
    var reason: String
    /// Header fields that belong to the status.
    var headers: [String: String] = [:]
}
