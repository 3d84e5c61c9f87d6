internal import FixtureOrigin

/// The connections of one life of a worker: which answers came by which, and which have ended.
struct ConnectionRegister: Sendable {
    /// The mounts whose bytes count.
    let mounts: FollowedMounts
    /// The connections, in the order of their first answers.
    var streams: [ConnectionStream] = []
    /// Why nothing is known any more; nil as long as all is.
    var doubt: String?
    /// The latest ends of sockets that no open connection had here, by their ports: a client may be
    /// gone before the origin begins its answer.
    var unclaimed: [UInt16: (socket: EndedSocket, moment: ContinuousClock.Instant)] = [:]

    /// Enters an answer: on a connection that has not ended, or on another one with the same port.
    mutating func add(_ answer: ServedAnswer) {
        let index = streams.lastIndex { $0.clientPort == answer.clientPort }
        // One that began before its connection's end was noted may still have come by it.
        if let index, streams[index].endedAt.map({ answer.startedAt < $0 }) ?? true {
            streams[index].answers.append(answer)
        } else {
            streams.append(ConnectionStream(answer))
        }
    }

    /// The cookie of the last connection from a port, where somebody has looked.
    func cookie(ofPort port: UInt16) -> UInt64? {
        streams.last { $0.clientPort == port }?.cookie
    }

    /// Enters the end of a connection.
    mutating func end(_ socket: EndedSocket, at moment: ContinuousClock.Instant) {
        guard let index = streams.lastIndex(where: { $0.clientPort == socket.clientPort }) else {
            unclaimed[socket.clientPort] = (socket, moment)
            return
        }
        let stream = streams[index]
        if stream.endedAt != nil { unclaimed[socket.clientPort] = (socket, moment) }
        if socket.isDisconnected {
            let isItsOwn = stream.cookie.map { $0 == socket.figures.cookie } ?? true
            if isItsOwn, stream.endedAt == nil { streams[index].end(socket, at: moment) }
            return
        }
        let isAnother = stream.cookie.map { $0 != socket.figures.cookie } ?? false
        guard stream.endedAt != nil || isAnother else {
            streams[index].end(socket, at: moment)
            return
        }
        // An earlier user of the port is nothing to this one, unless their answers lie together.
        let isMixed = stream.endedAt != nil || stream.answers.count > 1
        if isAnother, isMixed, socket.figures.received > 0, stream.concerns(mounts) {
            doubt = ConnectionStream.mixed
        }
    }

    /// Ends a connection that is gone by an end that came before its first answer.
    ///
    /// - Parameter index: the connection's.
    /// - Returns: false where there was none.
    mutating func claimEnd(ofStream index: Int) -> Bool {
        let port = streams[index].clientPort
        guard let end = unclaimed[port],
            streams[index].cookie.map({ $0 == end.socket.figures.cookie }) ?? true
        else { return false }
        unclaimed[port] = nil
        streams[index].end(end.socket, at: end.moment)
        return true
    }

    /// How long the kernel may take to tell of the end of a socket that is gone: it does so by a
    /// work queue, which on a busy machine waits for its turn.
    static let longestNotice = Duration.milliseconds(200)

    /// Ends an answer that began when its client had gone already, and of which nothing was taken.
    ///
    /// Its request waited in the origin's socket until the origin got its turn. It belongs to the
    /// connection before it on the port, where that had been read to its end. Were it another
    /// connection, the kernel would have told of its end by now.
    ///
    /// - Parameters:
    ///   - index: the answer's connection, which is gone.
    ///   - now: the time.
    /// - Returns: false where that is not known, or not yet.
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
