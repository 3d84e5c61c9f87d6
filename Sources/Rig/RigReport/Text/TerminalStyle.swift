/// ANSI colours, or none.
struct TerminalStyle {
    let isOn: Bool

    enum Ink: String {
        case bold = "1"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    func paint(_ text: String, _ ink: Ink) -> String {
        isOn ? "\u{1B}[\(ink.rawValue)m\(text)\u{1B}[0m" : text
    }
}
