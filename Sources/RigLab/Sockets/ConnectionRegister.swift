internal import FixtureOrigin

/// The connections of one life of a worker: which answers came by which, and which have ended.
struct ConnectionRegister: Sendable {
    /// The mounts whose bytes count.
    let mounts: FollowedMounts
    /// The connections, in the order of their first answers.
    var streams: [ConnectionStream] = []
    /// Why nothing is known any more; nil as long as all is.
    var doubt: String?

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
            return
        }
        let stream = streams[index]
        if socket.isDisconnected {
            let isItsOwn = stream.cookie.map { $0 == socket.figures.cookie } ?? true
            if isItsOwn, stream.endedAt == nil { streams[index].cut(socket.figures, at: moment) }
            return
        }
        let isAnother = stream.cookie.map { $0 != socket.figures.cookie } ?? false
        guard stream.endedAt != nil || isAnother else {
            streams[index].end(socket.figures, at: moment)
            return
        }
        // An earlier user of the port is nothing to this one, unless their answers lie together.
        let isMixed = stream.endedAt != nil || stream.answers.count > 1
        if isAnother, isMixed, socket.figures.received > 0, stream.concerns(mounts) {
            doubt = ConnectionStream.mixed
        }
    }
}
