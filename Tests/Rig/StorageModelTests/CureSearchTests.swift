import HandmadeLogs
import RigModel
import Testing

@testable import StorageModel

/// The search for cures costs what it must, and finds what the plain way finds: each place looked for
/// in the whole life, each life replayed from its beginning.
@Suite struct CureSearchTests {
    /// The names before an operation.
    private static func names(before ordinal: Int, in log: StorageLog) -> NameTree {
        log.operations.filter { $0.ordinal < ordinal }.compactMap(\.kind.nameChange)
            .reduce(into: NameTree()) { $0.apply($1) }
    }

    /// What a call is, and the patterns of its paths.
    private static func shape(of operation: StorageOperation, in log: StorageLog) -> [String] {
        let names = names(before: operation.ordinal, in: log)
        let kind = operation.kind
        let paths =
            kind.nameChange?.paths ?? kind.subject.map { names.paths(of: $0) }
            ?? kind.folder.map { [$0] } ?? []
        return [kind.name] + paths.map(PlacedSync.pattern(of:))
    }

    private static func everywhere(_ sync: SyncCure.Sync, in log: StorageLog) -> [SyncCure.Sync] {
        let made = log.operations.filter { $0.threadID != 0 && $0.call != nil }
        guard let own = made.first(where: { $0.ordinal > sync.after }) else { return [sync] }
        let pattern: String?
        switch sync.target {
        case .data(let file), .file(let file):
            pattern = names(before: own.ordinal, in: log).paths(of: file).first
                .map(PlacedSync.pattern(of:))
        case .folder(let path): pattern = PlacedSync.pattern(of: path)
        }
        guard let pattern else { return [sync] }
        let shape = shape(of: own, in: log)
        let places = made.filter { Self.shape(of: $0, in: log) == shape }
        guard places.count > 1 else { return [sync] }
        var found: [SyncCure.Sync] = []
        var synced: [SyncCure.Sync.Target: Int] = [:]
        for place in places {
            let last = log.operations.last { $0.ordinal < place.ordinal }?.ordinal ?? 0
            for target in targets(like: sync.target, pattern, at: place, in: log) {
                let isTouched = log.operations.contains { operation in
                    (synced[target, default: 0]..<place.ordinal).contains(operation.ordinal)
                        && touches(operation, target, in: log)
                }
                guard isTouched else { continue }
                synced[target] = place.ordinal
                let isOwn = place.ordinal == own.ordinal && target == sync.target
                found.append(isOwn ? sync : SyncCure.Sync(target: target, after: last))
            }
        }
        return found.isEmpty ? [sync] : found
    }

    /// What a call's path means: of a renamed file that file alone.
    private static func targets(
        like target: SyncCure.Sync.Target, _ pattern: String, at place: StorageOperation,
        in log: StorageLog
    ) -> [SyncCure.Sync.Target] {
        let names = names(before: place.ordinal, in: log)
        let paths = (names.nodes.keys.sorted() + ["."])
            .filter { PlacedSync.pattern(of: $0) == pattern }
        var files = paths.compactMap { names.file(at: $0) }
        if case .rename(let source, _) = place.kind, PlacedSync.pattern(of: source) == pattern,
            let renamed = names.file(at: source)
        {
            files = [renamed]
        }
        return switch target {
        case .data: files.map { .data($0) }
        case .file: files.map { .file($0) }
        case .folder:
            paths.filter { $0 == "." || names.nodes[$0] == .folder }.map { .folder($0) }
        }
    }

    /// Whether an operation did something to what a sync is of.
    private static func touches(
        _ operation: StorageOperation, _ target: SyncCure.Sync.Target, in log: StorageLog
    ) -> Bool {
        let names = names(before: operation.ordinal, in: log)
        let paths = operation.kind.nameChange?.paths ?? []
        switch target {
        case .data(let file), .file(let file):
            return operation.kind.subject == file || paths.contains { names.file(at: $0) == file }
        case .folder(let path):
            return paths.contains { $0 == path || NameTree.parent(of: $0) == path }
        }
    }

