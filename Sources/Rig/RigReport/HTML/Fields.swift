import Mustache
import RigModel

enum PageTemplates {
    static let texts: [(name: String, bytes: [UInt8])] = [
        ("report", PackageResources.report_mustache),
        ("comparison", PackageResources.comparison_mustache),
        ("documented", PackageResources.documented_mustache),
        ("history", PackageResources.history_mustache), ("audit", PackageResources.audit_mustache),
        ("head", PackageResources.head_mustache), ("verdict", PackageResources.verdict_mustache),
        ("policy", PackageResources.policy_mustache), ("plot", PackageResources.plot_mustache),
        ("table", PackageResources.table_mustache),
        ("failures", PackageResources.failures_mustache),
        ("facts", PackageResources.facts_mustache), ("style", PackageResources.style_css),
        ("script", PackageResources.script_js),
    ]

    private static let library: MustacheLibrary = {
        MustacheContentTypes.register(PageText(), named: PageText.name)
        do {
            return try MustacheLibrary(
                templates: texts.reduce(into: [:]) { templates, text in
                    templates[text.name] = try MustacheTemplate(
                        string: String(decoding: text.bytes, as: UTF8.self))
                })
        } catch {
            preconditionFailure("a template of the page cannot be read: \(error)")
        }
    }()

    static func render(_ value: some MustacheParent, with template: String) -> String {
        library.render(value, withTemplate: template) ?? ""
    }
}

/// Every field that a template uses: Mustache looks up a missing one in the outer context.
struct Fields: MustacheParent, Sendable {
    private let values: [String: any Sendable]

    init(_ values: [String: any Sendable]) { self.values = values }

    /// The fields of a page that begins with a verdict.
    init(_ values: [String: any Sendable], verdict status: ExitStatus) {
        let tone = status.shown.tone
        let verdict: [String: any Sendable] = [
            "tone": tone.rawValue, "mark": tone.mark, "word": status.shown.word,
            "code": "\(status.rawValue)",
        ]
        self.values = values.merging(verdict) { own, _ in own }
    }

    func child(named name: String) -> Any? { values[name].map { $0 as Any } }

    static func each(_ table: Table?) -> [Fields] { table.map { [$0.fields] } ?? [] }

    static func notes(_ texts: [String]) -> [Fields] {
        texts.map { Fields(["note": PageText.clipped($0, bytes: 1000)]) }
    }
}

struct PageFacts {
    private(set) var list: [Fields] = []

    mutating func add(_ name: String, _ value: String?, isCode: Bool = false) {
        let known = value.flatMap { $0.isEmpty ? nil : PageText.clipped($0, bytes: 4000) }
        list.append(
            Fields([
                "name": name, "value": known ?? Figure.notKnown, "code": isCode && known != nil,
            ]))
    }

    mutating func add(_ name: String, each values: [String: String]?, by separator: String = "=") {
        for (key, value) in (values ?? [:]).sorted(by: { $0.key < $1.key }) {
            add(name, "\(key)\(separator)\(value)", isCode: true)
        }
    }
}

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
