import HandmadeLogs
import RigModel
import StorageModel
import Testing

/// Properties of every image of every log, checked against a simple model.
@Suite struct CrashImagePropertyTests {
    private static let sectors = 12

    /// The letters that each sector may hold; the last entry is what a reader sees.
    private struct Versions {
        var ofSector: [[UInt8?]]

        init() { ofSector = Array(repeating: [nil], count: sectors) }

        mutating func write(_ letter: UInt8, _ range: Range<Int>) {
            for sector in range { ofSector[sector].append(letter) }
        }

        mutating func sync() {
            for sector in ofSector.indices {
                ofSector[sector].removeFirst(ofSector[sector].count - 1)
            }
        }

        /// The certain length of the file, and the greatest possible one.
        var certainLength: Int { (ofSector.lastIndex { $0[0] != nil } ?? -1) + 1 }
        var greatestLength: Int { (ofSector.lastIndex { $0.last != .some(nil) } ?? -1) + 1 }

        func allows(_ letter: UInt8, in sector: Int) -> Bool {
            letter == 0 ? ofSector[sector].contains(nil) : ofSector[sector].contains(letter)
        }
    }

    private static func randomLog(_ random: inout SplitMix64) -> (log: StorageLog, Versions) {
        var log = LogByHand().create("f").syncFolder()
        var versions = Versions()
        for step in 0..<Int.random(in: 1...20, using: &random) {
            if Int.random(in: 0..<5, using: &random) == 0 {
                log = log.sync("f")
                versions.sync()
                continue
            }
            let start = Int.random(in: 0..<sectors, using: &random)
            let end = Int.random(in: start + 1...sectors, using: &random)
            // Each write has its own letter.
            let letter = UInt8(ascii: "A") + UInt8(step)
            let text = String(repeating: String(UnicodeScalar(letter)), count: end - start)
            log = log.write("f", text, at: Int64(start))
            versions.write(letter, start..<end)
        }
        return (log.log, versions)
    }

    @Test func everySectorIsAVersionThatWasWrittenAndSyncedOnesAreThere() throws {
        var random = SplitMix64(seed: 4)
        for _ in 0..<60 {
            let (log, versions) = Self.randomLog(&random)
            for seed in UInt64(0)..<25 {
                let letters = Array(
                    try CrashImage(of: log, on: .posix, seed: seed).letters("f").utf8)
                #expect((versions.certainLength...versions.greatestLength).contains(letters.count))
                for (sector, letter) in letters.enumerated() {
                    let content = letter == UInt8(ascii: "0") ? 0 : letter
                    #expect(versions.allows(content, in: sector), "sector \(sector), seed \(seed)")
                }
            }
        }
    }

    @Test func theSameSeedGivesTheSameImageAndOthersDiffer() throws {
        var log = LogByHand().existing("f", String(repeating: "A", count: 64))
        for step in 0..<30 { log = log.write("f", "BCDE", at: Int64(step * 2)) }
        let images = try (UInt64(0)..<200).map { try CrashImage(of: log.log, on: .posix, seed: $0) }
        let again = try (UInt64(0)..<200).map { try CrashImage(of: log.log, on: .posix, seed: $0) }
        #expect(images == again)
        let distinct = Set(images.map { $0.letters("f") })
        // Some seeds keep everything or nothing.
        #expect(distinct.count > 100)
        #expect(distinct.contains(String(repeating: "A", count: 64)))
    }

    /// An image is rebuilt later from the log in the evidence, by any version, in any hash order.
    @Test func anImageIsTheSameInEveryProcess() throws {
        var log = LogByHand()
        for file in 0..<20 { log = log.existing("f\(file)", "AAAA") }
        for file in 0..<20 { log = log.write("f\(file)", "BBBB") }
        let image = try CrashImage(of: log.log, on: .posix, seed: 77)
        let text = (0..<20).map { image.letters("f\($0)") }.joined(separator: " ")
        #expect(
            text == "BBBB BBBB AAAA AAAA AAAA AAAA AAAA ABBB AAAA AAAA BBBB AABB BBBB BBBB AAAA "
                + "AAAA BBBB AAAA AAAA BBBB")
    }
}
