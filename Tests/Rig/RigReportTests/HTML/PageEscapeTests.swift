import Foundation
import RigReport
import TestSupport
import Testing

@testable import RigModel

@Suite struct PageEscapeTests {
    static let texts = [
        "</script><img src=x onerror=alert(1)>", "</style><script>alert(1)</script>",
        "\" onmouseover=\"alert(1)", "' autofocus onfocus='alert(1)", "&lt;b&gt;", "{{title}}",
        "{{{title}}}", "<!--", "]]>", "</title></textarea></pre><svg onload=alert(1)>",
        // Mustache sees a character with a combining mark as another character; a browser does not.
        "<\u{301}img src=x onerror=alert(1)>", "\"\u{301} onmouseover=alert(1) x=\"\u{200D}",
        "'\u{FE0F}><script\u{301}>alert(1)", "&\u{20DD}lt;",
        "\u{0}\u{1B}[31m\u{7F}\u{9B}", "\u{202E}txt.exe\u{2066}",
    ]

    private static func page(_ text: String) -> String {
        let rows = HostileTextTests.rows(text)
        let manifest = makeRunManifest(
            worker: text,
            profile: WorkerProfile(name: text, about: "it fetches", command: [text, "{url}"]),
            command: ["rig", text], environment: [text: text])
        return ReportPage.text(
            makeRun(
                rows, summary: HostileTextTests.summary(text, promise: text), manifest: manifest,
                details: [RowIdentity(rows[0]): .init(workerLog: text, resumption: nil)],
                folder: text))
    }

    @Test(arguments: texts) func itAddsNoTagAndNoAttribute(text: String) {
        let hostile = ReadPage(Self.page(text))
        let usual = ReadPage(Self.page("harmless"))
        #expect(Self.shape(hostile) == Self.shape(usual))
    }

    static func shape(_ page: ReadPage) -> [String] {
        page.tags.map { tag in
            // Splits by scalars, as a browser does; text in quotes is a value.
            tag.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
                .enumerated().compactMap { $0.isMultiple(of: 2) ? String($1) : nil }
                .joined(separator: "=")
        }
    }

    @Test(arguments: texts) func nothingUnseenIsLeft(text: String) {
        let unseen = Self.page(text).unicodeScalars.filter { scalar in
            scalar != "\n" && scalar.properties.generalCategory == .control
                || scalar.properties.isBidiControl
        }
        #expect(unseen.isEmpty)
    }

    /// Shows that the check above detects unescaped text.
    @Test func aTextThatGetsThroughIsSeen() {
        let page = ReadPage("<p title=\"\" onmouseover=\"alert(1)\">")
        #expect(page.tags == ["p title=\"\" onmouseover=\"alert(1)\""])
        let usual = ReadPage(Self.page("harmless"))
        #expect(ReadPage(usual.text + "<img src=x>").tags != usual.tags)
    }

    /// Mustache's own escaping works on grapheme clusters; the check must detect it.
    @Test func escapingCharactersInsteadOfScalarsIsCaught() {
        let text = "\"\u{301} onmouseover=alert(1) x=\"\u{200D}"
        let signs: [Character: String] = ["\"": "&quot;", "<": "&lt;", ">": "&gt;", "&": "&amp;"]
        let escaped = text.map { signs[$0] ?? String($0) }.joined()
        #expect(Self.shape(ReadPage("<p title=\"\(escaped)\">")) != ["p title=="])
        #expect(Self.shape(ReadPage("<p title=\"harmless\">")) == ["p title=="])
    }

    @Test func whatWasReplacedCanStillBeRead() {
        let text = Self.page("a\u{1B}[31m\u{202E}b & <c> \"d\" 'e'")
        #expect(text.contains("a␛[31m[U+202E]b &amp; &lt;c&gt; &quot;d&quot; &#39;e&#39;"))
    }

    @Test func bytesThatAreNoTextAreReplaced() {
        let log = String(decoding: [0x61, 0xFF, 0xC3, 0x28], as: UTF8.self)
        let row = makeFailedRow()
        let text = ReportPage.text(
            makeRun([row], details: [RowIdentity(row): .init(workerLog: log, resumption: nil)]))
        #expect(text.contains("<pre tabindex=\"0\">a\u{FFFD}\u{FFFD}(</pre>"))
    }

    @Test func noTemplateShowsAnythingUnescaped() throws {
        let folder = Checkout.root.appendingPathComponent("Sources/Rig/RigReport/HTML/page")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let templates = files.filter { $0.hasSuffix(".mustache") }
        #expect(templates.count >= 7)
        for name in files {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            #expect(!text.contains("{{{") && !text.contains("{{&"), "\(name)")
            // A partial uses Mustache's own escaping unless it sets the content type itself.
            #expect(
                text.hasPrefix("{{% CONTENT_TYPE: PAGE}}\n") == name.hasSuffix(".mustache"),
                "\(name)")
            if !name.hasSuffix(".mustache") { #expect(!text.contains("{{"), "\(name)") }
        }
    }
}
