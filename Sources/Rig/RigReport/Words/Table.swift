import RigModel

/// Rows and columns, which each format writes in its own way; for people under other titles.
struct Table {
    /// How a column's cells are laid out: words do not wrap, numbers are aligned right, prose wraps.
    enum Kind { case word, number, prose }

    struct Head {
        let key: String
        var title: String
        let kind: Kind
        var isCode = false
        /// What stands on the page for a value that is not known.
        var absent = Figure.notKnown
        var most = Int.max
        var isShown = true
    }

    struct Column<Row> {
        var head: Head
        let value: (Row) -> JSONValue
        private var tone: (Row) -> Tone? = { _ in nil }
        private var order: ((Row) -> Double?)?

        static func figure(
            _ key: String, _ kind: Kind = .number, _ value: @escaping (Row) -> JSONValue
        ) -> Column { Column(head: Head(key: key, title: key, kind: kind), value: value) }

        static func text(_ key: String, _ text: @escaping (Row) -> String?) -> Column {
            figure(key, .word) { .string(text($0)) }
        }

        static func number(_ key: String, _ text: @escaping (Row) -> String?) -> Column {
            figure(key) { .string(text($0)) }
        }

        static func prose(_ key: String, _ text: @escaping (Row) -> String?) -> Column {
            figure(key, .prose) { .string(text($0)) }
        }

        static func word(_ key: String, _ word: @escaping (Row) -> String) -> Column {
            text(key) { word($0) }
        }

        static func count(_ key: String, _ count: @escaping (Row) -> Int) -> Column {
            figure(key) { .integer(count($0)) }
        }

        /// A count that is bad unless it is 0.
        static func failures(_ key: String, _ value: @escaping (Row) -> Int) -> Column {
            count(key, value).toned { value($0) > 0 ? .bad : nil }
        }

        static func size(_ key: String, _ value: @escaping (Row) -> Int64?) -> Column {
            figure(key) { .size(value($0)) }
        }

        static func bytes(
            _ key: String, _ decimals: Int, _ value: @escaping (Row) -> Double?
        ) -> Column { figure(key) { .bytes(value($0), decimals) } }

        static func decimal(
            _ key: String, _ decimals: Int, _ value: @escaping (Row) -> Double?
        ) -> Column { figure(key) { .decimal(value($0), decimals) } }

        static func percent(_ key: String, _ value: @escaping (Row) -> Double?) -> Column {
            figure(key) { .percent(value($0)) }
        }

        static func rate(_ key: String, _ value: @escaping (Row) -> Double?) -> Column {
            figure(key) { .rate(value($0)) }
        }

        static func seconds(_ key: String, _ value: @escaping (Row) -> Double?) -> Column {
            figure(key) { .seconds(value($0)) }
        }

        func titled(_ title: String) -> Column { with { $0.head.title = title } }
        func absent(_ text: String) -> Column { with { $0.head.absent = text } }
        func clipped(_ bytes: Int) -> Column { with { $0.head.most = bytes } }
        func toned(_ tone: @escaping (Row) -> Tone?) -> Column { with { $0.tone = tone } }
        func when(_ isShown: Bool) -> Column { with { $0.head.isShown = isShown } }
        func ordered(_ order: @escaping (Row) -> Double?) -> Column { with { $0.order = order } }
        var code: Column { with { $0.head.isCode = true } }

        private func with(_ change: (inout Column) -> Void) -> Column {
            var column = self
            change(&column)
            return column
        }

        func member(_ row: Row) -> (String, JSONValue) { (head.key, value(row)) }

        func cell(_ row: Row) -> Cell {
            let key = order.map { $0(row).map { FixedPoint.text($0, decimals: 6) } ?? "-" }
            return Cell(value: value(row), tone: tone(row), key: key ?? "")
        }
    }

    struct Cell {
        let value: JSONValue
        /// The rating of the value, also shown by a shape and a colour; nil without a rating.
        var tone: Tone?
        /// The sort key; empty to sort by the text, `-` when there is no value.
        var key = ""
        var link = ""
    }

    private(set) var caption = ""
    private(set) var heads: [Head]
    /// The rows, each with one cell per column; the first cell is the row's header.
    private(set) var rows: [[Cell]]

    fileprivate init<Row>(of rows: [Row], _ columns: [Column<Row>]) {
        let columns = columns.filter(\.head.isShown)
        heads = columns.map(\.head)
        self.rows = rows.map { row in columns.map { $0.cell(row) } }
    }

    /// A table of texts; the columns after the first `words` hold numbers.
    init(_ caption: String, _ titles: [String], words: Int = 1, texts: [[String]]) {
        self.init(
            of: texts,
            titles.enumerated().map { index, title in
                index < words ? .text(title) { $0[index] } : .number(title) { $0[index] }
            })
        self.caption = caption
    }

    /// Nil for a table without rows.
    var ifAny: Table? { rows.isEmpty ? nil : self }

    func captioned(_ caption: String, absent: String? = nil) -> Table {
        var table = self
        table.caption = caption
        if let absent { for column in heads.indices { table.heads[column].absent = absent } }
        return table
    }

    func linked(_ link: (Int) -> String?) -> Table {
        var table = self
        for row in rows.indices { table.rows[row][0].link = link(row) ?? "" }
        return table
    }

    /// The table with its last column moved, to where a phone shows it without scrolling.
    func movingLast(to place: Int) -> Table {
        func moved<Element>(_ all: [Element]) -> [Element] {
            Array(all.prefix(place) + all.suffix(1) + all.dropFirst(place).dropLast())
        }
        var table = self
        table.heads = moved(heads)
        table.rows = rows.map(moved)
        return table
    }

    var objects: JSONValue {
        .array(rows.map { cells in .object(zip(heads, cells).map { ($0.key, $1.value) }) })
    }
}

extension Array {
    func table(_ columns: [Table.Column<Element>]) -> Table { Table(of: self, columns) }

    func titled<Row>(_ titles: KeyValuePairs<String, String>) -> Self
    where Element == Table.Column<Row> {
        titles.compactMap { key, title in first { $0.head.key == key }?.titled(title) }
    }
}
