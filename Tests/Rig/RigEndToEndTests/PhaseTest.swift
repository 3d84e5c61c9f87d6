import Foundation
import Glibc
import RigModel
import SystemPackage
import TestSupport
import Witness

/// A life that was sampled from its first byte to its end.
struct SampledLife: Sendable {
    /// A sample of a life's page.
    struct Look: Sendable {
        /// Seconds since the first byte was received.
        let seconds: Double
        let phase: String
    }

    /// The first sample of each phase, in order; the last one shows where the life ended.
    let looks: [Look]
    /// From its first byte to its end.
    let seconds: Double
    /// From its first byte until everything was acknowledged; nil if it was killed before.
    ///
    /// An iteration with a later kill is repeated.
    let workSeconds: Double?
    /// The number of samples per second.
    let looksPerSecond: Double
    /// When nothing was sampled for more than a millisecond.
    ///
    /// A busy machine may keep the sampler from running, and short phases pass meanwhile.
    let gaps: [ClosedRange<Double>]

    /// Its phase when it was killed; nil if it was not, or at a moment that was not sampled.
    var lastPhase: String? {
        workSeconds == nil && !isUnseen(at: seconds) ? looks.last?.phase : nil
    }

    /// Its phase at a moment; nil if it had ended by then, its work was done, or nothing was
    /// sampled.
    func phase(at moment: Double) -> String? {
        guard moment < workSeconds ?? seconds, !isUnseen(at: moment) else { return nil }
        return looks.last { $0.seconds <= moment }?.phase
    }

    private func isUnseen(at moment: Double) -> Bool { gaps.contains { $0.contains(moment) } }
}

/// Whether kills came in each phase as often as chance would have it.
///
/// At the moment of a kill each launch that is at work would have been killed as likely as the one
/// that was. So the phase of the kill is a draw from the phases of all of them (the log-rank test;
/// Mantel, 1966), and no share is taken for exact that few launches show.
struct PhaseTest: Sendable {
    /// The kills by phase.
    let counts: [String: Int]
    /// How many kills each phase would have had.
    let expected: [String: Double]
    /// Pearson's statistic.
    let statistic: Double
    let degrees: Int
    /// By simulation, from a fixed seed: the share of draws that deviate as much.
    let pValue: Double

    /// Phases with a smaller expectation are joined.
    private static let least = 5.0

    /// Draws the kills so many times.
    init(_ lives: [SampledLife], draws: Int = 10_000) {
        let kills = lives.indices.compactMap { index in
            lives[index].lastPhase.map { (index: index, phase: $0) }
        }
        // For each kill, the phases that it could have met.
        let candidates = kills.map { kill in
            [kill.phase]
                + lives.indices.filter { $0 != kill.index }
                .compactMap { lives[$0].phase(at: lives[kill.index].seconds) }
        }
        var expected: [String: Double] = [:]
        for phases in candidates {
            for phase in phases { expected[phase, default: 0] += 1 / Double(phases.count) }
        }
        let often = expected.filter { $0.value >= Self.least }.keys.sorted()
        let places = Dictionary(uniqueKeysWithValues: zip(often, often.indices))
        let rest = often.count
        func distance(_ phases: some Sequence<String>) -> Double {
            var counts = [Double](repeating: 0, count: rest + 1)
            for phase in phases { counts[places[phase] ?? rest] += 1 }
            return zip(counts, wanted).reduce(0) { sum, pair in
                let (have, want) = pair
                return want > 0 ? sum + (have - want) * (have - want) / want : sum
            }
        }
        let joined = expected.filter { $0.value < Self.least }.values.reduce(0, +)
        let wanted = often.map { expected[$0] ?? 0 } + [joined]
        statistic = distance(kills.map(\.phase))
        degrees = max(0, rest - (joined > 0 ? 0 : 1))
        var random = SplitMix64(seed: 0x5EED)
        var farther = 0
        for _ in 0..<draws
        where distance(candidates.compactMap { $0.randomElement(using: &random) }) >= statistic {
            farther += 1
        }
        pValue = Double(farther) / Double(draws)
        counts = kills.reduce(into: [:]) { $0[$1.phase, default: 0] += 1 }
        self.expected = expected
    }
}

/// Samples the first life of every iteration of a run, and those that the rig measures, as they
/// run.
struct RunSampler: Sendable {
    /// The run's scratch folder.
    let scratch: String
    /// The video's length in bytes.
    let length: UInt64

