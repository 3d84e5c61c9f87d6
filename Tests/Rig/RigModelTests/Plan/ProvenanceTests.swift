import RigModel
import Testing

/// Where results come from, and which of those sources have changed.
struct ProvenanceTests {
    private let one = Provenance(
        commit: "a", tree: .clean, programs: ["rig": "xxh128:1", "w": "xxh128:2"])

    @Test func aChangedProgramIsNamed() {
        #expect(one.changedPrograms(one.programs).isEmpty)
        let changed = one.changedPrograms(["rig": "xxh128:1", "w": "xxh128:3", "x": "xxh128:4"])
        #expect(changed.map(\.name) == ["w", "x"])
        #expect(changed.first?.then == "xxh128:2" && changed.first?.now == "xxh128:3")
        #expect(changed.last?.then == Provenance.unknown)
        #expect(one.changedPrograms(["rig": "xxh128:1"]).map(\.now) == [Provenance.unknown])
    }

    /// An unknown digest never equals another one.
    @Test func anUnknownIsNoAgreement() {
        let unread = Provenance(commit: "a", tree: .clean, programs: ["rig": Provenance.unknown])
        #expect(unread.changedPrograms(unread.programs).map(\.name) == ["rig"])
    }

    @Test func partsHaveInCommonWhatAllHave() {
        #expect(Provenance.joined([one, one]) == one)
        #expect(Provenance.joined([nil, nil]) == nil)
        let other = Provenance(
            commit: "b", tree: .clean, programs: ["rig": "xxh128:1", "w": "xxh128:3"])
        let cases: [([Provenance?], Provenance.Tree)] = [
            ([one, other], .clean), ([one, nil], .unknown),
        ]
        for (all, tree) in cases {
            let joined = Provenance.joined(all)
            #expect(joined?.commit == Provenance.unknown)
            #expect(joined?.tree == tree)
            #expect(joined?.note != nil)
            #expect(joined?.programs["w"] == Provenance.unknown)
        }
        #expect(Provenance.joined([one, other])?.programs["rig"] == "xxh128:1")
    }

    @Test func theWordsSayWhatIsNotKnown() {
        #expect(one.words == "a")
        #expect(
            Provenance(commit: "a", tree: .changed, programs: [:]).words == "a, and changed files")
        let unknown = Provenance(
            commit: Provenance.unknown, tree: .unknown, note: "no git", programs: [:])
        #expect(unknown.words == "not known: no git")
    }
}
