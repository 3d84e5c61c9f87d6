package import RigModel

package struct DocumentedComparison {
    private let tables: DocumentedTables
    private let parts: [String: RunPart]

    package init(_ tables: DocumentedTables, parts: [RunPart]) {
        self.tables = tables
        self.parts = Dictionary(parts.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The lines of `documented.csv`, in the order of the tables.
    package var rows: [DocumentedRow] {
        tables.amounts.map(amount) + tables.endings.map(ending)
            + (tables.retrieval.map { [bytes($0), chunks($0)] } ?? [])
    }

    private func conclusive(_ runs: [String], _ policy: String) -> [IterationRow] {
        runs.compactMap { parts[$0] }.flatMap(\.rows)
            .filter { $0.isConclusive && $0.kill == 1 && $0.policy == policy }
    }

    private static let notMeasured = "not measured: a run is missing, or has no conclusive rows"

    // MARK: - Amounts

    private func amount(_ amount: DocumentedTables.Amount) -> DocumentedRow {
        var row = DocumentedRow(.amount, ByteSize(bytes: amount.at).name)
        row.runs = [amount.after, amount.before]
        row.documentedLoss = amount.loss
        row.figures[.documentedSaved] = amount.saved.map(Double.init)
        row.figures[.documentedBefore] = amount.saved.map { _ in 0 }
        row.figures[.documentedImprovement] = amount.improvement
        let before = conclusive([amount.before], Policy(threshold: nil).name)
            .filter { $0.isAt(amount.at, within: amount.within) }.compactMap(\.recoveredBytes).max()
        row.figures[.before] = before.map(Double.init)
        let kills = conclusive([amount.after], DocumentedTables.policy)
            .filter { $0.isAt(amount.at, within: amount.within) && $0.lostBytes != nil }
        let lost = kills.compactMap { $0.lostBytes.map(Double.init) }
        row.n = lost.count
        guard let most = lost.max() else {
            row.note = Self.notMeasured
            return row
        }
        let whole = Double(amount.at)
        let mean = lost.reduce(0, +) / Double(lost.count)
        row.figures[.savedMean] = whole - mean
        row.figures[.savedLeast] = whole - most
        if let before {
            row.figures[.improvementMean] = 100 * (whole - mean - Double(before)) / whole
            row.figures[.improvementLeast] = 100 * (whole - most - Double(before)) / whole
        }
        let loss = SampleFigure(percentOfReceived: \.lostBytes, in: kills)
        let interval = loss.interval()
        row.figures[.lossMean] = loss.value
        row.figures[.lossLow] = interval?.low
        row.figures[.lossHigh] = interval?.high
        row.figures[.lossWorst] = 100 * most / whole
        judge(&row)
        return row
    }

    /// A documented figure, and the same at the worst moment and on average.
    private struct Claim {
        let name: String
        let documented: Double?, worst: Double?, mean: Double?
        var isLoss = false

        func holds(_ value: Double?) -> Bool? {
            guard let documented, let value else { return nil }
            return isLoss ? value <= documented : value >= documented
        }
    }

    private func judge(_ row: inout DocumentedRow) {
        let figures = row.figures
        let claims = [
            Claim(
                name: "the saved bytes", documented: figures[.documentedSaved],
                worst: figures[.savedLeast], mean: figures[.savedMean]),
            Claim(
                name: "the improvement", documented: figures[.documentedImprovement],
                worst: figures[.improvementLeast], mean: figures[.improvementMean]),
            Claim(
                name: "the loss", documented: row.documentedLoss?.upperBound,
                worst: figures[.lossWorst], mean: figures[.lossMean], isLoss: true),
        ]
        let judged = claims.filter { $0.holds($0.worst) != nil }
        row.isHeld = judged.isEmpty ? nil : judged.allSatisfy { $0.holds($0.worst) == true }
        if row.isHeld == true, row.n < PromiseJudge.fewestKills {
            row.isHeld = nil
            row.note = "fewer than \(PromiseJudge.fewestKills) kills prove nothing"
            return
        }
        row.note = judged.filter { $0.holds($0.worst) == false }.map { claim in
            "\(claim.name) is not held at its worst moment"
                + (claim.holds(claim.mean) == true
                    ? ", but on average" : ": the documents' figure is the best case")
        }.joined(separator: "; ")
    }

    // MARK: - Ways to end

    private func ending(_ ending: DocumentedTables.Ending) -> DocumentedRow {
        var row = DocumentedRow(.ending, ending.way)
        row.runs = ending.runs
        row.note = ending.note
        row.figures[.documentedLost] = ending.lost.map(Double.init)
        guard !ending.runs.isEmpty else { return row }
        let ends = conclusive(ending.runs, DocumentedTables.policy)
        row.n = ends.count
        guard !ends.isEmpty, ending.runs.allSatisfy({ parts[$0] != nil }) else {
            row.note = Self.notMeasured
            return row
        }
        // How often the request's end came, and so the save of its remainder, before the process's.
        row.figures[.called] = sum(ends) { $0.activeRequests.map { $0 == 0 ? 1 : 0 } }
        row.figures[.calledSafe] = sum(ends, \.acknowledgedBytes)
        row.figures[.saved] = sum(ends, \.recoveredBytes)
        row.figures[.lost] = sum(ends, \.lostBytes)
        let most = ends.compactMap(\.lostBytes).max()
        row.figures[.lostMost] = row.figures[.lost] == nil ? nil : most.map(Double.init)
        if let most = row.figures[.lostMost], let lost = ending.lost {
            row.isHeld = most <= Double(lost)
        }
        return row
    }

    /// The total; nil if a row does not know its part of it.
    private func sum(_ rows: [IterationRow], _ value: (IterationRow) -> Int64?) -> Double? {
        let known = rows.compactMap(value)
        return known.count == rows.count ? Double(Summaries.total(known)) : nil
    }

    // MARK: - Retrieval

    private func bytes(_ retrieval: DocumentedTables.Retrieval) -> DocumentedRow {
        share("bytes", retrieval) { row in
            guard let found = row.retrievedBytes, let recovered = row.recoveredBytes else {
                return nil
            }
            return (max(row.acknowledgedBytes ?? 0, recovered), found)
        }
    }

    private func chunks(_ retrieval: DocumentedTables.Retrieval) -> DocumentedRow {
        share("chunks", retrieval) { row in
            guard let found = row.chunksRetrieved, let chunks = row.chunks else { return nil }
            return (Int64(max(row.commits ?? 0, chunks)), Int64(found))
        }
    }

    /// What was stored, by the worker's word or by what lies there, and what was used of it.
    private func share(
        _ item: String, _ retrieval: DocumentedTables.Retrieval,
        of counts: (IterationRow) -> (stored: Int64, retrieved: Int64)?
    ) -> DocumentedRow {
        var row = DocumentedRow(.retrieval, item)
        row.runs = retrieval.runs
        row.note = retrieval.note
        row.figures[.documentedRetrieved] = retrieval.percent
        let known = conclusive(retrieval.runs, DocumentedTables.policy).compactMap(counts)
        row.n = known.count
        let stored = Summaries.total(known.map(\.stored))
        let retrieved = Summaries.total(known.map(\.retrieved))
        guard stored > 0 else {
            row.note = Self.notMeasured
            return row
        }
        row.figures[.stored] = Double(stored)
        row.figures[.retrieved] = Double(retrieved)
        let percent = 100 * Double(retrieved) / Double(stored)
        row.figures[.retrievedPercent] = percent
        row.isHeld = percent >= retrieval.percent
        return row
    }
}
