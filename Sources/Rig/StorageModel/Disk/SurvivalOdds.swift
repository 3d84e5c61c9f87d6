internal import RigModel

/// How likely the unsynced writes of one file are to reach the disk before the power fails.
///
/// They are drawn anew for each file of each image. With one fixed chance nearly all images would
/// be alike: of a hundred writes to a log an early one would always be missing.
struct SurvivalOdds: Sendable {
    /// The chance that a write that is not torn reaches the disk.
    private let kept: Double
    /// The chance that a write is torn: each of its sectors is the new or the old one.
    private let torn: Double

    struct Fate: Equatable {
        var sectors: [Range<Int64>]
        /// The sectors that the disk was writing when the power failed.
        var underWay: [Range<Int64>] = []
    }

    /// Draws the odds for a file; a systematic walk tears nothing, which would be 256 states per
    /// page.
    init(using choices: inout Choices) {
        guard choices.decided == nil else {
            (kept, torn) = (1, 0)
            return
        }
        kept = choices.odds([0, 0.05, 0.5, 0.95, 1])
        torn = choices.isSystematic ? 0 : choices.odds([0, 0.05, 0.5])
    }

    /// Decides what happens to a write: which sectors reach the disk, each of them whole.
    func fate(of range: Range<Int64>, at operation: Int, using choices: inout Choices) -> Fate {
        if let decided = choices.decided {
            return decided[operation].flatMap { Fate($0, of: range.sectors, &choices) }
                ?? Fate(sectors: range.isEmpty ? [] : [range.sectors])
        }
        let fate = drawn(range, using: &choices)
        if !fate.underWay.isEmpty {
            let effect = CrashDecision.Effect.spoiled(
                kept: fate.sectors, sectors: fate.underWay, noise: choices.noise)
            choices.note(operation, effect)
        } else if !range.isEmpty, fate.sectors != [range.sectors] {
            choices.note(operation, .kept(fate.sectors))
        }
        return fate
    }

    private func drawn(_ range: Range<Int64>, using choices: inout Choices) -> Fate {
        let sectors = range.sectors
        let all = sectors.isEmpty ? [] : [sectors]
        guard choices.chance(torn) else {
            if choices.isSystematic {
                let blocks = Block.touched(by: sectors).filter { _ in choices.coin() }
                return Fate(sectors: blocks.map { Block.bytes($0).clamped(to: sectors) })
            }
            return Fate(sectors: choices.chance(kept) ? all : [])
        }
        var fate = Fate(sectors: [])
        for unit in sectors.units(of: SparseBytes.sectorSize) {
            let sector = (unit..<unit + 1).bytes(of: SparseBytes.sectorSize)
            if choices.coin() {
                fate.sectors.add(sector)
            } else if choices.coin() {
                fate.underWay.add(sector)
            }
        }
        return fate
    }
}

extension SurvivalOdds.Fate {
    /// What is decided about an operation that writes some sectors; nil where nothing is.
    fileprivate init?(
        _ effects: [CrashDecision.Effect], of sectors: Range<Int64>, _ choices: inout Choices
    ) {
        for effect in effects {
            switch effect {
            case .kept(let kept): self.init(sectors: kept.within(sectors))
            case .spoiled(let kept, let spoiled, let noise):
                choices.spoil(by: noise)
                self.init(sectors: kept.within(sectors), underWay: spoiled.within(sectors))
            default: continue
            }
            return
        }
        return nil
    }
}

extension [Range<Int64>] {
    /// The parts that lie within whole sectors, themselves as whole sectors.
    fileprivate func within(_ sectors: Range<Int64>) -> Self {
        map { $0.sectors.clamped(to: sectors) }.filter { !$0.isEmpty }
    }

    fileprivate mutating func add(_ sector: Range<Int64>) {
        if let last, last.upperBound == sector.lowerBound {
            self[count - 1] = last.lowerBound..<sector.upperBound
        } else {
            append(sector)
        }
    }
}
