internal import Dispatch
internal import Fixture
internal import Foundation
internal import RigModel
internal import Synchronization

/// Opens videos through a worker's proxy, and compares every byte with the video.
struct Player: Sendable {
    let proxy: ProxyAddress
    let space: PositionSpace
    /// Raised right before the kill: a connection counts against the worker exactly if it broke
    /// before.
    let shutdownFlag: Interruption
    /// The thresholds that the players want for their videos (S5); nil for the worker's own.
    var thresholds: [ByteSize]?
    /// The version of a video before it was changed; nil if no answer may be of an older one.
    var previousVersion: PreviousVersion?

    struct PreviousVersion: Sendable {
        let etag: String
        let source: any VideoSource
    }

    private static let mostAttempts = 3
    private static let pieceSize = 64 << 10

    /// Makes the moves, those of one concurrently; ends early once the shutdown flag is raised.
    func play(_ plan: PlayerPlan) -> Delivery {
        var delivery = Delivery()
        for move in plan.moves {
            if shutdownFlag.isRaised { break }
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
    /// An answer's ETag tells its version, and every byte must be that version's. An answer of an
    /// older version may end early, when the proxy notices the change: the player then asks again,
    /// and only bytes of the new version count as delivered.
    func take(_ request: PlayerRequest) -> Delivery {
        var delivery = Delivery()
        for _ in 1...Self.mostAttempts {
            let (answer, isOfPreviousVersion) = attempt(request)
            delivery.add(answer)
            if !isOfPreviousVersion || answer.wrongBytes > 0 { break }
        }
        return delivery
    }

    private func attempt(_ request: PlayerRequest) -> (
        delivery: Delivery, isOfPreviousVersion: Bool
    ) {
        var delivery = Delivery()
        delivery.requests = 1
        var met: PreviousVersion?
        do {
            let connection = try open(request)
            guard request.takes > 0 else { return (delivery, false) }
            let answer = try connection.readHead()
            if let fault = fault(in: answer, to: request) {
                // A worker without a disk may still report that.
                if shutdownFlag.isRaised, answer.status >= 500 { return (delivery, false) }
                delivery.faults.append("\(name(request)): \(fault)")
                return (delivery, false)
            }
            if let previousVersion, answer.headers["etag"] == previousVersion.etag {
                met = previousVersion
            }
            try takeBody(of: request, from: connection, comparing: met?.source, into: &delivery)
        } catch {
            if !shutdownFlag.isRaised { delivery.faults.append("\(name(request)): \(error)") }
        }
        if met != nil {
            delivery.delivered = ByteRanges()
            delivery.faults = []
        }
        return (delivery, met != nil)
    }

    /// Requests an unavailable position; returns what is wrong with an answer that is no error
    /// status with a reason, nor a body cut before its first byte, or nil.
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
                + " that neither the cache nor the origin has"
        } catch PlayerError.noAnswer, PlayerError.system("recv", errno: ECONNRESET) {
            return "\(name(request)): the connection was closed without an answer"
        } catch {
            return "\(name(request)): \(error)"
        }
    }

    private func open(_ request: PlayerRequest) throws(PlayerError) -> PlayerConnection {
        let shutdownFlag = shutdownFlag
        let connection = try PlayerConnection(port: proxy.port) { shutdownFlag.isRaised }
        let last = request.isOpenEnded ? "" : "\(request.range.upperBound - 1)"
        try connection.send(
            proxy.request(
                for: space.parts[request.video].url, threshold: thresholds?[request.video],
                range: "\(request.range.lowerBound)-\(last)"))
        return connection
    }

    private func name(_ request: PlayerRequest) -> String {
        let last = request.isOpenEnded ? "" : "\(request.range.upperBound - 1)"
        let video = space.parts.count > 1 ? " of video \(request.video + 1)" : ""
        return "bytes=\(request.range.lowerBound)-\(last)\(video)"
    }

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
        comparing previousVersion: (any VideoSource)?, into delivery: inout Delivery
    ) throws {
        let part = space.parts[request.video]
        var comparison = VideoComparison(video: previousVersion ?? part.source)
        var position = request.range.lowerBound
        let end = position + request.takes
        var right: [Range<Int64>] = []
        defer {
            delivery.delivered = ByteRanges(right)
            delivery.firstDifference = comparison.firstDifference
            // The kill interrupted the rest of the request.
            if position < end, shutdownFlag.isRaised {
                let start = part.base + request.range.lowerBound
                delivery.open = [OpenRequest(taken: start..<part.base + position, isAlone: true)]
            }
        }
        while position < end {
            let piece = try connection.readBody(
                atMost: Int(min(Int64(Self.pieceSize), end - position)))
            guard !piece.isEmpty else {
                guard !shutdownFlag.isRaised else { return }
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
