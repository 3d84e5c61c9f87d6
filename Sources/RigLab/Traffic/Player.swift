internal import Dispatch
internal import Fixture
internal import Foundation
internal import RigModel
internal import Synchronization

/// Whether what breaks is still the worker's doing.
///
/// It falls right before the kill, so a broken connection is held against the worker exactly when
/// it broke before.
final class Curtain: Sendable {
    private let isDown = Atomic(false)

    /// From now on nothing that breaks counts.
    func fall() { isDown.store(true, ordering: .sequentiallyConsistent) }

    /// True once it has fallen.
    var hasFallen: Bool { isDown.load(ordering: .sequentiallyConsistent) }
}

/// The rig's own player: opens videos through a worker's proxy, and compares every byte that it is
/// handed with the video.
struct Player: Sendable {
    /// The proxy's port on 127.0.0.1.
    let port: UInt16
    /// The videos, by the addresses under which the proxy is to fetch them.
    let space: PositionSpace
    /// Falls when the worker is killed.
    let curtain: Curtain
    /// The version before this one, of a single video that was changed at the origin; nil when none
    /// may be met.
    var elder: Elder?

    /// A version of a video that the origin no longer has, and a cache may still play.
    struct Elder: Sendable {
        /// The ETag by which an answer says that it is of this version.
        let etag: String
        /// Its bytes.
        let source: any VideoSource
    }

    /// How often a player asks again whose video has changed under it.
    private static let mostAttempts = 3

    /// How many bytes are read at a time, at most.
    private static let pieceSize = 64 << 10

    /// Makes the moves in their order; those of one move at the same time.
    ///
    /// Blocks, and ends early once the curtain has fallen.
    func play(_ plan: PlayerPlan) -> Delivery {
        var delivery = Delivery()
        for move in plan.moves {
            if curtain.hasFallen { break }
            if move.count == 1 {
                delivery.add(take(move[0]))
                continue
            }
            let answers = Mutex<[Delivery]>([])
            DispatchQueue.concurrentPerform(iterations: move.count) { index in
                let answer = take(move[index])
                answers.withLock { $0.append(answer) }
            }
            for var answer in answers.withLock({ $0 }) {
                answer.open = answer.open?.map { OpenRequest(taken: $0.taken, isAlone: false) }
                delivery.add(answer)
            }
        }
        return delivery
    }

    /// Makes one request, takes as much of the answer as is wanted, and closes the connection.
    ///
    /// An answer says by its ETag of which version it is, and every byte of it has to be that
    /// version's. One of an elder version may end early, when the proxy finds out: the player asks
    /// again, and counts as delivered what is of the new one.
    func take(_ request: PlayerRequest) -> Delivery {
        var delivery = Delivery()
        for _ in 1...Self.mostAttempts {
            let (answer, isOfElder) = attempt(request)
            delivery.add(answer)
            if !isOfElder || answer.wrongBytes > 0 { break }
        }
        return delivery
    }

    private func attempt(_ request: PlayerRequest) -> (delivery: Delivery, isOfElder: Bool) {
        var delivery = Delivery()
        delivery.requests = 1
        var met: Elder?
        do {
            let connection = try open(request)
            guard request.takes > 0 else { return (delivery, false) }
            let answer = try connection.readHead()
            if let fault = fault(in: answer, to: request) {
                // A worker whose disk is gone may still say so.
                if curtain.hasFallen, answer.status >= 500 { return (delivery, false) }
                delivery.faults.append("\(name(request)): \(fault)")
                return (delivery, false)
            }
            if let elder, answer.headers["etag"] == elder.etag { met = elder }
            try takeBody(of: request, from: connection, comparing: met?.source, into: &delivery)
        } catch {
            if !curtain.hasFallen { delivery.faults.append("\(name(request)): \(error)") }
        }
        if met != nil {
            delivery.delivered = ByteRanges()
            delivery.faults = []
        }
        return (delivery, met != nil)
    }

    /// Requests whose answers are awaited later.
    final class Asked: Sendable {
        private let group = DispatchGroup()
        private let faults = Mutex<[String]>([])

        fileprivate func ask(_ question: @escaping @Sendable () -> String?) {
            // A queue for each: a proxy may try for seconds before it gives up.
            DispatchQueue(label: "rig.player.refusal").async(group: group) {
                if let fault = question() { self.faults.withLock { $0.append(fault) } }
            }
        }

        /// What was wrong with the answers, once all are there.
        func wait() -> [String] {
            group.wait()
            return faults.withLock { $0.sorted() }
        }
    }

