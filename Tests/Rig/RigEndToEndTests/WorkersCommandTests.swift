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
            "workers", "check", "downloader", "--json", "--seed", "5", "--iterations", "4",
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
            "workers", "check", "box.yml", "--json", "--seed", "5", "--iterations", "4", in: place)
        let report = try decode(Report.self, outcome.output)
        #expect(report.verdict(.agreement) == "not promised")
        for name in [ContractPoint.Name.completes, .resumes, .bound, .cleansUp, .level] {
            #expect(report.verdict(name) == "pass", "\(report.points)")
        }
    }

    /// Its file is too short, so it fails, whatever its exit code says.
    @Test func aWorkerThatDoesNotDoItsWorkFailsTheCheck() async throws {
        try """
        name: short
        command: [sh, -c, 'curl -s "$0" | head -c 1000 > "$1"', "{url}", "{output}"]
        """.save(as: "short.yml", in: place)
        let outcome = try await rig(
            "workers", "check", "./short.yml", "--json", in: place, exits: 99)
        let report = try decode(Report.self, outcome.output)
        #expect(report.worker == "short")
        #expect(report.verdict(.completes) == "fail")
        #expect(report.verdict(.resumes) == "not known")
    }

    /// The program that `rig kill-test -- COMMAND` kills can be checked without a profile.
    @Test func aCommandIsCheckedWithoutAProfile() async throws {
        let good = try await rig(
            "workers", "check", "--json", "--seed", "5", "--iterations", "3", "--", "curl", "-q",
            "-sS", "-N", "-C", "-", "-o", "{output}", "{url}", in: place)
        let points = try decode(Report.self, good.output)
        for name in [ContractPoint.Name.completes, .resumes, .cleansUp] {
            #expect(points.verdict(name) == "pass", "\(points.points)")
        }
        let bad = try await rig(
            "workers", "check", "--json", "--iterations", "3", "--", "sh", "-c",
            "curl -s \"$0\" | head -c 1000 > \"$1\"", "{url}", "{output}", in: place, exits: 99)
        #expect(try decode(Report.self, bad.output).verdict(.completes) == "fail")
    }

    @Test(arguments: [
        (["check", "culr"], 64, "no worker profile 'culr'"),
        (["check", "curl", "--set", "a=b"], 64, "no placeholder 'a'"),
        (["check", "curl", "--iterations", "0"], 64, "--iterations"),
        (["check"], 64, "there is no worker"),
        (["check", "curl", "--", "curl", "{url}"], 64, "two workers"),
        (["check", "--"], 64, "no command follows --"),
        (["check", "curl", "--bandwidth", "fast"], 64, "fast"),
        (["list", "culr"], 64, "no worker profile 'culr'"),
    ])
    func badUseIsRefused(arguments: [String], code: Int32, word: String) async throws {
        try await rig(["workers"] + arguments, in: place, exits: code, complains: word)
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
