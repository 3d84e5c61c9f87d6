import Foundation
import RigModel
import RigProfiles
import Testing

/// `rig workers` and `rig workers check`.
@Suite struct WorkersCommandTests {
    private let place = Workplace()

    private struct List: Decodable {
        struct Worker: Decodable {
            let name: String
            let levels: [String]
            let installed: Bool
        }
        let workers: [Worker]
    }

    private struct Report: Decodable {
        struct Point: Decodable {
            let point: String
            let verdict: String
            let detail: String
        }
        let worker: String
        let points: [Point]

        func verdict(_ name: ContractPoint.Name) -> String? {
            points.first { $0.point == name.rawValue }?.verdict
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }

    @Test func theListHasEveryProfile() async throws {
        let outcome = try await rig("workers", "--json", in: place, exits: 0)
        let list = try decode(List.self, outcome.output).workers
        #expect(list.map(\.name) == Workers.names)
        let reference = try #require(list.first { $0.name == "downloader" })
        #expect(reference.installed && reference.levels.count == 3)
        let table = try await rig("workers", in: place)
        for name in Workers.names { table.prints("\n\(name) ") }
    }

    @Test func theReferenceWorkerKeepsTheContractOnEveryLevel() async throws {
        let outcome = try await rig(
            "workers", "check", "downloader", "--json", "--seed", "5", "--iterations", "3",
            in: place)
        let report = try decode(Report.self, outcome.output)
        for name in ContractPoint.Name.allCases {
            #expect(report.verdict(name) == "pass", "\(report.points)")
        }
        #expect(!place.has("results/latest"))
    }

    @Test func aBlackBoxHasNothingToCompare() async throws {
        try """
        name: box
        command: [curl, -q, -sS, -N, -C, "-", -o, "{output}", "{url}"]
        bound: {sigkill: 102400}
        bound_source: one read of curl's
        """.save(as: "box.yml", in: place)
        let outcome = try await rig(
            "workers", "check", "box.yml", "--json", "--seed", "5", "--iterations", "3", in: place)
        let report = try decode(Report.self, outcome.output)
        #expect(report.verdict(.agreement) == "not promised")
        for name in [ContractPoint.Name.completes, .resumes, .bound, .cleansUp, .level] {
            #expect(report.verdict(name) == "pass", "\(report.points)")
        }
    }

    /// The program that `rig kill-test -- COMMAND` kills can be checked without a profile.
    ///
    /// Its file is too short, so it fails, whatever its exit code says.
    @Test func aCommandThatDoesNotDoItsWorkFailsTheCheck() async throws {
        let outcome = try await rig(
            "workers", "check", "--json", "--", "sh", "-c",
            "curl -s \"$0\" | head -c 1000 > \"$1\"", "{url}", "{output}", in: place, exits: 99)
        let report = try decode(Report.self, outcome.output)
        #expect(report.worker == "sh")
        #expect(report.verdict(.completes) == "fail")
        #expect(report.verdict(.resumes) == "not known")
    }

    @Test(arguments: [
        (["check", "culr"], "no worker profile 'culr'"),
        (["check", "curl", "--set", "a=b"], "no placeholder 'a'"),
        (["check", "curl", "--iterations", "0"], "--iterations"),
        (["check"], "there is no worker"), (["list", "culr"], "no worker profile 'culr'"),
    ])
    func badUseIsRefused(arguments: [String], word: String) async throws {
        try await rig(["workers"] + arguments, in: place, exits: 64, complains: word)
        #expect(!place.has("results"))
    }

    @Test func aProgramThatIsNotInstalledIsMissed() async throws {
        try "name: a\ncommand: [no-such-program, \"{url}\"]\nneeds: {no-such-program: pack}\n"
            .save(as: "a.yml", in: place)
        try await rig(
            "workers", "check", "a.yml", in: place, exits: 69, complains: "apt-get install pack")
        try await rig("workers", "list", "a.yml", in: place, exits: 0).prints(
            "no: no-such-program (pack)")
    }
}
