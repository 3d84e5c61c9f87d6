import RigModel
import RigProfiles
import Testing

/// A profile that is invalid, where the error is, and a word that the message must contain.
struct BadProfile: CustomTestStringConvertible {
    let text: String
    let place: String
    let word: String

    var testDescription: String { "\(place) \(word)" }

    init(_ place: String, _ word: String, _ text: String) {
        (self.text, self.place, self.word) = (text, place, word)
    }

    /// A valid profile followed by one invalid line.
    static func line(_ column: Int, _ word: String, _ line: String) -> BadProfile {
        BadProfile("3:\(column)", word, "name: a\ncommand: [a, \"{url}\"]\n\(line)\n")
    }
}

@Suite("A profile that is wrong is refused with line and column")
struct ProfileErrorTests {
    private func check(_ bad: BadProfile) {
        let error = #expect(throws: RigError.self) { try Workers.read(bad.text, name: "my.yml") }
        #expect(error?.status == .usage)
        let message = error?.message ?? ""
        #expect(message.hasPrefix("my.yml:\(bad.place): "), "\(message)")
        #expect(message.contains(bad.word), "\(message)")
        #expect(!message.contains("\n"), "\(message)")
    }

    @Test(
        "as a whole",
        arguments: [
            BadProfile("1:1", "it is empty", ""),
            BadProfile("1:1", "has to be a mapping", "- a\n"),
            BadProfile("1:1", "'name' is missing", "command: [a, \"{url}\"]\n"),
            BadProfile("1:1", "'command' is missing", "name: a\n"),
            BadProfile("2:1", "no key 'comand'", "name: a\ncomand: [a, \"{url}\"]\n"),
            BadProfile(
                "1:1", "'name' is there more than once", "name: a\nname: b\ncommand: [a, \"{url}\"]"
            ),
            BadProfile("2:14", "mend the YAML", "name: a\ncommand: [a, }\n"),
            BadProfile("3:1", "mend the YAML", "name: a\ncommand:\n\t- a\n"),
            BadProfile("2:1", "nothing names the video", "name: a\ncommand: [a, \"{output}\"]\n"),
            BadProfile("1:7", "'a b' is no name", "name: a b\ncommand: [a, \"{url}\"]\n"),
            BadProfile("1:6", "has no value", "name:\ncommand: [a, \"{url}\"]\n"),
        ])
    func whole(_ bad: BadProfile) { check(bad) }

    @Test(
        "in a command",
        arguments: [
            BadProfile("2:10", "has to be a list", "name: a\ncommand: a {url}\n"),
            BadProfile("2:10", "'command' is empty", "name: a\ncommand: []\n"),
            BadProfile("2:14", "put it in quotes", "name: a\ncommand: [a, {url}]\n"),
            BadProfile("2:15", "no placeholder {ulr}", "name: a\ncommand: [a, \"{ulr}\"]\n"),
            BadProfile("2:21", "no placeholder {Dir}", "name: a\ncommand: [a, -o, \"a={Dir}\"]\n"),
            BadProfile(
                "4:11", "no placeholder {dri}",
                "name: a\ncommand:\n  - a\n  - 'ü-b,c{dri}'\n  - \"{url}\"\n"),
            BadProfile(
                "2:15", "only a profile with a 'server'", "name: a\ncommand: [a, \"{port}\"]"),
            BadProfile(
                "2:11", "without placeholders", "name: a\ncommand: [\"{dir}/a\", \"{url}\"]"),
            BadProfile("4:4", "has no value", "name: a\ncommand:\n  - a\n  -\n  - \"{url}\"\n"),
        ])
    func command(_ bad: BadProfile) { check(bad) }

    @Test(
        "in what a kill may cost",
        arguments: [
            BadProfile.line(9, "no fault 'sigkil'", "bound: {sigkil: 4096}"),
            .line(18, "'many' is no bound", "bound: {sigkill: many}"),
            .line(18, "'-1' is no bound", "bound: {sigkill: -1}"),
            .line(18, "'1h' is no bound", "bound: {sigkill: 1h}"),
            .line(8, "has to be a mapping", "bound: 4096"),
            .line(18, "has to be a text", "bound: {sigkill: [1]}"),
            .line(1, "no command has {threshold}", "bound: {sigkill: threshold}"),
            .line(1, "a source without a bound", "bound_source: nowhere"),
            .line(10, "write true", "witness: maybe"),
            .line(14, "write true", "revalidates: maybe"),
            .line(12, "begin with /", "writable: [cache]"),
        ])
    func promises(_ bad: BadProfile) { check(bad) }

