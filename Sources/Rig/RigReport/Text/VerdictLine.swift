struct VerdictLine {
    /// The columns of a terminal that the conclusion fits in, unless a single word is longer.
    static let width = 80
    private static let labelWidth = 16
    private static let valueWidth = 17

    let label: String
    let value: String
    let note: String

    init(_ label: String, _ value: String, _ note: String = "") {
        (self.label, self.value, self.note) = (label, value, note)
    }

    init(_ label: String, _ value: String, option: String) {
        self.init(label, value + Self.unbroken(" → \(option)"))
    }

    /// The line, and further ones for what does not fit, below the column that it belongs to.
    var lines: [String] {
        let start = "  " + Self.padded(label, to: Self.labelWidth)
        guard !note.isEmpty else { return Self.wrapped(value, after: start) }
        let width = max(Self.valueWidth, PrintableText.line(value).count + 2)
        return Self.wrapped(note, after: start + Self.padded(value, to: width))
    }

    /// A text that follows another one and is moved to the next line as a whole.
    static func unbroken(_ text: String) -> String {
        guard text.hasPrefix(" ") else { return text }
        return " " + text.dropFirst().replacing(" ", with: noBreak)
    }

    private static let units = ["%", "KB", "MB", "GB"]
    private static let noBreak = "\u{A0}"

    /// Breaks a text into lines; the first begins with `start`, the others are indented as far.
    static func wrapped(_ text: String, after start: String) -> [String] {
        let indent = String(repeating: " ", count: start.count)
        var lines: [String] = []
        var line = start
        // A number and its unit stay together.
        let whole = units.reduce(PrintableText.line(text)) { text, unit in
            text.replacing(" \(unit)", with: noBreak + unit)
        }
        for word in whole.split(separator: " ") {
            let isFirst = line.count == indent.count
            if !isFirst, line.count + 1 + word.count > width {
                lines.append(line)
                line = indent + word
            } else {
                line += (isFirst ? "" : " ") + word
            }
        }
        return (lines + [line]).map {
            PrintableText.withoutTrailingBlanks($0.replacing(noBreak, with: " "))
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        let text = PrintableText.line(text)
        return text + String(repeating: " ", count: max(1, width - text.count))
    }
}
