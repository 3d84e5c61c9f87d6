import RigModel
import RigVerdict
import Testing

/// Which runs are points of one line, and what is marked on it.
@Suite struct HistoryReportTests {
    private static let job = HistoryJob([
        .init(name: "worker", value: "downloader"), .init(name: "workload", value: "download"),
        .init(name: "fault", value: "sigkill"), .init(name: "trigger", value: "random"),
    ])

    private static func run(
        _ index: Int, job: HistoryJob = job, machine: String = "one", judgedBy: String = "0.1",
        loss: Double? = 8, recovery: Double? = 0.02, leftOut: Int = 0
    ) -> HistoryRun {
        let digits = String(index)
        let stamp = String(repeating: "0", count: 4 - digits.count) + digits
        return HistoryRun(
            identity: "run-\(index)", runID: "run-\(index)", startedAt: "2026-01-01T\(stamp)",
            commit: "c\(index)", job: job, machine: machine, judgedBy: judgedBy, status: .success,
            policies: [
                HistoryFigures(
                    policy: "512KB", rows: 100, leftOut: leftOut, violations: 0,
                    decided: 100 - leftOut, lossPercent: loss, lostBytesMax: 1,
                    recoverySecondsMedian: recovery)
            ])
    }

    /// Figures around 8 that never repeat.
    private static func noise(_ index: Int) -> Double { Double(index * 7919 % 101) / 200 }

    private static func changes(_ report: HistoryReport) -> [HistoryMetric: [Int]] {
        report.series.reduce(into: [:]) { $0[$1.metric] = $1.changes.map(\.point) }
    }

    @Test func theRegressionIsMarkedOnItsLineOnly() throws {
        let runs = (1...200).map { index in
            Self.run(
                index, loss: (index < 150 ? 8 : 10) + Self.noise(index),
                recovery: 0.02 + Self.noise(index * 3) / 100, leftOut: index * 31 % 7 % 3)
        }
        let report = HistoryReport(of: runs.reversed(), newest: 1000)
        #expect(
            Self.changes(report) == [
                .lossPercent: [149], .violationPercent: [], .recoverySeconds: [],
                .leftOutPercent: [],
            ])
        let change = try #require(report.series.first?.changes.first)
        #expect(report.runs[149].commit == "c150")
        #expect(change.isWorse)
        #expect(abs(change.before - 8.25) < 0.1 && abs(change.after - 10.25) < 0.1)
        #expect(change.company.isEmpty)
        #expect(report.changes == 1)
    }

    /// Another video, another worker or another fault is another line.
    @Test func anotherJobIsNoChange() {
        let other = HistoryJob(
            Self.job.facts.map {
                $0.name == "fault" ? .init(name: "fault", value: "power-cut") : $0
            })
        let runs = (1...100).map { index in
            Self.run(
                index, job: index <= 50 ? Self.job : other,
                loss: (index <= 50 ? 8 : 30) + Self.noise(index), recovery: nil)
        }
        let report = HistoryReport(of: runs, newest: 1000)
        #expect(report.changes == 0 && report.series.count == 6)
        #expect(report.series.last?.points.first?.place == 1)
    }

    /// A slower machine is no slower program.
    @Test func timesOfTwoMachinesAreNotCompared() {
        let runs = (1...100).map { index in
            Self.run(
                index, machine: index <= 50 ? "one" : "two", loss: 8 + Self.noise(index),
                recovery: (index <= 50 ? 0.02 : 0.06) + Self.noise(index) / 1000)
        }
        #expect(HistoryReport(of: runs, newest: 1000).changes == 0)
    }

    /// Hosted runners are of one kind or another: a line was cut wherever the machine changed, and
    /// no piece was long enough to be searched.
    @Test func timesOfMachinesThatTakeTurnsAreLinesOfTheirOwn() throws {
        let runs = (1...200).map { index in
            Self.run(
                index, machine: index % 2 == 0 ? "fast" : "slow",
                recovery: (index % 2 == 0 ? 0.02 : 0.06) * (index < 150 ? 1 : 1.5)
                    + Self.noise(index) / 1000)
        }
        let report = HistoryReport(of: runs, newest: 1000)
        let times = report.series.filter(\.metric.isOfTime)
        #expect(times.map(\.machine) == ["slow", "fast"])
        let marks = times.map { line in line.changes.map { line.points[$0.point].place } }
        #expect(marks == [[151], [150]])
        #expect(times.flatMap(\.changes).allSatisfy { $0.company.isEmpty && $0.isWorse })
        #expect(report.changes == 2 && report.series.filter { $0.machine == nil }.count == 3)
    }

    /// A loss may depend on the machine: that it changed with it is said.
    @Test func whatChangedWithItIsSaid() throws {
        let runs = (1...100).map { index in
            Self.run(
                index, machine: index <= 50 ? "one" : "two", judgedBy: index <= 50 ? "0.1" : "0.2",
                loss: (index <= 50 ? 8 : 12) + Self.noise(index), recovery: nil)
        }
        let change = try #require(HistoryReport(of: runs, newest: 1000).series.first?.changes.first)
        #expect(change.company == ["machine: two", "rig: 0.2"])
    }

    @Test func unknownFiguresAreNoPoints() {
        let runs = (1...20).map { Self.run($0, loss: $0 == 5 ? nil : 8, recovery: nil) }
        let report = HistoryReport(of: runs, newest: 1000)
        #expect(report.series.map(\.metric) == [.lossPercent, .violationPercent, .leftOutPercent])
        #expect(report.series[0].points.map(\.place) == Array(1...20).filter { $0 != 5 })
    }

    @Test func onlyTheNewestAreShown() {
        let report = HistoryReport(of: (1...20).map { Self.run($0) }, newest: 5)
        #expect(report.runs.map(\.runID) == (16...20).map { "run-\($0)" })
        #expect(report.total == 20)
    }
}
