import RigModel
import RigReport
import Testing

@Suite struct TerminalTableTests {
    @Test func columnsAreAligned() {
        let text = """
            policy    iterations  violations  inconclusive  loss %  documented %  lost median\
              lost p95  lost max     bound  refetched  recovery median
            512KB            100           1             1    5.00           3-5     256.0 KB\
              488.3 KB  512.0 KB  512.0 KB   572.2 MB          12.3 ms
            disabled           0           0             0       -             -            -\
                     -         -         -        0 B                -

            gate FAILS    violations == 0: is 1, limit 0, n 99
            gate holds    loss_percent <= 10 [512KB]: is 5.000 %, limit 10.000 %, n 99,\
             95 % interval 4.500 % to unbounded
            gate unknown  disabled:loss_percent >= 97: not known, limit 97.000 %, n 0

            gate failed: violations == 0: is 1, limit 0, n 99
            fail (exit 99)

            """
        #expect(TerminalTable.text(makeSummary(), color: false) == text)
    }

    @Test func coloursChangeNothingButColours() {
        let plain = TerminalTable.text(makeSummary(), color: false)
        let colored = TerminalTable.text(makeSummary(), color: true)
        #expect(!plain.contains("\u{1B}"))
        #expect(colored.contains("\u{1B}[31mfail (exit 99)\u{1B}[0m"))
        #expect(colored.contains("gate \u{1B}[32mholds\u{1B}[0m    loss_percent"))
        #expect(colored.replacing(/\u{1B}\[[0-9]+m/, with: "") == plain)
        #expect(
            TerminalTable.text(makeSummary(status: .success), color: true)
                .contains("\u{1B}[32mpass (exit 0)"))
    }

    @Test(arguments: hostileTexts)
    func textFromOutsideCannotSteerTheTerminal(text: String) {
        var summary = makeSummary()
        summary.sentences = [text]
        let lines = TerminalTable.text(summary, color: false)
            .split(separator: "\n", omittingEmptySubsequences: false)
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 32 })
        #expect(lines.count == 11)
    }
}
