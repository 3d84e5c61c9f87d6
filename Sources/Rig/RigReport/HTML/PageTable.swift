import RigModel

/// A table of the page, with a caption and a header for every column and row.
struct PageTable {
    /// A column's title and kind.
    struct Column {
        /// How a column's cells are laid out.
        enum Kind { case word, number, prose }

        let title: String
        let kind: Kind

        /// A column of words, which do not wrap.
        static func text(_ title: String) -> Column { Column(title: title, kind: .word) }
        /// A column of numbers, aligned right.
        static func number(_ title: String) -> Column { Column(title: title, kind: .number) }
        /// A column of sentences, which wrap.
        static func prose(_ title: String) -> Column { Column(title: title, kind: .prose) }
    }

    /// A cell of a table.
    struct Cell {
        var text: String
        /// The sort key; empty to sort by the text, `-` when there is no value.
        var key = ""
        /// The link target on the page; empty for none.
        var link = ""
        var isCode = false
        /// The rating of the text, also shown by a shape and a colour; nil for a text without a
        /// rating.
        var tone: Tone?

        init(_ text: String, _ tone: Tone? = nil) {
            self.text = text
            self.tone = tone
        }

        init(_ text: String, key: Double?) {
            self.text = text
            self.key = key.map { FixedPoint.text($0, decimals: 6) } ?? "-"
        }

        static func code(_ text: String) -> Cell {
            var cell = Cell(text)
            cell.isCode = true
            return cell
        }
    }

    let caption: String
    let columns: [Column]
    /// The rows, each with one cell per column; the first cell is the row's header.
    let rows: [[Cell]]

    init(_ caption: String, _ columns: [Column], _ rows: [[Cell]]) {
        self.caption = caption
        self.columns = columns
        self.rows = rows
    }

    init(_ caption: String, _ columns: [Column], texts: [[String]]) {
        self.init(caption, columns, texts.map { $0.map { Cell($0) } })
    }

    /// The fields of the template `table`.
    var fields: Fields {
        Fields([
            "caption": .text(caption),
            "columns": .list(
                columns.map {
                    Fields(["title": .text($0.title), "number": .flag($0.kind == .number)])
                }),
            "rows": .list(
                rows.map { cells in
                    Fields([
                        "cells": .list(
                            zip(cells, columns).enumerated().map { index, pair in
                                Self.fields(pair.0, isHeader: index == 0, pair.1)
                            })
                    ])
                }),
        ])
    }

    private static func fields(_ cell: Cell, isHeader: Bool, _ column: Column) -> Fields {
        Fields([
            "text": .text(cell.text), "key": .text(cell.key), "keyed": .flag(!cell.key.isEmpty),
            "link": .text(cell.link), "linked": .flag(!cell.link.isEmpty),
            "code": .flag(cell.isCode), "header": .flag(isHeader), "column": .text(column.title),
            "number": .flag(column.kind == .number), "prose": .flag(column.kind == .prose),
            "toned": .flag(cell.tone != nil), "tone": .text(cell.tone?.rawValue ?? ""),
            "mark": .text(cell.tone?.mark ?? ""),
        ])
    }
}

/// A rating, shown by a colour and a shape.
enum Tone: String {
    case good, bad, open

    var mark: String {
        switch self {
        case .good: "✓"
        case .bad: "✕"
        case .open: "?"
        }
    }

    init(_ status: ExitStatus) {
        switch status {
        case .success: self = .good
        case .incomplete, .inconclusive, .interrupted: self = .open
        default: self = .bad
        }
    }

    init(_ verdict: GateVerdict) {
        switch verdict {
        case .holds: self = .good
        case .fails: self = .bad
        case .unknown: self = .open
        }
    }

    init(_ promise: PromiseResult) {
        switch promise.verdict {
        case .holds: self = promise.isPartial ? .open : .good
        case .broken: self = .bad
        case .notJudged, .undecided: self = .open
        }
    }
}

/// Names with values, shown as a definition list.
struct PageFacts {
    private var facts: [Fields] = []

    /// Adds a fact; a missing value is shown as unknown.
    mutating func add(_ name: String, _ value: String?, isCode: Bool = false) {
        let isKnown = value.map { !$0.isEmpty } ?? false
        facts.append(
            Fields([
                "name": .text(name),
                "value": .text(
                    isKnown ? PageText.clipped(value ?? "", bytes: 4000) : Figure.notKnown),
                "code": .flag(isCode && isKnown),
            ]))
    }

    /// The fields of the template `facts`.
    var list: Fields.Value { .list(facts) }
}
