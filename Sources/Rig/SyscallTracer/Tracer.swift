internal import CPtrace
internal import Glibc
internal import RigModel
internal import StorageModel

/// Runs a program and counts its write- and sync-like system calls, over all its threads and
/// processes; kills it at one of them, or makes it fail, if asked to.
///
/// Only calls that can change files or make changes durable are counted, not a write to a socket:
/// the count does not depend on how bytes arrive. While one runs, the others wait at their entry,
/// so that their order is that of their effects, and at a kill only one is under way.
///
/// Writes through mapped memory and io_uring are not counted; ``RingRequests`` names the latter,
/// and a recorder finds the former by comparing files (``MappedFile``).
package final class Tracer {
    private struct UnderWay {
        let call: SystemCall
        let number: Int?
        let pending: Recorder.Pending?
        let isLast: Bool
        /// What the call acts on; nil for a call that acts on nothing in scope.
        let target: CallTarget?
        let strike: Strike?
    }

    /// The results of calls that a place forbids.
    private static let refusals = [EACCES, EPERM, EROFS, EXDEV].map { -Int64($0) }

    private let settings: TraceSettings
    private let scope: Scope
    private let recorder: Recorder?
    private let root: pid_t
    private var report = TraceReport()
    private var threads: Set<pid_t>
    private var underWay: [pid_t: UnderWay] = [:]
    /// The thread with the call that all others wait for.
    private var holder: pid_t?
    private var held: [SystemCall] = []
    private var isKilling = false
    private var delays = 0
    /// Files of which a sync has failed, and no call has said so.
    private var late: Set<Recorder.Identity> = []
    /// The paths that the program has read or changed, where its reads are noted.
    private var touched: Set<String> = []

    private init(_ settings: TraceSettings, _ scope: Scope, _ recorder: Recorder?, root: pid_t) {
        (self.settings, self.scope, self.recorder, self.root) = (settings, scope, recorder, root)
        threads = [root]
        report.isFiltered = settings.isFiltered
        if settings.notesReads { report.read = [] }
    }

    /// Traces a program to its end.
    ///
    /// The calling thread is the tracer: it blocks, and the process must have no other children
    /// meanwhile. The program dies with this process, and gets its termination signals.
    package static func trace(
        _ settings: TraceSettings, environment: [String: String]
    ) throws(TraceError) -> TraceReport {
        let scope = try Scope(settings.folder, and: settings.moreFolders)
        do {
            let recorder = try settings.record.map { path throws(StorageLogError) in
                try Recorder(path: path, settings, scope)
            }
            let launch = try Launch(settings, environment: environment)
            rig_pass_on_signals(launch.process)
            let tracer = Tracer(settings, scope, recorder, root: launch.process)
            let report = try tracer.run()
            if launch.lacksFilter, settings.isFiltered {
                var unfiltered = settings
                unfiltered.isFiltered = false
                return try trace(unfiltered, environment: environment)
            }
            if let failure = launch.failure(of: settings.command[0]) { throw failure }
            return report
        } catch let error as TraceError {
            throw error
        } catch let error as StorageLogError {
            throw .cannotWrite(path: settings.record ?? "", message: "\(error)")
        } catch {
            throw .notPermitted(message: "\(error)")
        }
    }

    package static func end(like report: TraceReport) -> Never {
        if let signal = report.signal { rig_end_by_signal(signal) }
        exit(report.exitCode ?? 0)
    }

    private func run() throws -> TraceReport {
        var status: Int32 = 0
        do {
            while case let thread = rig_wait(&status, recorder?.pause ?? 0), thread != 0 {
                if thread > 0 { try handle(thread, status) }
                // What a call is changing right now may be there or not.
                if underWay.isEmpty { try recorder?.look() }
            }
        } catch {
            killEverything()
            while rig_wait(&status, 0) != 0 {}
            throw error
        }
        return report
    }

    private func handle(_ thread: pid_t, _ status: Int32) throws(StorageLogError) {
        // As in the macros of <sys/wait.h>, which Swift does not import.
        let isStopped = status & 0xff == 0x7f
        guard isStopped else {
            if thread == root {
                if status & 0x7f == 0 {
                    report.exitCode = status >> 8 & 0xff
                } else {
                    report.signal = status & 0x7f
                }
                // Processes that the program left behind are ended with it, as under the rig.
                killEverything()
            }
            return try forget(thread)
        }
        threads.insert(thread)
        if isKilling {
            kill(thread, SIGKILL)
            return
        }
        let signal = status >> 8 & 0xff
        switch Int(status >> 16) {
        case RIG_EVENT_SECCOMP: try atSystemCall(thread)
        case RIG_EVENT_STOP:
            if [SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU].contains(signal) {
                _ = rig_leave_stopped(thread)
            } else {
                resume(thread)
            }
        case RIG_EVENT_EXEC:
            var former: UInt = 0
            if rig_event_message(thread, &former) == 0 {
                // The other threads are gone; the calling thread now has the leader's number.
                if former != UInt(thread) { try forget(pid_t(truncatingIfNeeded: former)) }
                try abandonCall(of: thread)
            }
            resume(thread)
        case 0 where signal == SIGTRAP | 0x80: try atSystemCall(thread)
        case 0: resume(thread, signal)
        default: resume(thread)
        }
    }

    private func resume(_ thread: pid_t, _ signal: Int32 = 0) {
        // An error means that the thread has died, which `rig_wait` reports.
        _ =
            !settings.isFiltered || underWay[thread] != nil
            ? rig_resume_to_syscall(thread, signal) : rig_resume(thread, signal)
    }

    private func forget(_ thread: pid_t) throws(StorageLogError) {
        threads.remove(thread)
        try abandonCall(of: thread)
    }

    private func abandonCall(of thread: pid_t) throws(StorageLogError) {
        underWay[thread] = nil
        held.removeAll { $0.thread == thread }
        try letNextBegin(after: thread)
    }

    private func letNextBegin(after thread: pid_t) throws(StorageLogError) {
        guard holder == thread else { return }
        holder = nil
        while holder == nil, !held.isEmpty, !isKilling { try begin(held.removeFirst()) }
    }

    private func killEverything() {
        if !isKilling { report.kill?.secondsSinceBoot = TraceReport.Kill.secondsSinceBootNow }
        isKilling = true
        for thread in threads { kill(thread, SIGKILL) }
    }

    private func atSystemCall(_ thread: pid_t) throws(StorageLogError) {
        var call = rig_syscall()
        guard rig_read_syscall(thread, &call) == 0 else { return }
        if Int(call.stop) == RIG_STOP_EXIT {
            try atExit(thread, result: call.result)
        } else {
            try atEntry(thread, call)
        }
    }

    private func atEntry(_ thread: pid_t, _ raw: rig_syscall) throws(StorageLogError) {
        if raw.number == UInt64.max { try noteUnseen("calls of another architecture") }
        guard let call = SystemCall(raw, thread: thread), settings.watches(call.kind) else {
            return resume(thread)
        }
        if settings.notesReads, let path = scope.fileRead(by: call), touched.insert(path).inserted {
            report.read?.append(scope.relative(path))
        }
        if call.effect == .ringEnter,
            let what = RingRequests.unseen(in: call, scope, failing: settings.failure?.error)
        {
            try noteUnseen(what)
        }
        guard holder != nil else { return try begin(call) }
        if call.kind.isAwaited || scope.target(of: call) != nil {
            held.append(call)
        } else {
            resume(thread)
        }
    }

    /// Begins a call when its turn comes, or kills before it.
    private func begin(_ call: SystemCall) throws(StorageLogError) {
        let target = scope.target(of: call)
        guard target != nil || call.kind.isAwaited else { return resume(call.thread) }
        if settings.notesReads, let target { touched.formUnion(target.paths) }
        var number: Int?
        if let target, isCounted(call, target) {
            report.count(call.kind, by: 1)
            number = report.counted
        }
        let isOfTheKill = settings.killName.map { $0 == call.kind.name } ?? true
        let count = settings.killName == nil ? number : report.countedByName[call.kind.name]
        let isAtMoment = number != nil && isOfTheKill && count == settings.killAt
        let isLast = isAtMoment && settings.failure == nil
        if isLast, let target, let number {
            report.kill = TraceReport.Kill(
                call: describe(call, target, number), edge: settings.edge)
            if settings.edge == .before { return killEverything() }
        }
        try makeSyncs(.before, call, on: target)
        var pending: Recorder.Pending?
        if let target { pending = try recorder?.begin(call, target, number: number) }
        let strike = target.flatMap { self.strike(call, $0, number, isAtMoment: isAtMoment) }
        underWay[call.thread] = UnderWay(
            call: call, number: number, pending: pending, isLast: isLast, target: target,
            strike: strike)
        if !call.kind.mayWait, target != nil || !call.opensPipe { holder = call.thread }
        resume(call.thread)
    }

    private func isCounted(_ call: SystemCall, _ target: CallTarget) -> Bool {
        settings.failure.map { $0.canStrike(call, target) } ?? (call.kind.callClass != nil)
    }

    /// Makes a counted call fail if it is to, as far as this begins at its entry.
    private func strike(
        _ call: SystemCall, _ target: CallTarget, _ number: Int?, isAtMoment: Bool
    ) -> Strike? {
        guard let failure = settings.failure else { return nil }
        if !late.isEmpty, call.isWaitingSync,
            !late.isDisjoint(with: scope.syncedParts(of: call, target).map(\.identity))
        {
            if report.failed?.reportedBy == nil { report.failed?.reportedBy = number }
            try? settings.report.map(report.write)
            Strike.lost(.late).begin(call)
            return .lost(.late)
        }
        guard let number,
            let strike = failure.strike(
                call, target, number: number, isAtMoment: isAtMoment,
                first: report.failed?.call.ordinal)
        else { return nil }
        if report.failed == nil {
            report.failed = TraceReport.Failed(
                call: describe(call, target, number), cutTo: strike.cutTo,
                isLate: strike.failedSync == .journalled)
            try? settings.report.map(report.write)
        } else {
            report.failed?.calls += 1
        }
        if case .delay(let seconds, let most) = strike, delays < most {
            delays += 1
            sleep(seconds)
        }
        strike.begin(call)
        return strike
    }

    private func lose(
        _ failure: FailedSync, _ call: SystemCall, _ target: CallTarget,
        _ pending: Recorder.Pending?
    ) throws(StorageLogError) {
        // What is recorded of the sync has not happened.
        if let pending { try recorder?.finish(pending, result: -Int64(EIO)) }
        let parts = scope.syncedParts(of: call, target)
        try recorder?.noteFailedSync(of: parts, failure, by: call.thread)
        if failure == .journalled {
            // The journal has the names for good: only what it has of files may not reach its place.
            switch target {
            case .folder, .everything:
                try recorder?.note(.syncDirectory(path: "."), by: call.thread, result: 0)
            default: break
            }
            late.formUnion(parts.map(\.identity))
        } else {
            late.subtract(parts.map(\.identity))
        }
    }

    private func atExit(_ thread: pid_t, result: Int64) throws(StorageLogError) {
        guard let done = underWay.removeValue(forKey: thread) else { return resume(thread) }
        let result = done.strike?.end(done.call, result: result) ?? result
        if let failure = done.strike?.failedSync, let target = done.target {
            try lose(failure, done.call, target, done.pending)
        } else if let pending = done.pending {
            try recorder?.finish(pending, result: result)
        }
        if result >= 0 { try makeSyncs(.after, done.call, on: done.target) }
        if Self.refusals.contains(result), let path = done.target?.path { report.refused = path }
        if done.call.effect == .ringSetup, result >= 0,
            let what = RingRequests.unseen(in: done.call, scope)
        {
            try noteUnseen(what)
        }
        // ERESTARTSYS and similar: the call has not happened, and is made again.
        if (-516 ... -512).contains(result), done.number != nil {
            report.count(done.call.kind, by: -1)
            if done.isLast { report.kill = nil }
            if done.strike != nil, report.failed?.call.ordinal == done.number {
                report.failed = nil
            }
        } else if done.isLast {
            return killEverything()
        }
        resume(thread)
        try letNextBegin(after: thread)
    }

    private func makeSyncs(
        _ edge: CallMoment.Edge, _ call: SystemCall, on target: CallTarget?
    ) throws(StorageLogError) {
        guard !settings.placedSyncs.isEmpty, let paths = target?.paths else { return }
        let syncs = settings.syncs(edge, call.kind.name, on: paths, below: scope.folder)
        try recorder?.make(syncs, on: paths, by: call.thread)
    }

    private func noteUnseen(_ what: String) throws(StorageLogError) {
        guard !report.unseen.contains(what) else { return }
        report.unseen.append(what)
        try recorder?.noteUnseen(what)
    }

    private func describe(_ call: SystemCall, _ target: CallTarget, _ number: Int) -> TracedCall {
        var size: Int64 = 0
        if case .file(_, _, let status) = target { size = status.size }
        return TracedCall(
            ordinal: number, name: call.kind.name, callClass: call.kind.callClass ?? .write,
            threadID: call.thread, path: target.path, offset: call.offset(fileSize: size),
            length: call.length)
    }
}
