extension Table {
    /// The fields of the template `table`.
    var fields: Fields {
        Fields([
            "caption": .text(caption),
            "columns": .list(
                heads.map {
                    Fields(["title": .text($0.title), "number": .flag($0.kind == .number)])
                }),
            "rows": .list(
                rows.map { cells in
                    Fields([
                        "cells": .list(
                            zip(cells, heads).enumerated().map { index, pair in
                                Self.fields(pair.0, isHeader: index == 0, pair.1)
                            })
                    ])
                }),
        ])
    }

    private static func fields(_ cell: Cell, isHeader: Bool, _ head: Head) -> Fields {
        let text = PageText.clipped(cell.value.onPage(absent: head.absent), bytes: head.most)
        return Fields([
            "text": .text(text), "key": .text(cell.key), "keyed": .flag(!cell.key.isEmpty),
            "link": .text(cell.link), "linked": .flag(!cell.link.isEmpty),
            "code": .flag(head.isCode), "header": .flag(isHeader), "column": .text(head.title),
            "number": .flag(head.kind == .number), "prose": .flag(head.kind == .prose),
            "toned": .flag(cell.tone != nil), "tone": .text(cell.tone?.rawValue ?? ""),
            "mark": .text(cell.tone?.mark ?? ""),
        ])
    }
}
