import RigModel
import Testing

/// Which states of the disk are tried after a modelled power cut, as users name it (T11).
@Suite struct CrashModelTests {
    @Test(arguments: [
        ("1", StateChoice.drawn(1)), ("10", .drawn(10)),
        ("sweep", .sweep(most: StateChoice.usualSweep)), ("sweep:70", .sweep(most: 70)),
    ])
    func aChoiceIsReadAndWritten(text: String, choice: StateChoice) {
        #expect(StateChoice(text) == choice)
        #expect(choice.text == text)
    }

    @Test(arguments: ["", "all", "sweep:", "sweep:x", "sweep:1:2", "1:2", "5x"])
    func otherTextIsNone(text: String) { #expect(StateChoice(text) == nil) }

    @Test(arguments: [
        (StateChoice.drawn(1), "posix"), (.drawn(10), "posix, 10 states"),
        (.sweep(most: 70), "posix, sweep:70"),
    ])
    func aModelIsToldInWords(choice: StateChoice, words: String) {
        #expect(CrashModel(disk: .posix, states: choice).words == words)
    }
}
