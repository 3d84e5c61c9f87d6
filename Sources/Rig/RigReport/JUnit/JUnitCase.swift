internal import RigModel

struct JUnitCase: Sendable, Hashable {
    enum Status: Sendable, Hashable {
        case passed
        /// It failed; a type, one line, and details.
        case failed(type: String, message: String, details: String)
        case undecided(type: String, message: String, details: String)
        /// It shows nothing; the message says why.
        case skipped(message: String)
    }

    /// The case's name, the same in every run.
    let name: String
    let status: Status
    /// Further information; empty for none.
    var output = ""

    /// True when it prevents a pass.
    var isTrouble: Bool {
        switch status {
        case .passed, .skipped: false
        case .failed, .undecided: true
        }
    }
}

struct JUnitSuite: Sendable, Hashable {
    /// The suite's name for readers.
    let name: String
    /// The class of its cases, the same in every run.
    let className: String
    let cases: [JUnitCase]

    func count(_ isCounted: (JUnitCase.Status) -> Bool) -> Int {
        cases.count { isCounted($0.status) }
    }

    /// The suite's XML element, with the time and host of the run.
    func tag(facts: [(String, String?)], properties: [(String, String)]) -> XMLTag {
        let list = properties.map { XMLTag("property", [("name", $0.0), ("value", $0.1)]) }
        return XMLTag(
            "testsuite",
            [
                ("name", name), ("tests", "\(cases.count)"), ("failures", "\(failures)"),
                ("errors", "\(errors)"), ("skipped", "\(skipped)"),
            ] + facts,
            .tags([XMLTag("properties", [], .tags(list))] + cases.map { $0.tag(of: className) }))
    }

    var failures: Int { count { if case .failed = $0 { true } else { false } } }

    /// The number of undecided cases.
    var errors: Int { count { if case .undecided = $0 { true } else { false } } }

    var skipped: Int { count { if case .skipped = $0 { true } else { false } } }
}

extension JUnitCase {
    fileprivate func tag(of className: String) -> XMLTag {
        var parts: [XMLTag] = []
        switch status {
        case .passed: break
        case .failed(let type, let message, let details):
            parts.append(
                XMLTag("failure", [("type", type), ("message", message)], .text(details)))
        case .undecided(let type, let message, let details):
            parts.append(XMLTag("error", [("type", type), ("message", message)], .text(details)))
        case .skipped(let message):
            parts.append(XMLTag("skipped", [("message", message)]))
        }
        if !output.isEmpty {
            parts.append(XMLTag("system-out", [], .text(Self.withoutAttachments(output))))
        }
        return XMLTag(
            "testcase",
            [("classname", className), ("name", name)], .tags(parts))
    }

    /// Jenkins and GitLab publish the file named by `[[ATTACHMENT|path]]`, so a worker's message
    /// must not contain one.
    private static func withoutAttachments(_ text: String) -> String {
        text.replacing("[[", with: "[ [")
    }
}
