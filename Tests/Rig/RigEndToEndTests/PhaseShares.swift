import Foundation
import Glibc
import SystemPackage
import TestSupport
import Witness

/// How the time of a worker's lives is spread over its page's phases, as sampled from outside.
enum PhaseShares {
    /// A sample of a life's page.
    struct Look: Sendable {
        /// Seconds since the first byte was received.
        let seconds: Double
        let phase: String
    }

    /// A life that was sampled from its first byte to its end.
    struct Life: Sendable {
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

        /// The phase at a moment; nil if the life had ended by then, or its work was done.
        func phase(at moment: Double) -> String? {
            moment < workSeconds ?? seconds ? looks.last { $0.seconds <= moment }?.phase : nil
        }
    }

    /// The share of each phase at the moments of the kills, in all other lives active then.
    ///
    /// These are the lives that were killed later, and those that were not killed.
    ///
    /// - Parameter lives: at least two that were killed.
    /// - Returns: the shares, which add up to 1.
    static func expected(of lives: [Life]) -> [String: Double] {
        var shares: [String: Double] = [:]
        for killed in lives where killed.workSeconds == nil {
            let phases = lives.compactMap { $0.phase(at: killed.seconds) }
            for phase in phases { shares[phase, default: 0] += 1 / Double(phases.count) }
        }
        let whole = shares.values.reduce(0, +)
        return shares.mapValues { $0 / whole }
    }
}

/// Samples the first life of every iteration of a run, and those that the rig measures, as they
/// run.
struct RunSampler: Sendable {
    /// The run's scratch folder.
    let scratch: String
    /// The video's length in bytes.
    let length: UInt64

    /// Samples one life after the other until the rig has ended; blocks.
    ///
    /// - Parameters:
    ///   - rig: a child process that nothing else reaps meanwhile.
    ///   - limit: how long it may take.
    /// - Returns: the lives that received a byte.
    /// - Throws: an error if the rig does not end within the limit.
    func lives(of rig: pid_t, within limit: Duration) throws -> [PhaseShares.Life] {
        var lives: [PhaseShares.Life] = []
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
    ) throws -> PhaseShares.Life? {
        var looks: [PhaseShares.Look] = []
        var first: ContinuousClock.Instant?
        var count = 0
        var counted = 0
        var work: Double?
        try blockUntil("the worker has ended", every: .microseconds(10)) {
            let phase = page.phase.map { "\($0)" } ?? ""
            let now = ContinuousClock.now
            count += 1
            // Reading the phase is cheap; reading the records is not.
            let records = first == nil || count % 4 == 0 ? page.records : []
            if first == nil, records.contains(where: { $0.received > 0 }) { first = now }
            if let first {
                counted += 1
                if work == nil, records.reduce(0, { $0 + $1.acknowledged }) >= length {
                    work = now.seconds(since: first)
                }
                if phase != looks.last?.phase {
                    looks.append(.init(seconds: now.seconds(since: first), phase: phase))
                }
            }
            return count % 4 == 0 && worker.hasEnded
        }
        guard let first else { return nil }
        let seconds = ContinuousClock.now.seconds(since: first)
        if let phase = page.phase { looks.append(.init(seconds: seconds, phase: "\(phase)")) }
        return PhaseShares.Life(
            looks: looks, seconds: seconds, workSeconds: work,
            looksPerSecond: seconds > 0 ? Double(counted) / seconds : 0)
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

/// Pearson's test of whether counts follow given shares.
struct ChiSquare: Sendable {
    let statistic: Double
    let degrees: Int
    /// By simulation, from a fixed seed: the share of draws that deviate as much.
    let pValue: Double

    /// Categories with a smaller expectation are joined.
    static let least = 5.0

    /// Tests counts against shares.
    ///
    /// - Parameters:
    ///   - counts: the counts by category.
    ///   - shares: the shares by category, which add up to 1.
    ///   - draws: how many draws are simulated.
    init(_ counts: [String: Int], against shares: [String: Double], draws: Int = 10_000) {
        let total = counts.values.reduce(0, +)
        var expected: [Double] = []
        var observed: [Double] = []
        var rest = (expected: 0.0, observed: 0.0)
        for name in Set(counts.keys).union(shares.keys).sorted() {
            let want = (shares[name] ?? 0) * Double(total)
            let have = Double(counts[name] ?? 0)
            if want >= Self.least {
                expected.append(want)
                observed.append(have)
            } else {
                rest = (rest.expected + want, rest.observed + have)
            }
        }
        if rest.expected > 0 || rest.observed > 0 {
            // A category that is never expected must not divide by zero.
            expected.append(max(rest.expected, 0.5))
            observed.append(rest.observed)
        }
        let distance = Self.distance(observed, expected)
        statistic = distance
        degrees = max(0, expected.count - 1)
        var random = SystemlessRandom(state: 0x5EED)
        let sum = expected.reduce(0, +)
        var farther = 0
        for _ in 0..<draws {
            var drawn = [Double](repeating: 0, count: expected.count)
            for _ in 0..<total {
                var place = random.unit() * sum
                var index = 0
                while index < expected.count - 1, place >= expected[index] {
                    place -= expected[index]
                    index += 1
                }
                drawn[index] += 1
            }
            if Self.distance(drawn, expected) >= distance { farther += 1 }
        }
        pValue = Double(farther) / Double(draws)
    }

    private static func distance(_ observed: [Double], _ expected: [Double]) -> Double {
        zip(observed, expected).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) / $1.1 }
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    private struct SystemlessRandom {
        var state: UInt64

        mutating func unit() -> Double {
            state &+= 0x9E37_79B9_7F4A_7C15
            var word = state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return Double((word ^ (word >> 31)) >> 11) * 0x1p-53
        }
    }
}
