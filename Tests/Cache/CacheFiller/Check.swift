internal import Foundation
internal import VideoCache

/// Looks at what power cuts have left of a cache: `CacheFiller check FOLDER TOLD LAYOUT DURABILITY`.
///
/// For each line of standard input it looks at the next one of `FOLDER/0`, `FOLDER/1` and so on; it
/// answers to an empty one with a line, and begins again with `FOLDER/0`. `FOLDER/0/told` has what
/// the life had told at the cut, `TOLD` what it told in all. At the end of its input it says on standard
/// error what it has found.
///
/// With `power` a step that was told is there; of the one that was under way, any part. With
/// `process` bytes may be lost, and where the database is damaged beyond repair all of them: then the
/// cache begins anew, as `downloader fetch` lets it. What is there is right in either case, and the
/// cache goes on.
struct Check {
    private let folder: String
    private let layout: StorageLayout
    private let durability: Durability
    private let told: [Substring]
    private var states = 0
    private var violations = 0
    private var lossy = 0
    /// How many of the states were damaged beyond repair.
    private var anew = 0
    private var mostLost: Int64 = 0

    init(_ words: ArraySlice<String>) throws {
        let words = Array(words)
        guard words.count == 4, let layout = StorageLayout(rawValue: words[2]),
            let durability = Durability(rawValue: words[3])
        else { fail("CacheFiller check FOLDER TOLD rows|file process|power", 64) }
        folder = words[0]
        (self.layout, self.durability) = (layout, durability)
        told = Self.lines(of: try String(contentsOfFile: words[1], encoding: .utf8))
    }

    private static func lines(of text: String) -> [Substring] {
        // The last one is empty, or not complete.
        text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    }

    mutating func run() throws {
        var place = 0
        while let operation = readLine() {
            guard !operation.isEmpty else {
                FileHandle.standardOutput.write(Data("\n".utf8))
                place = 0
                continue
            }
            states += 1
            let found: [String]
            do {
                found = try lookOrBeginAnew(at: "\(folder)/\(place)")
            } catch {
                found = ["it cannot be used: \(error)"]
            }
            if !found.isEmpty { violations += 1 }
            for text in found.prefix(3) { say("operation \(operation), state \(states): \(text)") }
            place += 1
        }
        say(
            "states \(states) violations \(violations) lossy \(lossy) most \(mostLost) anew \(anew)"
        )
    }

    private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }

    private mutating func lookOrBeginAnew(at folder: String) throws -> [String] {
        do {
            return try look(at: folder)
        } catch CacheError.notACache where durability == .process {
            try VideoCache.startOver(inFolder: folder + "/cache")
            anew += 1
            return try look(at: folder)
        }
    }

    private mutating func look(at folder: String) throws -> [String] {
        let text = try String(contentsOfFile: folder + "/told", encoding: .utf8)
        let count = Self.lines(of: text).count
        let before = count == 0 ? Snapshot() : Snapshot(line: told[count - 1])
        let after = count < told.count ? Snapshot(line: told[count]) : before
        let store = try Life.cache(in: folder, layout, durability)
        let (found, complaints) = try read(store)
        let certain = before.common(with: after)
        let lost = certain.bytes - certain.common(with: found).bytes
        var all = complaints
        if durability == .power {
            if lost > 0 { all.append("\(lost) bytes that were told are lost") }
            all += returned(found, of: [before, after])
        }
        // A relaunch goes on.
        var filler = Life.filler(of: store, seed: UInt64(states))
        for _ in 0..<3 { try filler.step() }
        all += try read(store).complaints
        try store.close()
        if lost > 0 { lossy += 1 }
        mostLost = max(mostLost, lost)
        return all
    }

    /// What was not there before or after the step under way: it had been removed.
    private func returned(_ found: Snapshot, of either: [Snapshot]) -> [String] {
        found.videos.flatMap { url, video in
            video.ranges.ranges.filter {
                !Snapshot.has($0, of: url, version: video.version, in: either)
            }.map { "bytes \($0.offset) to \($0.end) of \(url) are back" }
        }
    }

    /// Reads every chunk; what is damaged counts as lost with `process`.
    private func read(_ store: SQLiteChunkStore) throws -> (found: Snapshot, complaints: [String]) {
        var found = try Snapshot(of: store)
        var complaints: [String] = []
        if found.bytes > Life.capacity { complaints.append("\(found.bytes) bytes are too many") }
        for video in try store.videos() {
            var position: Int64 = 0
            let version = Filler.version(video)
            while let chunk = try store.chunk(of: video, from: position) {
                position = chunk.range.end
                guard let bytes = chunk.bytes else {
                    found.videos[video.url]?.ranges.remove(chunk.range)
                    if durability == .power { complaints.append("\(chunk.range) is damaged") }
                    continue
                }
                let isRight = Filler.withChunk(
                    chunk.range, number: Int(video.url) ?? 0, version: version
                ) { right in
                    bytes.withUnsafeBytes { mine in
                        guard let mine = mine.baseAddress, let right = right.bytes.baseAddress
                        else { return false }
                        return memcmp(mine, right, bytes.count) == 0
                    }
                }
                if !isRight { complaints.append("wrong bytes at \(chunk.range) of \(video.url)") }
            }
        }
        return (found, complaints)
    }
}
