internal import RigModel

struct JUnitCase: Sendable, Hashable {
    struct Trouble: Sendable, Hashable {
        /// What it is in XML; what is undecided is an error there.
        enum Kind: String { case failure, error, skipped }

        let kind: Kind
        var type: String?
        let message: String
        var details: String?
    }

    let name: String
    let trouble: Trouble?
    var output = ""

    var isTrouble: Bool { trouble.map { $0.kind != .skipped } ?? false }

    fileprivate func tag(of className: String) -> XMLTag {
        var parts: [XMLTag] = []
        if let trouble {
            parts.append(
                XMLTag(
                    trouble.kind.rawValue, [("type", trouble.type), ("message", trouble.message)],
                    trouble.details.map(XMLTag.Content.text) ?? .tags([])))
        }
        if !output.isEmpty {
            // Jenkins and GitLab publish the file named by `[[ATTACHMENT|path]]`, so a worker's
            // message must not contain one.
            let text = output.replacing("[[", with: "[ [")
            parts.append(XMLTag("system-out", [], .text(text)))
        }
        return XMLTag("testcase", [("classname", className), ("name", name)], .tags(parts))
    }
}

struct JUnitSuite: Sendable, Hashable {
    let name: String
    let className: String
    let cases: [JUnitCase]

    func count(_ kind: JUnitCase.Trouble.Kind) -> Int { cases.count { $0.trouble?.kind == kind } }

    func tag(facts: [(String, String?)], properties: [(String, String?)]) -> XMLTag {
        let list = properties.compactMap { name, value in
            value.map { XMLTag("property", [("name", name), ("value", $0)]) }
        }
        return XMLTag(
            "testsuite",
            [
                ("name", name), ("tests", "\(cases.count)"), ("failures", "\(count(.failure))"),
                ("errors", "\(count(.error))"), ("skipped", "\(count(.skipped))"),
            ] + facts,
            .tags([XMLTag("properties", [], .tags(list))] + cases.map { $0.tag(of: className) }))
    }
}