    /// Samples one life after the other, those that received a byte; blocks until the rig has ended.
    ///
    /// The rig is a child process that nothing else reaps meanwhile.
    func lives(of rig: pid_t, within limit: Duration) throws -> [SampledLife] {
        var lives: [SampledLife] = []
        var newest = 0
        var pending: (path: String, page: WitnessReader)?
        Self.wakeOnTime()
        try blockUntil("the rig has ended", within: limit, every: .microseconds(200)) {
            let folders = (try? FileManager.default.contentsOfDirectory(atPath: scratch)) ?? []
            let path = "\(scratch)/\(newest + 1)/witness"
            if let number = folders.compactMap({ Int($0) }).max(), number > newest + 1 {
                // A folder without a page, or one that existed only between two looks.
                newest = number - 1
                pending = nil
            } else if pending == nil, FileManager.default.fileExists(atPath: path) {
                pending = (path, try WitnessReader(path: path))
            }
            if let (path, page) = pending, page.isWritten {
                newest += 1
                pending = nil
                if let worker = Self.worker(of: rig, writing: path),
                    let life = try sample(page, of: worker)
                {
                    lives.append(life)
                }
            }
            return Self.hasEnded(rig)
        }
        return lives
    }

    /// The rig's child that writes a page; nil if it has ended.
    private static func worker(of rig: pid_t, writing page: String) -> ProcessState? {
        let mark = Data("RIG_WITNESS=\(page)\0".utf8)
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap { pid_t($0) }.lazy.compactMap { process -> ProcessState? in
            guard let state = ProcessState(process), state.parent == rig,
                let environment = FileManager.default.contents(
                    atPath: "/proc/\(process)/environ"), environment.range(of: mark) != nil
            else { return nil }
            return state
        }.first
    }

    /// Samples a life until it ends; nil if it received no byte.
    private func sample(
        _ page: WitnessReader, of worker: ProcessState
    ) throws -> SampledLife? {
        var looks: [SampledLife.Look] = []
        var first: ContinuousClock.Instant?
        var count = 0
        var counted = 0
        var work: Double?
        var gaps: [ClosedRange<Double>] = []
        var latest = 0.0
        try blockUntil("the worker has ended", every: .microseconds(10)) {
            let phase = page.phase.map { "\($0)" } ?? ""
            let now = ContinuousClock.now
            count += 1
            // Reading the phase is cheap; reading the records is not.
            let records = first == nil || count % 4 == 0 ? page.records : []
            if first == nil, records.contains(where: { $0.received > 0 }) { first = now }
            if let first {
                counted += 1
                let seconds = now.seconds(since: first)
                if seconds - latest > 0.001 { gaps.append(latest...seconds) }
                latest = seconds
                if work == nil, records.reduce(0, { $0 + $1.acknowledged }) >= length {
                    work = seconds
                }
                if phase != looks.last?.phase {
                    looks.append(.init(seconds: seconds, phase: phase))
                }
            }
            return count % 4 == 0 && worker.hasEnded
        }
        guard let first else { return nil }
        let seconds = ContinuousClock.now.seconds(since: first)
        if seconds - latest > 0.001 { gaps.append(latest...seconds) }
        if let phase = page.phase { looks.append(.init(seconds: seconds, phase: "\(phase)")) }
        return SampledLife(
            looks: looks, seconds: seconds, workSeconds: work,
            looksPerSecond: seconds > 0 ? Double(counted) / seconds : 0, gaps: gaps)
    }

    /// Makes this thread's sleeps end on time.
    ///
    /// Linux lets them last 50 microseconds longer, and a thread of ordinary priority waits for a
    /// processor, and so sees less of a phase in which all are busy.
    private static func wakeOnTime() {
        let thread = URL(fileURLWithPath: "/proc/thread-self").resolvingSymlinksInPath()
        try? Data("1".utf8).write(
            to: URL(fileURLWithPath: "/proc/\(thread.lastPathComponent)/timerslack_ns"))
        _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, -10)
    }

    /// True once a child has ended; it is left to be reaped.
    private static func hasEnded(_ process: pid_t) -> Bool {
        var information = siginfo_t()
        let options = WEXITED | WNOHANG | WNOWAIT
        let result = waitid(P_PID, id_t(process), &information, options)
        return result != 0 || information.si_signo != 0
    }
}

/// What the kernel reports of another process's child (`proc(5)`).
private final class ProcessState: Sendable {
    private let file: FileDescriptor
    let parent: pid_t

    /// Nil if there is no such process.
    init?(_ process: pid_t) {
        guard let file = try? FileDescriptor.open("/proc/\(process)/stat", .readOnly),
            let fields = Self.fields(file), fields.count > 1, let parent = pid_t(fields[1])
        else { return nil }
        (self.file, self.parent) = (file, parent)
    }

    deinit { try? file.close() }

    /// True once it has ended, reaped or not.
    var hasEnded: Bool { Self.fields(file)?.first.map { ["Z", "X"].contains($0) } ?? true }

    /// The fields after the name; the first is the state.
    private static func fields(_ file: FileDescriptor) -> [Substring]? {
        let text = try? withUnsafeTemporaryAllocation(byteCount: 1024, alignment: 1) { buffer in
            let count = try file.read(fromAbsoluteOffset: 0, into: buffer)
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
        guard let text, let name = text.lastIndex(of: ")") else { return nil }
        return text[text.index(after: name)...].split(separator: " ")
    }
}

extension ContinuousClock.Instant {
    fileprivate func seconds(since other: Self) -> Double {
        let duration = other.duration(to: self)
        return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    }
}
