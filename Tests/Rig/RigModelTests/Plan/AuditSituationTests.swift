import RigModel
import Testing

/// Situations of an audit that are about some calls are not for programs without such calls.
@Suite struct AuditSituationTests {
    private func names(making calls: Set<String>?) -> Set<String> {
        Set(AuditSituation.all.filter { !$0.isPossible(making: calls) }.map(\.name))
    }

    @Test func aProgramWithoutSuchACallIsNotTried() {
        #expect(names(making: ["write", "openat"]) == ["rename-error", "sync-error"])
        #expect(names(making: ["write", "renameat2"]) == ["sync-error"])
        #expect(names(making: ["rename", "fdatasync"]) == [])
        // Where its calls could not be counted, each situation says itself what it lacks.
        #expect(names(making: nil) == [])
    }

    @Test func eachHasANameAndAFolderOfItsOwn() {
        let all = AuditSituation.all
        #expect(Set(all.map(\.name)).count == all.count)
        #expect(Set(all.map(\.title)).count == all.count)
        #expect(Set(all.map(\.options)).count == all.count)
        #expect(all.prefix(2).map(\.isEssential) == [true, true])
        #expect(all.count { $0.isEssential } == 2)
    }
}