    /// Asks for positions that cannot be had, all at once; returns while the answers are awaited.
    func refusals(of requests: [PlayerRequest]) -> Asked {
        let asked = Asked()
        for request in requests { asked.ask { refusal(of: request) } }
        return asked
    }

    /// Asks for a position that cannot be had; says what is wrong with the answer, or nil.
    ///
    /// A clear failure is an error status with a reason, or a body that is cut before its first
    /// byte: never a byte, and never a clean end.
    func refusal(of request: PlayerRequest) -> String? {
        do {
            let connection = try open(request)
            let answer = try connection.readHead()
            let body = try connection.readBody(atMost: 1024)
            if (500..<600).contains(answer.status) {
                return body.isEmpty ? "\(name(request)): \(answer.status) without a reason" : nil
            }
            guard answer.status != 206 || !body.isEmpty else { return nil }
            return "\(name(request)): answered \(answer.status) with \(body.count) bytes or more"
                + " though nobody has them"
        } catch PlayerError.noAnswer, PlayerError.system("recv", errno: ECONNRESET) {
            return "\(name(request)): the connection was closed without an answer"
        } catch {
            return "\(name(request)): \(error)"
        }
    }

    // MARK: The request

    private func open(_ request: PlayerRequest) throws(PlayerError) -> PlayerConnection {
        let curtain = curtain
        let connection = try PlayerConnection(port: port) { curtain.hasFallen }
        let last = request.isOpenEnded ? "" : "\(request.range.upperBound - 1)"
        try connection.send(
            "GET /play?url=\(Self.encoded(space.parts[request.video].url)) HTTP/1.1\r\n"
                + "Host: 127.0.0.1:\(port)\r\nUser-Agent: rig\r\nConnection: close\r\n"
                + "Range: bytes=\(request.range.lowerBound)-\(last)\r\n\r\n")
        return connection
    }

    private func name(_ request: PlayerRequest) -> String {
        let last = request.isOpenEnded ? "" : "\(request.range.upperBound - 1)"
        let video = space.parts.count > 1 ? " of video \(request.video + 1)" : ""
        return "bytes=\(request.range.lowerBound)-\(last)\(video)"
    }

    /// Percent-encodes everything but what never needs it (RFC 3986, 2.3).
    static func encoded(_ url: String) -> String {
        url.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "-._~".unicodeScalars.contains(scalar))
            return isPlain
                ? String(scalar)
                : "%" + (byte < 16 ? "0" : "")
                    + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    // MARK: The answer

    /// What is wrong with the head of an answer; nil when it is the right one.
    private func fault(in answer: PlayerAnswer, to request: PlayerRequest) -> String? {
        let range = request.range
        guard answer.status == 206 else { return "answered \(answer.status) instead of 206" }
        let whole = space.parts[request.video].source.length
        let expected = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole)"
        guard let found = answer.headers["content-range"], found == expected else {
            return "Content-Range is '\(answer.headers["content-range"] ?? "")' instead of"
                + " '\(expected)'"
        }
        let count = "\(range.upperBound - range.lowerBound)"
        guard let length = answer.headers["content-length"], length == count else {
            return
                "Content-Length is '\(answer.headers["content-length"] ?? "")' instead of \(count)"
        }
        return nil
    }

    private func takeBody(
        of request: PlayerRequest, from connection: PlayerConnection,
        comparing elder: (any VideoSource)?, into delivery: inout Delivery
    ) throws {
        let part = space.parts[request.video]
        var comparison = VideoComparison(video: elder ?? part.source)
        var position = request.range.lowerBound
        let end = position + request.takes
        var right: [Range<Int64>] = []
        defer {
            delivery.delivered = ByteRanges(right)
            delivery.firstDifference = comparison.firstDifference
            // The kill broke off what it still wanted.
            if position < end, curtain.hasFallen {
                let start = part.base + request.range.lowerBound
                delivery.open = [
                    OpenRequest(taken: start..<part.base + position, isAlone: true)
                ]
            }
        }
        while position < end {
            let piece = try connection.readBody(
                atMost: Int(min(Int64(Self.pieceSize), end - position)))
            guard !piece.isEmpty else {
                guard !curtain.hasFallen else { return }
                delivery.faults.append(
                    "\(name(request)): the body ended after"
                        + " \(position - request.range.lowerBound) bytes")
                return
            }
            let wrong = try piece.withUnsafeBytes {
                try comparison.differingBytes($0, at: position)
            }
            delivery.wrongBytes += wrong
            if wrong == 0 {
                let start = part.base + position
                right.append(start..<start + Int64(piece.count))
            }
            position += Int64(piece.count)
        }
    }
}
