/// A fault of the origin, or of the connection to it, on request.
///
/// The first six kinds have toxiproxy's meaning and act on connections, from the origin to the
/// client. The others act on HTTP; answers that they do not apply to follow RFC 9110.
package struct OriginFault: Sendable, Hashable {
    package enum Argument: Sendable, Hashable {
        case none
        case milliseconds(Int64)
        case bytes(Int64)
        /// Bytes per second.
        case pace(Int64)
        /// A number of requests or of redirects, or a status code.
        case number(Int)
        case word(String)
    }

    package let kind: Kind
    /// Its value; the default when none was given.
    package let argument: Argument
    /// The number of times it takes effect, nil for every time: answers are counted per mount, so
    /// that each launch of a worker meets it, and connections over the origin's lifetime.
    package let times: Int?

    /// A fault with a value of the form that its kind has.
    package init(_ kind: Kind, _ argument: Argument = .none, times: Int? = nil) {
        (self.kind, self.argument, self.times) = (kind, argument, times)
    }

    /// True when the kill-test itself applies it at the relaunch of a download: a fault limited to
    /// a number of times may be used up before it matters; one that passes is meant to.
    package var isForRelaunch: Bool {
        let onset = kind.facts.onset
        return times == nil ? onset == .relaunch : onset == .relaunchIfCounted
    }

    /// Its value if that is a time, and no time otherwise.
    package var delay: Duration {
        if case .milliseconds(let count) = argument { .milliseconds(count) } else { .zero }
    }

    /// Its value if that is a number, such as one of bytes, and 0 otherwise.
    package var amount: Int64 {
        switch argument {
        case .bytes(let count), .pace(let count): count
        case .number(let number): Int64(number)
        case .none, .milliseconds, .word: 0
        }
    }
}