    /// The places between what was lost and what was kept, the cheapest sync and latest place
    /// first.
    private static func candidates(against cause: CrashCause, in log: StorageLog) -> [SyncCure.Sync]
    {
        var found: [SyncCure.Sync] = []
        for lost in cause.lost {
            guard let kind = log.operations.first(where: { $0.ordinal == lost })?.kind else {
                continue
            }
            let end = cause.kept ?? lost + 1
            for place in log.operations.reversed()
            where place.threadID != 0 && (lost..<max(lost, end)).contains(place.ordinal) {
                let names = names(before: place.ordinal + 1, in: log)
                let file = kind.subject ?? kind.nameChange?.paths.compactMap(names.file).first
                let paths = kind.nameChange?.paths ?? file.map { names.paths(of: $0) } ?? []
                let targets: [SyncCure.Sync.Target] =
                    (file.map { [.data($0), .file($0)] } ?? [])
                    + Set(paths.map { NameTree.parent(of: $0) }).sorted().map { .folder($0) }
                found += targets.map { SyncCure.Sync(target: $0, after: place.ordinal) }
            }
        }
        return found.sorted { ($0.target.cost, -$0.after) < ($1.target.cost, -$1.after) }
    }

    /// A program that replaces files by numbered ones, and writes to a log; it syncs now and then.
    private static func randomLife(_ random: inout SplitMix64) -> StorageLog {
        var life = LogByHand().existing("data1", "aa").existing("data2", "aa").create("log")
            .makeFolder("d")
        var names = ["data1", "data2", "log"]
        for step in 0..<Int.random(in: 6...22, using: &random) {
            let name = names[Int.random(in: 0..<names.count, using: &random)]
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1:
                let new = (step % 3 == 0 ? "d/" : "") + "part\(step).tmp"
                names.append(new)
                life = life.create(new).write(new, "b")
            case 2: life = life.then(.rename(from: name, to: "data\(step % 2 + 1)"))
            case 3: life = life.sync(name)
            case 4: life = life.syncFolder(step % 2 == 0 ? "." : "d")
            case 5: life = life.truncate(name, to: 1)
            default: life = life.write(name, "c", at: Int64(step % 4))
            }
        }
        for step in 0..<3 { life = life.write("log", "d", at: Int64(step)) }
        if Bool.random(using: &random) { life = life.inFlight() }
        // Not every operation is a call that is counted.
        return counted(life.log) { $0.ordinal % 7 != 0 }
    }

    private static func counted(
        _ log: StorageLog, where isCounted: (StorageOperation) -> Bool = { _ in true }
    ) -> StorageLog {
        StorageLog(
            operations: log.operations.map { operation in
                StorageOperation(
                    ordinal: operation.ordinal, threadID: operation.threadID,
                    returned: operation.returned,
                    call: operation.threadID != 0 && isCounted(operation) ? operation.ordinal : nil,
                    kind: operation.kind)
            })
    }

    /// Random lives and causes: the same places, the same lives with syncs, and the same states.
    @Test(arguments: [DiskModel.ext4, .btrfs, .posix])
    func everyCureIsThatOfThePlainWay(on disk: DiskModel) throws {
        var random = SplitMix64(seed: 7)
        var (tried, many, twins) = (0, 0, 0)
        for _ in 0..<30 {
            let log = Self.randomLife(&random)
            let replay = try StorageReplay(of: log, on: disk)
            let states = (UInt64(0)..<6).compactMap { replay.drawn(seed: $0).decisions }
            let unsynced = replay.unsynced.map(\.ordinal)
            guard let lost = unsynced.randomElement(using: &random) else { continue }
            let last = log.operations.count
            let cause = CrashCause(
                [CrashDecision(lost, .unwritten)],
                kept: Bool.random(using: &random) ? last : nil, on: disk)
            let candidates = SyncCure.candidates(against: cause, in: log)
            #expect(candidates == Self.candidates(against: cause, in: log))
            let (places, lives) = (LikePlaces(of: log), CuredLives(of: log, on: disk))
            var seen: [Set<SyncCure.Sync>: [CrashImage]] = [:]
            for (index, sync) in candidates.prefix(18).enumerated() {
                #expect(places.everywhere(sync) == Self.everywhere(sync, in: log))
                // Two syncs where there are two.
                let cure = SyncCure(syncs: index % 3 == 2 ? [candidates[0], sync] : [sync])
                let plain = Set(cure.syncs.flatMap { Self.everywhere($0, in: log) })
                #expect(lives.syncs(of: cure) == plain)
                let whole = try StorageReplay(of: cure.applied(to: log), on: disk)
                let images = states.map { whole.state(deciding: $0) }
                let life = try lives.replay(with: cure)
                #expect(states.map { life.state(deciding: $0) } == images)
                #expect(life.unsyncedFiles == whole.unsyncedFiles)
                // Cures that are taken for the same are it.
                if let known = seen[plain] {
                    twins += 1
                    #expect(known == images)
                }
                seen[plain] = images
                tried += 1
                if plain.count > 1 { many += 1 }
            }
        }
        #expect(tried > 40 && many > 10 && twins > 0, "\(tried), \(many), \(twins)")
    }

    /// A folder that is renamed when it is complete: what had been made in one below it counted as
    /// synced under the new name, and a right cure was made in one of many folders alone.
    @Test func whatIsNotSyncedGoesWithItsFolder() throws {
        var life = LogByHand().create("log")
        for step in 1...3 {
            life = life.makeFolder("part\(step)").makeFolder("part\(step)/in")
                .create("part\(step)/in/f").rename("part\(step)", to: "done\(step)")
                .write("log", "l")
        }
        let log = Self.counted(life.log)
        // After the first rename.
        let sync = SyncCure.Sync(target: .folder("done1/in"), after: 5)
        let found = LikePlaces(of: log).everywhere(sync)
        #expect(found.map(\.target) == (1...3).map { SyncCure.Sync.Target.folder("done\($0)/in") })
        #expect(found.map(\.after) == [5, 10, 15])
    }

    /// What is not synced, looked for anew for each operation.
    @Test(arguments: [DiskModel.ext4, .posix])
    func whatIsNotSyncedIsThatOfThePlainWay(on disk: DiskModel) throws {
        var random = SplitMix64(seed: 9)
        for _ in 0..<40 {
            let log = Self.randomLife(&random)
            let replay = try StorageReplay(of: log, on: disk)
            var plain: [String: (operations: Int, bytes: Int64)] = [:]
            for operation in replay.unsynced {
                let kind = log.operations.first { $0.ordinal == operation.ordinal }?.kind
                let file = operation.file.map {
                    replay.names.paths(of: $0).first ?? "a file without a name"
                }
                let path = file ?? kind?.nameChange?.folders.min() ?? "."
                plain[path, default: (0, 0)].operations += 1
                plain[path, default: (0, 0)].bytes += Int64(operation.written?.count ?? 0)
            }
            let expected = plain.sorted { $0.key < $1.key }.map {
                UnsyncedFileFacts(
                    path: $0.key, operations: $0.value.operations, bytes: $0.value.bytes)
            }
            #expect(replay.unsyncedFiles == expected)
            #expect(CrashStates(after: replay, seed: 1).unsyncedFiles == expected)
        }
    }

    /// A long life with one mistake near its end: a rename without a sync, and other writes between.
    private static func longLife() -> LogByHand {
        var life = LogByHand().existing("data", "a").create("journal")
        for step in 0..<450 {
            life = life.write("journal", "j", at: Int64(step % 8)).sync("journal")
        }
        life = life.create("log").create("data.tmp").write("data.tmp", "b")
        for step in 0..<40 { life = life.write("log", "l", at: Int64(step)) }
        return life.rename("data.tmp", to: "data")
    }

    /// The life is replayed once up to the mistake, and its end once for each cure that differs: not
    /// the whole of it for each place and each failing state.
    @Test(arguments: [(false, 6), (true, 2)])
    func aLongLifeIsReplayedOnce(isCounted: Bool, most: Int) async throws {
        let life = Self.longLife()
        let log = Self.counted(life.log) { _ in isCounted }
        let replay = try StorageReplay(of: log, on: .posix)
        func fails(_ image: CrashImage) -> Bool { !["a", "b"].contains(image.letters("data")) }
        let search = CrashCauseSearch(of: log, after: replay) { fails($0) }
        let failing = (UInt64(0)..<60).map { replay.drawn(seed: $0) }
            .filter { fails($0.image) }.compactMap(\.decisions)
        #expect(failing.count > 3)
        let first = try #require(failing.first)
        let cause = try #require(try await search.cause(of: first))
        let cures = CureSearch(failing, of: log, after: replay, by: search)
        let outcome = try await cures.run(against: cause)
        #expect(outcome.cures.first?.syncs.map(\.target) == [.data(life.file("data.tmp"))])
        // A sync of the folder helps at none of its places.
        #expect(outcome.others > 40)
        let count = log.operations.count
        #expect(cures.replayed < most * count, "\(cures.replayed) of a life of \(count)")
    }
}