    @Test(
        "in what the worker needs",
        arguments: [
            BadProfile.line(8, "has to be a list", "needs: curl"),
            .line(1, "only 'inspect' shows", "export: []"),
            .line(9, "lies elsewhere", "files: {a.conf: text}"),
            .line(23, "no placeholder {prot}", "files: {\"{dir}/a\": \"x {prot}\"}"),
            .line(19, "no placeholder {hme}", "environment: {A: \"{hme}\"}"),
            .line(7, "no placeholder {output}", "cwd: \"{output}\""),
            .line(12, "put it in quotes", "completed: {outptu}"),
            .line(13, "no placeholder {outptu}", "completed: \"{outptu}\""),
            .line(9, "'ready' is missing", "server: {command: [s]}"),
            .line(31, "write port", "server: {command: [s], ready: \"yes\"}"),
            .line(1, "not told its port", "server: {command: [s], ready: port}"),
            .line(24, "no key 'redy'", "server: {command: [s], redy: port}"),
            .line(1, "not told its port", "source: {command: [s], ready: port}"),
            .line(22, "only a profile with a 'source'", "environment: {A: \"in {source}\"}"),
            BadProfile(
                "4:1", "leave out one of them",
                "name: a\ncommand: [a, \"{url}\"]\nserver: {command: [s, \"{port}\"], ready: port}\n"
                    + "source: {command: [s, \"{port}\"], ready: port}\n"),
        ])
    func needs(_ bad: BadProfile) { check(bad) }

    @Test(
        "in how its state is read",
        arguments: [
            BadProfile.line(10, "give one of the two", "inspect: {chunks: A}"),
            .line(10, "give one of the two", "inspect: {file: a, database: b}"),
            .line(10, "'chunks' is missing", "inspect: {database: b}"),
            .line(24, "'length' does not go with", "inspect: {database: b, length: size}"),
            .line(21, "is not in the worker's folder", "inspect: {database: /b, chunks: A}"),
            .line(22, "no placeholder {x}", "inspect: {database: \"{x}\", chunks: A}"),
            .line(28, "'query' is missing", "inspect: {file: b, length: {database: a}}"),
            .line(11, "no key 'fil'", "inspect: {fil: b}"),
        ])
    func inspect(_ bad: BadProfile) { check(bad) }

    @Test(
        "in its own placeholders, proxy, library and bugs",
        arguments: [
            BadProfile.line(12, "is the rig's own", "settings: {url: [\"{url}\"]}"),
            .line(12, "is no word", "settings: {a b: [\"{a b}\"]}"),
            .line(12, "leave out its value", "settings: {x: [-x]}"),
            .line(19, "no placeholder {y}", "settings: {x: [\"-x{y}\"]}"),
            .line(1, "nothing has {x}", "settings: {x: 1}"),
            .line(13, "no placeholder {feed}", "proxy: [p, \"{feed}\"]"),
            .line(10, "'refresh_forever' is missing", "library: {list: A}"),
            .line(15, "has to be a mapping", "planted_bugs: x"),
            .line(15, "'variable' is missing", "planted_bugs: {bugs: [{name: x}]}"),
            .line(15, "'bugs' is missing", "planted_bugs: {variable: V}"),
            .line(35, "has to be a list", "planted_bugs: {variable: V, bugs: x}"),
            .line(36, "'checkers' is missing", "planted_bugs: {variable: V, bugs: [{name: x}]}"),
            .line(
                48, "no checker 'boud'", "planted_bugs: {variable: V, bugs: [{checkers: [boud]}]}"),
            BadProfile(
                "3:15", "the arguments of a setting follow",
                "name: a\nsettings: {x: [-x, \"{x}\"]}\ncommand: [a, \"{x}{url}\"]"),
        ])
    func parts(_ bad: BadProfile) { check(bad) }
}
