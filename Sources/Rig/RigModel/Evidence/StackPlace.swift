package enum StackPlace: Sendable, Hashable {
    /// An instruction: the path of the program or library, and the offset in that file.
    case code(module: String, offset: UInt64)
    /// A line of source, of a program that an interpreter runs.
    case line(file: String, line: Int, function: String)

    package var module: String? { if case .code(let module, _) = self { module } else { nil } }
}
