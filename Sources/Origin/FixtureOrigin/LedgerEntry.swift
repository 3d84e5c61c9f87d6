package import OriginFaults

package struct LedgerEntry: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        case complete
        /// Either side ended the connection before the body was complete.
        case cut
        /// The body is being sent, or is held.
        case running
    }

    /// The request's number since the mount, starting at 1.
    package var ordinal: Int
    package var method: String
    package var rangeHeader: String?
    package var ifRange: String?
    /// The faults that changed the answer, without early ends that the client did not wait for.
    package var strikes: [OriginFault] = []
    package var status: Int
    /// The positions of the answer's body; nil for an answer without a body.
    package var requested: Range<Int64>?
    /// Body bytes handed to the socket's writer, never fewer than the client received; after a cut,
    /// up to one buffer (256 KB) of them may not have been sent.
    package var servedBytes: Int64 = 0
    package var state: State
    /// When the request's headers had been read.
    package var startedAt: ContinuousClock.Instant
    /// When the first bytes of the body were handed out.
    package var firstByteAt: ContinuousClock.Instant?
    package var endedAt: ContinuousClock.Instant?
}
