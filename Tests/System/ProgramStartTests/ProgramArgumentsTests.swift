import ProgramStart
import Testing

/// What a program is given, with `/proc` to compare with; the end-to-end tests take that away.
@Suite struct ProgramArgumentsTests {
    @Test func theWordsAreThoseOfTheProcess() {
        #expect(ProgramArguments.given == Array(CommandLine.arguments.dropFirst()))
        // Otherwise there would be nothing to compare: the test program always has some.
        #expect(!ProgramArguments.given.isEmpty)
    }
}
