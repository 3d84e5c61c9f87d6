import RigModel
import RigVerdict
import Testing

/// The report must say which fault its bound belongs to.
struct FaultSentencesTests {
    private func sentences(
        _ name: String, _ durability: Durability, _ fault: Fault
    ) throws -> [String] {
        let policy = try #require(Policy(name, durability: durability))
        return FaultSentences.of([policy], under: fault)
    }

    @Test func aKilledProcessSaysNothingAboutSyncs() throws {
        let power = try sentences("512KB", .power, .sigkill)
        #expect(power.count == 1)
        #expect(power.first?.contains("bound under sigkill: the threshold") == true)
        #expect(power.first?.contains("says nothing about syncs") == true)
        let process = try sentences("512KB", .process, .sigkill)
        #expect(process.first?.contains("says nothing about syncs") == false)
        #expect(process.first?.contains("promises nothing under a power cut") == true)
    }

    @Test func aPowerCutHasABoundOnlyForWhatIsSynced() throws {
        #expect(
            try sentences("512KB", .power, .powerCut)
                == ["bound under power-cut: the threshold per active request"])
        let process = try sentences("512KB", .process, .powerCut)
        #expect(process.first?.contains("process promises nothing under a power cut") == true)
        #expect(process.first?.contains("bound under") == false)
        let disabled = try sentences("disabled", .power, .powerCut)
        #expect(disabled.first?.contains("bound under") == false)
    }

    @Test func oneLineForEachDurability() throws {
        let policies = try ["256KB", "512KB", "disabled"].map {
            try #require(Policy($0, durability: .power))
        }
        #expect(FaultSentences.of(policies, under: .sigkill).count == 1)
    }
}
