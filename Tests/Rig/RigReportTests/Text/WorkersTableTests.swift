import RigModel
import RigReport
import Testing

struct WorkersTableTests {
    private static let workers = [
        WorkerListing(
            WorkerProfile(
                name: "aria2", about: "aria2", command: ["aria2c", "{url}"],
                needs: ["aria2c"], packages: ["aria2c": "aria2"],
                bound: [.sigkill: .seconds(60)], boundSource: "its autosave"),
            missing: ["aria2c"]),
        WorkerListing(
            WorkerProfile(
                name: "mine", command: ["mine", "{url}"], writesWitness: true,
                inspection: .file(PartialFile(path: "p"))), missing: []),
    ]

    @Test func theListHasLevelBoundAndWhatIsMissing() {
        #expect(
            WorkersTable.text(Self.workers) == """
                worker  level      bound  installed           about
                aria2   black box  60s    no: aria2c (aria2)  aria2
                mine    witness    -      yes

                """)
    }

    @Test func theListAsJSON() {
        let text = WorkersJSON.text(Self.workers)
        for part in [
            "\"bound\": {\n        \"sigkill\": \"60s\"\n      }", "\"installed\": false",
            "\"package\": \"aria2\"", "\"bound_source\": null",
            "\"levels\": [\n        \"black box\",\n        \"inspect\",\n        \"witness\"",
        ] { #expect(text.contains(part), "\(part) in \(text)") }
    }

    private static let report = ContractReport(
        worker: "curl", seed: 7,
        points: [
            ContractPoint(.completes, .pass, "fine"),
            ContractPoint(.bound, .notPromised, "reported"),
            ContractPoint(.level, .unknown, "https"),
        ])

    @Test func thePointsOfTheContract() {
        #expect(
            ContractTable.text(Self.report) == """
                contract            curl
                completes unharmed  pass          fine
                bound               not promised  reported
                level reached       not known     https

                seed 7
                inconclusive (exit 98)

                """)
        let json = ContractJSON.text(Self.report)
        expect(json, has: "\"exit_code\": 98", "\"verdict\": \"not promised\"")
    }

    @Test(arguments: [
        ([ContractPoint.Verdict.pass, .notPromised], RigModel.ExitStatus.success),
        ([.pass, .unknown], .inconclusive), ([.unknown, .fail], .gateFailed),
    ])
    func theWorstPointDecides(verdicts: [ContractPoint.Verdict], status: RigModel.ExitStatus) {
        let points = verdicts.map { ContractPoint(.resumes, $0, "") }
        #expect(ContractReport(worker: "w", seed: 1, points: points).status == status)
    }
}
