/// One request of a player, and how much of the answer it takes before closing the connection.
package struct PlayerRequest: Sendable, Hashable, Codable {
    package let video: Int
    package let range: Range<Int64>
    /// True for `bytes=a-`, false for `bytes=a-b`.
    package let isOpenEnded: Bool
    /// The bytes that the player takes before it closes its connection; fewer are a cancel (F3).
    package let takes: Int64

    package init(video: Int, range: Range<Int64>, isOpenEnded: Bool, takes: Int64) {
        (self.video, self.range, self.isOpenEnded, self.takes) = (video, range, isOpenEnded, takes)
    }
}

/// The requests of a player, in order: a pure function of an iteration's seed.
package struct PlayerPlan: Sendable, Hashable, Codable {
    /// The moves, one after another; the requests of one move are made in parallel.
    package let moves: [[PlayerRequest]]

    private init(moves: [[PlayerRequest]]) { self.moves = moves }

    /// The player's moves; the last take each video whole, so that every byte is reached.
    package init(_ workload: Workload, seed: UInt64, videoLength: Int64) {
        var pattern = PlayerPattern(seed: seed, length: videoLength)
        let whole = Self.everything(videos: workload.videoCount, of: videoLength).moves
        switch workload {
        case .switching: self.init(moves: pattern.switching(videos: workload.videoCount) + whole)
        case .twoPlayers:
            self.init(moves: pattern.together(workload.videoCount) + [whole.flatMap(\.self)])
        case .playback, .download, .offlineLibrary, .check:
            self.init(moves: pattern.playback() + whole)
        }
    }

    /// The player's first moves: the pattern's opening and a share, 0 to 1, of the others, not all.
    package func beginning(_ share: Double) -> PlayerPlan {
        let count = min(max(3, Int(share * Double(moves.count))), moves.count - 1)
        return PlayerPlan(moves: Array(moves.prefix(count)))
    }

    /// A player that takes every video from its first byte to its last, one after another.
    package static func everything(videos: Int, of length: Int64) -> PlayerPlan {
        PlayerPlan(
            moves: (0..<videos).map {
                [PlayerRequest(video: $0, range: 0..<length, isOpenEnded: true, takes: length)]
            })
    }
}

private struct PlayerPattern {
    private var random: SplitMix64
    private let length: Int64

    init(seed: UInt64, length: Int64) {
        // Not the sequence from which the kill's moment is drawn.
        random = SplitMix64(seed: seed ^ 0x706C_6179_6572_2E2E)
        self.length = length
    }

    // MARK: Playback (T8)

    mutating func playback(of video: Int = 0) -> [[PlayerRequest]] {
        let tail = max(1, min(length / 8, 256 << 10))
        let opening = [
            [bounded(0..<2, of: video)], [cancelled(from: 0, of: video)],
            [open(from: length - tail, of: video, takes: tail)],
        ]
        return opening + (0..<16).map { _ in move(in: video) }
    }

    private mutating func move(in video: Int) -> [PlayerRequest] {
        let place = position()
        switch Int(random.unit() * 8) {
        case 0, 1, 2: return [cancelled(from: place, of: video)]
        case 3: return [bounded(place..<min(length, place + size()), of: video)]
        case 4:
            // The same bytes on two connections in parallel (C7).
            let range = place..<min(length, place + size())
            return [bounded(range, of: video), bounded(range, of: video)]
        case 5:
            // Two overlapping ranges in parallel, one of them cancelled.
            return [
                bounded(place..<min(length, place + size()), of: video),
                cancelled(from: min(length - 1, place + size() / 2), of: video),
            ]
        case 6:
            // A seek back to the beginning.
            return [cancelled(from: 0, of: video)]
        default:
            // Closed before the first byte (T6).
            return [open(from: place, of: video, takes: 0)]
        }
    }

    // MARK: Several players (S5)

    /// Each plays its own video; the first has opened its when the others join: neither the first
    /// threshold nor the newest may count for all.
    mutating func together(_ players: Int) -> [[PlayerRequest]] {
        let first = playback(of: 0)
        let each = [Array(first.dropFirst(3))] + (1..<players).map { playback(of: $0) }
        let together = (0..<(each.map(\.count).max() ?? 0)).map { move in
            each.flatMap { $0.indices.contains(move) ? $0[move] : [] }
        }
        return first.prefix(3) + together
    }

    // MARK: Switching (T1, T5)

    /// Rounds over the videos: each continues where the player left it, for varying amounts.
    mutating func switching(videos: Int) -> [[PlayerRequest]] {
        let amounts: [Int64] = [1 << 20, 200 << 10, 100 << 10, 50 << 10]
        var reached = [Int64](repeating: 0, count: videos)
        var taps: [[PlayerRequest]] = []
        for round in 0..<4 {
            for video in 0..<videos {
                let amount = amounts[(video + round) % amounts.count]
                let tap = open(from: min(reached[video], length - 1), of: video, takes: amount)
                reached[video] += tap.takes
                taps.append([tap])
            }
            taps.append([cancelled(from: position(), of: Int(random.unit() * Double(videos)))])
        }
        return taps
    }

    // MARK: Drawing

    private mutating func position() -> Int64 {
        min(length - 1, Int64(random.unit() * Double(length)))
    }

    /// From one byte to 1.5 MB.
    private mutating func size() -> Int64 { 1 + Int64(random.unit() * Double(1536 << 10)) }

    /// A request for everything from a position on, cancelled after some bytes.
    private mutating func cancelled(from start: Int64, of video: Int) -> PlayerRequest {
        open(from: start, of: video, takes: size())
    }

    private func open(from start: Int64, of video: Int, takes: Int64) -> PlayerRequest {
        PlayerRequest(
            video: video, range: start..<length, isOpenEnded: true,
            takes: min(takes, length - start))
    }

    private func bounded(_ range: Range<Int64>, of video: Int) -> PlayerRequest {
        PlayerRequest(
            video: video, range: range, isOpenEnded: false,
            takes: range.upperBound - range.lowerBound)
    }
}
