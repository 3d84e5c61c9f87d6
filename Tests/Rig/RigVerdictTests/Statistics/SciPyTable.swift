import Foundation
import Testing

/// A table of numbers: a line of names, then one line per row.
struct SciPyTable {
    struct Row {
        let text: String
        private let fields: [String: String]

        init(_ text: String, names: [String]) throws {
            let cells = text.split(separator: ",", omittingEmptySubsequences: false)
            try #require(cells.count == names.count, "\(text)")
            self.text = text
            fields = Dictionary(
                zip(names, cells.map(String.init)), uniquingKeysWith: { first, _ in first })
        }

        func field(_ name: String) throws -> String { try #require(fields[name], "\(name)") }

        func number(_ name: String) throws -> Double { try #require(Double(try field(name))) }

        /// Numbers joined by `|`.
        func numbers(_ name: String) throws -> [Double] {
            try field(name).split(separator: "|").map { try #require(Double($0)) }
        }

        func whole(_ name: String) throws -> Int { try #require(Int(try field(name))) }
    }

    let rows: [Row]

    init(_ name: String) throws {
        let url = try #require(
            Bundle.module.url(forResource: name, withExtension: "csv", subdirectory: "SciPy"))
        let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
        let names = try #require(lines.first).split(separator: ",").map(String.init)
        rows = try lines.dropFirst().map { try Row(String($0), names: names) }
    }

    /// Whether a number differs from the expected one by more than 1e-9 of it, so that a rate of
    /// one in a million has nine correct digits, too; by more than 1e-300 where 0, or a number
    /// below the range of doubles, is expected.
    static func differs(_ found: Double?, _ expected: Double) -> Bool {
        guard let found else { return true }
        return !(abs(found - expected) <= max(1e-300, 1e-9 * abs(expected)))
    }

    /// Expects that no value of a table differs, and names the rows in which one does.
    static func compare(
        _ name: String, rows least: Int, _ compare: (SciPyTable.Row) throws -> [(Double?, Double)]
    ) throws {
        let table = try SciPyTable(name)
        try #require(table.rows.count >= least, "the table was cut short")
        for row in table.rows {
            let wrong = try compare(row).filter { differs($0.0, $0.1) }
            #expect(wrong.isEmpty, "\(row.text): \(wrong)")
        }
    }
}
