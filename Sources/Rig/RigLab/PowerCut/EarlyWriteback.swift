internal import CFileSystem
internal import Dispatch
internal import Foundation
internal import Glibc
internal import RigModel
internal import Synchronization
internal import SystemPackage

/// Writes parts of what a worker has not synced to the device, before the power is cut.
///
/// The kernel does so by itself, after five seconds (`vm.dirty_writeback_centisecs`), or earlier
/// when memory is short: page by page, and one file before the other. And it commits the journal
/// without the data: by itself every five seconds, which is long before the data, and whenever
/// another program syncs a file. A launch is killed sooner, so without this a cut would find all
/// that was not synced or nothing. Moments and parts are drawn; a quarter of the launches has none.
package final class EarlyWriteback: Sendable {
    private let folder: String
    private let drawn: (mean: Double?, random: SplitMix64)
    private let uninterruptedSeconds: Double
    private let stopped = DispatchSemaphore(value: 0)
    private let isStopped = Atomic(false)
    private let running = DispatchGroup()

    /// The bounds of the mean time between two writebacks, in lengths of an uninterrupted run.
    private static let means = 0.1...2
    /// A shorter run counts as that long: writing back takes a millisecond itself.
    private static let leastSeconds = 0.01

    enum Part: Equatable {
        /// All data and the journal, as `sync` does.
        case everything
        /// Some pages of some files; neither names nor lengths.
        case pages
        /// The journal, with names and lengths, and no data: another file is synced.
        case journal
    }

    /// A writeback of a folder on the volume, which has not begun; kills count from 1.
    init(of folder: String, iterationSeed: UInt64, kill: Int, uninterruptedSeconds: Double) {
        self.folder = folder
        self.uninterruptedSeconds = max(uninterruptedSeconds, Self.leastSeconds)
        drawn = Self.drawn(iterationSeed, kill)
    }

    /// The mean time between two writebacks of a launch, likewise; nil for a launch without any.
    package static func mean(iterationSeed: UInt64, kill: Int) -> Double? {
        drawn(iterationSeed, kill).mean
    }

    /// The mean, and the source of all that is drawn after it.
    private static func drawn(
        _ iterationSeed: UInt64, _ kill: Int
    ) -> (mean: Double?, random: SplitMix64) {
        var seeds = SplitMix64(seed: iterationSeed ^ 0x7772_6974_6562_6163 &+ UInt64(kill))
        var random = SplitMix64(seed: seeds.next())
        guard random.unit() >= 0.25 else { return (nil, random) }
        let (least, most) = (log(means.lowerBound), log(means.upperBound))
        return (exp(least + (most - least) * random.unit()), random)
    }

    func start() {
        DispatchQueue(label: "rig.writeback").async(group: running) { self.run() }
    }

    /// Lets no further writeback begin, and does not wait for one under way: a kill never waits.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        stopped.signal()
    }

    /// Stops, and returns once nothing on the volume is open any more.
    func finish() {
        stop()
        running.wait()
    }

    private func run() {
        guard let mean = drawn.mean else { return }
        var random = drawn.random
        while !isStopped.load(ordering: .acquiring) {
            // The time between independent events is distributed exponentially.
            let gap = -log(1 - random.unit()) * mean * uninterruptedSeconds
            guard stopped.wait(timeout: .now() + gap) == .timedOut else { return }
            let parts: [Part] = [.everything, .journal, .journal, .pages, .pages]
            let part = parts[Int(random.unit() * Double(parts.count))]
            Self.write(part, of: folder, &random) { self.isStopped.load(ordering: .acquiring) }
        }
    }

    /// Writes a part; what cannot be written any more, because the power is cut, is left.
    static func write(
        _ part: Part, of folder: String, _ random: inout SplitMix64,
        unless isStopped: () -> Bool = { false }
    ) {
        switch part {
        case .everything: try? VolumeMount.sync(folder)
        case .journal: commitJournal(of: folder.parentFolder)
        case .pages:
            let files = FileManager.default.enumerator(atPath: folder)
            while !isStopped(), let name = files?.nextObject() as? String {
                guard random.unit() < 0.5 else { continue }
                let (first, share) = (random.unit(), random.unit())
                writePages(of: "\(folder)/\(name)", from: first, share: share)
            }
        }
    }

    /// Syncs a file of its own: what the journal holds by then goes with it.
    private static func commitJournal(of volume: String) {
        guard let file = try? "\(volume)/other".opened(.writeOnly, [.create, .append]) else {
            return
        }
        defer { try? file.close() }
        _ = try? file.writeAll([0])
        fsync(file.rawValue)
    }

    private static func writePages(of path: String, from first: Double, share: Double) {
        // Opening anything else could block, or be noticed by the worker, such as a named pipe.
        guard let facts = path.fileFacts, facts.st_mode & S_IFMT == S_IFREG, facts.st_size > 0,
            let file = try? path.opened(.readOnly, [.nonBlocking, .noFollow])
        else { return }
        defer { try? file.close() }
        // What has no blocks yet, the kernel writes from the file's start.
        let isNew = file_has_delayed_blocks(file.rawValue) != 0
        let part = pages(of: Int64(facts.st_size), from: isNew ? 0 : first, share: share)
        _ = file_write_back(file.rawValue, part.lowerBound, Int64(part.count))
    }

    /// The bytes of some pages in a row: a file that has any, and two numbers from 0 to 1.
    ///
    /// Half of the time they go on to the end of the file, as the kernel's do that is not cut: only
    /// in a last page that has its block an append has a length before its data.
    static func pages(of size: Int64, from first: Double, share: Double) -> Range<Int64> {
        let page: Int64 = 4096
        let all = (size + page - 1) / page
        let start = min(Int64(first * Double(all)), all - 1)
        let most = all - start
        let count = share < 0.5 ? most : min(1 + Int64((2 * share - 1) * Double(most)), most)
        return start * page..<min((start + count) * page, size)
    }
}
