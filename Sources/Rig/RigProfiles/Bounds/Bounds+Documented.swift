internal import RigModel

extension Bounds {
    /// The documents' own tables, as they are written in the file.
    struct Documented: Decodable {
        let amounts: [[String: String]]
        let endings: [[String: String]]
        let retrieval: [String: String]
    }

    /// The documents' own tables.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 65 and what is wrong.
    static func documented(_ file: Documented) throws(RigError) -> DocumentedTables {
        var amounts: [DocumentedTables.Amount] = []
        for fields in file.amounts { amounts.append(try amount(fields)) }
        var endings: [DocumentedTables.Ending] = []
        for fields in file.endings { endings.append(try ending(fields)) }
        let what = "the retrieval of documented"
        try check(file.retrieval, ["percent", "runs", "note"], of: what)
        guard let percent = try value(file.retrieval["percent"], of: what) else {
            throw wrong("\(what) needs percent")
        }
        return DocumentedTables(
            amounts: amounts, endings: endings,
            retrieval: DocumentedTables.Retrieval(
                percent: percent, runs: words(file.retrieval["runs"]),
                note: file.retrieval["note"] ?? ""))
    }

    private static func amount(
        _ fields: [String: String]
    ) throws(RigError) -> DocumentedTables.Amount {
        let what = "an amount of documented"
        try check(
            fields, ["at", "within", "saved", "improvement", "loss", "after", "before"], of: what)
        guard let at = try value(fields["at"], of: what), at > 0,
            let within = try value(fields["within"], of: what), within > 0,
            let after = fields["after"], let before = fields["before"]
        else { throw wrong("\(what) needs at, within, after and before") }
        return DocumentedTables.Amount(
            at: Int64(at), within: Int64(within),
            saved: try value(fields["saved"], of: what).map { Int64($0) },
            improvement: try value(fields["improvement"], of: what),
            loss: try range(fields["loss"], of: what), after: after, before: before)
    }

    /// Two numbers with `-` between them.
    private static func range(
        _ text: String?, of what: String
    ) throws(RigError) -> ClosedRange<Double>? {
        guard let text else { return nil }
        let ends = text.split(separator: "-").compactMap { Double($0) }
        guard ends.count == 2, ends[0] <= ends[1] else {
            throw wrong("\(what): '\(text)' is no range of percentages, such as 3-5")
        }
        return ends[0]...ends[1]
    }

    private static func ending(
        _ fields: [String: String]
    ) throws(RigError) -> DocumentedTables.Ending {
        let way = fields["way"] ?? ""
        let what = "the way '\(way)' of documented"
        try check(fields, ["way", "lost", "runs", "note"], of: what)
        let runs = words(fields["runs"])
        let note = fields["note"] ?? ""
        guard !way.isEmpty, !runs.isEmpty || !note.isEmpty else {
            throw wrong("\(what) needs a name, and runs, or a note that says why there are none")
        }
        return DocumentedTables.Ending(
            way: way, lost: try value(fields["lost"], of: what).map { Int64($0) }, runs: runs,
            note: note)
    }

    private static func words(_ text: String?) -> [String] {
        (text ?? "").split(separator: " ").map(String.init)
    }
}
