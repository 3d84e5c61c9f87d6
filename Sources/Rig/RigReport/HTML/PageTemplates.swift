import Mustache
import RigModel

/// The page's templates, its style sheet and its script, compiled into the rig.
enum PageTemplates {
    static let texts: [(name: String, bytes: [UInt8])] = [
        ("report", PackageResources.report_mustache),
        ("comparison", PackageResources.comparison_mustache),
        ("documented", PackageResources.documented_mustache),
        ("history", PackageResources.history_mustache),
        ("audit", PackageResources.audit_mustache),
        ("head", PackageResources.head_mustache),
        ("verdict", PackageResources.verdict_mustache),
        ("policy", PackageResources.policy_mustache),
        ("plot", PackageResources.plot_mustache),
        ("table", PackageResources.table_mustache),
        ("failures", PackageResources.failures_mustache),
        ("facts", PackageResources.facts_mustache),
        ("style", PackageResources.style_css),
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

/// The fields of a template, by name.
///
/// Mustache looks up a missing field in the outer context, so every field that the template uses
/// must be given, even if empty.
struct Fields: MustacheParent, Sendable {
    /// Texts, flags, fields, and lists of fields.
    private let values: [String: any Sendable]

    init(_ values: [String: any Sendable]) { self.values = values }

    /// The fields of a page that begins with a verdict.
    init(_ values: [String: any Sendable], verdict status: ExitStatus) {
        let tone = Tone(status)
        let verdict: [String: any Sendable] = [
            "tone": tone.rawValue, "mark": tone.mark, "word": StatusText.word(status),
            "code": "\(status.rawValue)",
        ]
        self.values = values.merging(verdict) { own, _ in own }
    }

    func child(named name: String) -> Any? { values[name].map { $0 as Any } }

    /// A table, if there is one.
    static func each(_ table: Table?) -> [Fields] { table.map { [$0.fields] } ?? [] }

    static func notes(_ texts: [String]) -> [Fields] {
        texts.map { Fields(["note": PageText.clipped($0, bytes: 1000)]) }
    }
}
