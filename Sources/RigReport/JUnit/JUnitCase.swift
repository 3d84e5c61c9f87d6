internal import RigModel

/// A test case of `junit.xml`.
struct JUnitCase: Sendable, Hashable {
    /// What became of it.
    enum Outcome: Sendable, Hashable {
        case passed
        /// It was found to be wrong; a type, one line, and more of it.
        case failed(type: String, message: String, details: String)
        /// It could not be found out.
        case undecided(type: String, message: String, details: String)
        /// It says nothing, and why.
        case skipped(message: String)
    }

    /// What it is called, the same in every run.
    let name: String
    /// How long it took, in seconds; nil where that is not known.
    var seconds: Double?
    let outcome: Outcome
    /// What else there is to know; empty for nothing.
    var output = ""

    /// True where it stands in the way of a pass.
    var isTrouble: Bool {
        switch outcome {
        case .passed, .skipped: false
        case .failed, .undecided: true
        }
    }
}

/// A test suite of `junit.xml`.
struct JUnitSuite: Sendable, Hashable {
    /// Its name, for people.
    let name: String
    /// The class that its cases belong to, the same in every run.
    let className: String
    let cases: [JUnitCase]

    /// The cases that came to one kind of end.
    func count(_ isCounted: (JUnitCase.Outcome) -> Bool) -> Int {
        cases.count { isCounted($0.outcome) }
    }

    /// The element.
    ///
    /// - Parameters:
    ///   - facts: when and where the run was.
    ///   - properties: what the run was, by name.
    /// - Returns: the suite with its cases.
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

    /// Cases that were found to be wrong.
    var failures: Int { count { if case .failed = $0 { true } else { false } } }

    /// Cases of which it could not be found out.
    var errors: Int { count { if case .undecided = $0 { true } else { false } } }

    /// Cases that say nothing.
    var skipped: Int { count { if case .skipped = $0 { true } else { false } } }
}

extension JUnitCase {
    fileprivate func tag(of className: String) -> XMLTag {
        var parts: [XMLTag] = []
        switch outcome {
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
            [
                ("classname", className), ("name", name),
                ("time", seconds.map { FixedPoint.text($0, decimals: 3) }),
            ], .tags(parts))
    }

    /// Jenkins and GitLab publish the file that `[[ATTACHMENT|path]]` names: no worker's message may
    /// choose one.
    private static func withoutAttachments(_ text: String) -> String {
        text.replacing("[[", with: "[ [")
    }
}
