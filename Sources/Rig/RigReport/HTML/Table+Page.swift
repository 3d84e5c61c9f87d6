extension Table {
    var fields: Fields {
        Fields([
            "caption": caption,
            "columns": heads.map { head in
                Fields(["title": head.title, "number": head.kind == .number])
            },
            "rows": rows.map { row -> Fields in
                let cells = zip(row, heads).enumerated().map { index, pair in
                    Self.fields(pair.0, isHeader: index == 0, pair.1)
                }
                return Fields(["cells": cells])
            },
        ])
    }

    private static func fields(_ cell: Cell, isHeader: Bool, _ head: Head) -> Fields {
        let text = cell.value.onPage(absent: head.absent)
        return Fields([
            "text": PageText.clipped(text, bytes: head.most), "key": cell.key,
            "keyed": !cell.key.isEmpty, "link": cell.link, "linked": !cell.link.isEmpty,
            "code": head.isCode, "header": isHeader, "column": head.title,
            "number": head.kind == .number, "prose": head.kind == .prose,
            "toned": cell.tone != nil, "tone": cell.tone?.rawValue ?? "",
            "mark": cell.tone?.mark ?? "",
        ])
    }
}
