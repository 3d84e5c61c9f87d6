import Mustache

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
    /// The contents of a field.
    enum Value: Sendable {
        case text(String)
        case flag(Bool)
        case one(Fields)
        case list([Fields])
    }

    private var values: [String: Value]

    init(_ values: [String: Value]) { self.values = values }

    func child(named name: String) -> Any? {
        switch values[name] {
        case .text(let text): text
        case .flag(let flag): flag
        case .one(let fields): fields
        case .list(let list): list
        case nil: nil
        }
    }
}
