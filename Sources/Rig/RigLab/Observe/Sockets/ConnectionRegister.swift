internal import FixtureOrigin

/// The connections of one life of a worker: the answers sent on each, and which have ended.
struct ConnectionRegister: Sendable {
    let mounts: FollowedMounts
    /// The connections, in the order of their first answers.
    var streams: [ConnectionStream] = []
    /// Why the figures can no longer be trusted; nil while they can.
    var doubt: String?
    /// The latest socket ends that matched no open connection here, by port: a client may be gone
    /// before the origin begins its answer.
    var unclaimed: [UInt16: (socket: EndedSocket, moment: ContinuousClock.Instant)] = [:]

    /// Adds an answer to the latest connection from its port, or to a new one if that has ended.
    mutating func add(_ answer: ServedAnswer) {
        let index = streams.lastIndex { $0.clientPort == answer.clientPort }
        // An answer that began before its connection's end was noted may still belong to it. Other
        // records are another connection's, whose bytes the records of this one do not explain.
        if let index, streams[index].endedAt.map({ answer.startedAt < $0 }) ?? true,
            streams[index].answers.first?.records === answer.records
        {
            streams[index].answers.append(answer)
        } else {
            streams.append(ConnectionStream(answer))
        }
    }

    /// The cookie of the latest connection from a port; nil if no look has found its socket.
    func cookie(ofPort port: UInt16) -> UInt64? { streams.last { $0.clientPort == port }?.cookie }

    /// True for a connection to a followed mount that has not ended.
    func isOpen(_ stream: ConnectionStream) -> Bool {
        stream.endedAt == nil && stream.concerns(mounts)
    }

    mutating func end(_ socket: EndedSocket, at moment: ContinuousClock.Instant) {
        guard let index = streams.lastIndex(where: { $0.clientPort == socket.clientPort }) else {
            unclaimed[socket.clientPort] = (socket, moment)
            return
        }
        let stream = streams[index]
        if stream.endedAt != nil { unclaimed[socket.clientPort] = (socket, moment) }
        let isAnother = stream.cookie.map { $0 != socket.figures.cookie } ?? false
        if stream.endedAt == nil, !isAnother { return streams[index].end(socket, at: moment) }
        if socket.isDisconnected { return }
        // The end of an earlier connection from the port does not matter, unless answers of both
        // may be mixed in this one.
        let isMixed = stream.endedAt != nil || stream.answers.count > 1
        if isAnother, isMixed, socket.figures.received > 0, stream.concerns(mounts) {
            doubt = ConnectionStream.mixed
        }
    }

    /// Ends a vanished connection by an end reported before its first answer; false without one.
    mutating func claimEnd(ofStream index: Int) -> Bool {
        let port = streams[index].clientPort
        guard let end = unclaimed[port],
            streams[index].cookie.map({ $0 == end.socket.figures.cookie }) ?? true
        else { return false }
        unclaimed[port] = nil
        streams[index].end(end.socket, at: end.moment)
        return true
    }

    /// How long the kernel may take to report the end of a socket that is gone: it reports through
    /// a work queue, which waits its turn on a busy machine.
    static let longestNotice = Duration.milliseconds(200)

    /// Ends a connection if its answer began after its client was gone and nothing was taken; false
    /// if that is not known, or not yet.
    ///
    /// Its request waited in the origin's socket until the origin was scheduled. It belongs to the
    /// previous connection from the port, if that was read to its end: the kernel would have
    /// reported the end of another connection by now.
    mutating func endUnsent(stream index: Int, now: ContinuousClock.Instant = .now) -> Bool {
        let late = streams[index]
        guard late.cookie == nil,
            let before = streams[..<index].last(where: { $0.clientPort == late.clientPort }),
            let end = before.endedAt, let cookie = before.cookie, before.wasReadToItsEnd
        else { return false }
        let since = late.goneSince ?? now
        streams[index].goneSince = since
        guard now - since >= Self.longestNotice else { return false }
        streams[index].end(
            SocketFigures(cookie: cookie, received: 0, queued: 0, isClosed: true), at: end)
        return true
    }
}
