internal import RigModel
internal import Synchronization

enum HitTimer {
    /// Requests cached ranges from a proxy, one connection each, then asks it to end; returns the
    /// seconds to each first byte, fewer than requests if one was not answered.
    static func time(
        _ worker: LivingWorker, log: String, from start: UInt64, space: PositionSpace,
        requests: Int, stallDetector: StallDetector
    ) -> [Double] {
        let waits = Mutex<[Double]>([])
        let session = PlayerSession(
            log: log, from: start, space: space, shutdownFlag: ShutdownFlag()
        ) { player in
            let step = space.length / Int64(requests)
            for index in 0..<Int64(requests) {
                guard let wait = try? player.firstByte(from: index * step) else { break }
                waits.withLock { $0.append(wait) }
            }
            return Delivery()
        }
        var stall = stallDetector.begin(0)
        var wasAsked = false
        while worker.isAlive {
            if session.isOver, !wasAsked {
                worker.end()
                wasAsked = true
            }
            // Each answer is progress: many slow ones are no hang.
            let progress = UInt64(waits.withLock(\.count))
            if stallDetector.isExhausted(&stall, progress: progress) { worker.kill() }
            Pause.seconds(0.000_5)
        }
        _ = session.leave()
        return waits.withLock(\.self)
    }
}

extension Player {
    /// The seconds from connecting to the first byte at a position of the first video.
    func firstByte(from position: Int64) throws(PlayerError) -> Double {
        let began = ContinuousClock.now
        let shutdownFlag = shutdownFlag
        let connection = try PlayerConnection(port: proxy.port) { shutdownFlag.isRaised }
        try connection.send(proxy.request(for: space.parts[0].url, range: "\(position)-"))
        let answer = try connection.readHead()
        guard answer.status == 206, try !connection.readBody(atMost: 1).isEmpty else {
            throw .noAnswer
        }
        return (ContinuousClock.now - began).seconds
    }
}
