import RigModel
import RigReport
import Testing

@Suite struct CSVTests {
    /// ESC and NUL of a worker's last words stood in `iterations.csv` as they were: other readers
    /// stopped at the NUL, and a terminal obeyed the ESC.
    @Test(arguments: [
        ("\u{1B}[31m]]>\u{0}<&", "\u{FFFD}[31m]]>\u{FFFD}<&"),
        ("a\u{B}b\u{C}c", "a\u{FFFD}b\u{FFFD}c"),
        ("\u{7F}\u{9B}2J", "\u{FFFD}\u{FFFD}2J"), ("\u{8}\u{7}", "\u{FFFD}\u{FFFD}"),
        ("\u{FFFE}", "\u{FFFD}"), ("tab\there", "tab\there"), ("two\nlines\r", "\"two\nlines\r\""),
        ("ünïcödé 🎬", "ünïcödé 🎬"),
    ])
    func controlCharactersAreWrittenAsInJUnit(text: String, field: String) {
        #expect(CSVWriter.line([text]) == field + "\n")
    }

    @Test(arguments: [
        (["a", "b"], "a,b\n"), (["a,b", ""], "\"a,b\",\n"), (["\""], "\"\"\"\"\n"),
        (["a\nb"], "\"a\nb\"\n"), (["crlf\r\n"], "\"crlf\r\n\"\n"), ([" a "], " a \n"),
    ])
    func quotesOnlyWhereItMust(record: [String], line: String) {
        #expect(CSVWriter.line(record) == line)
    }

    @Test func linesAreCountedAsAnEditorCountsThem() throws {
        let records = try CSVReader.read("a\n\"b\nc\nd\",x\r\ne\n".utf8).records
        #expect(records.map(\.line) == [1, 2, 5])
        #expect(records.map(\.fields) == [["a"], ["b\nc\nd", "x"], ["e"]])
    }

    @Test(arguments: [
        ("a,b\nc,", 2), ("a,b\nc,\"op", 2), ("a,b\nc,\"say \"", 2), ("a,b\nc\r", 2), ("a", 1),
        ("a\n\"b\nc\"\nd", 4), ("a\n\"", 2),
    ])
    func aLastLineWithoutAnEndIsTorn(text: String, line: Int) throws {
        let contents = try CSVReader.read(text.utf8)
        #expect(contents.tornLine == line)
        #expect(contents.records.allSatisfy { $0.line < line })
    }

    @Test func aTornLineMayEndInsideACharacter() throws {
        let contents = try CSVReader.read(Array("a\n".utf8) + [0xF0, 0x9F])
        #expect(contents.records.count == 1)
        #expect(contents.tornLine == 2)
    }

    @Test(arguments: [
        ("a\nb\"c\n", 2), ("a\n\"b\"c\n", 2), ("a\n\"b\nc\n", 2), ("a\nb\rc\n", 2),
        ("a\nb,\"c\nd,e\nf,g", 2), ("\"a\" \n", 1),
    ])
    func badQuotingIsDamage(text: String, line: Int) {
        #expect(throws: CSVError.badQuoting(line: line)) { try CSVReader.read(text.utf8) }
    }

    @Test func bytesThatAreNoTextAreDamage() {
        #expect(throws: CSVError.notUTF8(line: 2)) {
            try CSVReader.read(Array("a\n".utf8) + [0xFF, 0x0A])
        }
    }
}
