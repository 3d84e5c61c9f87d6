import RigModel
import Testing

/// Which parts of a text are placeholders, and how they are replaced.
struct PlaceholdersTests {
    @Test(arguments: [
        ("{url}", ["url"]), ("a{dir}/b{output}", ["dir", "output"]), ("{{url}}", ["url"]),
        ("{cache-dir}{n1}{a_b}", ["cache-dir", "n1", "a_b"]), ("{}", []), ("{ url }", []),
        ("{1,3}", []), ("{url", []), ("server {\n listen 1;\n}", []), ("${url}%{url}", []),
        ("{\"a\": 1}", []), ("{üml}", []), ("${a}{b}", ["b"]), ("", []),
    ])
    func theNamesInAText(text: String, names: [String]) {
        #expect(Placeholders.names(in: text) == names)
    }

    @Test(arguments: [
        ("{url}", "U"), ("x{dir}/{url}.part", "xD/U.part"), ("{other}{url}", "{other}U"),
        ("${url}", "${url}"), ("{ url }", "{ url }"), ("{{url}}", "{U}"), ("", ""),
    ])
    func eachIsReplacedOnce(text: String, filled: String) {
        #expect(Placeholders.fill(text, with: ["url": "U", "dir": "D"]) == filled)
    }

    @Test func aValueIsNotLookedAtAgain() {
        let filled = Placeholders.fill("{url} {dir}", with: ["url": "{dir}", "dir": "{url}"])
        #expect(filled == "{dir} {url}")
    }
}

/// The text of a bound, as in profiles and stored runs.
struct LossBoundTextTests {
    @Test(arguments: [
        ("threshold", LossBound.threshold), ("0", .bytes(0)), ("4096", .bytes(4096)),
        ("1MB", .bytes(1 << 20)), ("1s", .seconds(1)), ("0.5s", .seconds(0.5)),
    ])
    func aBoundIsReadAndWritten(text: String, bound: LossBound) {
        #expect(LossBound(text) == bound)
        #expect(LossBound(bound.text) == bound)
    }

    @Test(arguments: ["", "s", "-1", "-1s", "infs", "nans", "1h", "Threshold", "4096 bytes"])
    func anythingElseIsNone(text: String) { #expect(LossBound(text) == nil) }
}
