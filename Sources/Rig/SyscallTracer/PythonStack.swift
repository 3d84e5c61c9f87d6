internal import RigModel

/// The lines of source that a stopped thread of CPython runs.
///
/// They are read from the interpreter's memory: the thread by its number, its frames, and of each
/// frame the code object with its table of lines. Each object must be of its type. Where anything
/// is not as expected, there are no lines at all.
struct PythonStack {
    static let symbols = [
        "_PyRuntime", "Py_Version", "PyCode_Type", "PyUnicode_Type", "PyBytes_Type",
    ]

    private static let (mostInterpreters, mostThreads, mostFrames) = (64, 1024, 128)
    private static let (mostCharacters, mostBytes): (UInt64, UInt64) = (4096, 1 << 22)
    /// The owner of a frame that stands for C code between two others.
    private static let ownedByC: UInt64 = 3

    private let memory: TraceeMemory
    private let runtime: UInt64
    private let types: (code: UInt64, text: UInt64, bytes: UInt64)
    private let layout: PythonLayout

    /// An interpreter by the addresses of its symbols; throws where its version is not known.
    init(symbols: [String: UInt64], in memory: TraceeMemory) throws {
        let found = Self.symbols.compactMap { symbols[$0] }
        guard found.count == Self.symbols.count else { throw TraceeMemory.Implausible() }
        let version = try memory.number(at: found[1])
        layout = try PythonLayout.of(version: version, runtime: found[0], in: memory)
        (self.memory, self.runtime) = (memory, found[0])
        types = (found[2], found[3], found[4])
    }

    /// The lines of a thread, the innermost first; throws where they cannot be told.
    func places(ofThread number: UInt64) throws -> [StackPlace] {
        var frame = try memory.number(at: thread(number) &+ layout.thread.frame)
        if let inner = layout.inner { frame = try memory.number(at: frame &+ inner) }
        var places: [StackPlace] = []
        for _ in 0..<Self.mostFrames {
            guard frame != 0 else { return places }
            let owner = try memory.number(at: frame &+ layout.frame.owner, size: 1)
            if owner != Self.ownedByC, let line = try place(of: frame) { places.append(line) }
            frame = try memory.number(at: frame &+ layout.frame.previous)
        }
        throw TraceeMemory.Implausible()
    }

    private func thread(_ number: UInt64) throws -> UInt64 {
        var interpreter = try memory.number(at: runtime &+ layout.firstInterpreter)
        for _ in 0..<Self.mostInterpreters where interpreter != 0 {
            var thread = try memory.number(at: interpreter &+ layout.interpreter.firstThread)
            for _ in 0..<Self.mostThreads where thread != 0 {
                let found = try memory.number(at: thread &+ layout.thread.number)
                if found == number { return thread }
                thread = try memory.number(at: thread &+ layout.thread.next)
            }
            interpreter = try memory.number(at: interpreter &+ layout.interpreter.next)
        }
        throw TraceeMemory.Implausible()
    }

    /// The line of a frame; nil where it has none, as one that is only being made.
    private func place(of frame: UInt64) throws -> StackPlace? {
        let code = try object(at: frame &+ layout.frame.code, of: types.code)
        let instruction = try memory.number(at: frame &+ layout.frame.instruction)
        // In units of two bytes, of which the code has so many.
        let unit = Int64(bitPattern: instruction &- code &- layout.code.start) >> 1
        let units = try memory.number(at: code &+ 16)
        let table = try object(at: code &+ layout.code.lines, of: types.bytes)
        let size = try memory.number(at: table &+ 16)
        guard unit >= -1, unit < Int64(clamping: units), size <= Self.mostBytes else {
            throw TraceeMemory.Implausible()
        }
        let bytes = try memory.bytes(at: table &+ 32, count: Int(size))
        let first = try memory.number(at: code &+ layout.code.firstLine, size: 4)
        guard let line = Self.line(ofUnit: Int(unit), in: bytes, from: Int(first)) else {
            return nil
        }
        let file = try text(at: code &+ layout.code.file)
        return .line(file: file, line: line, function: try text(at: code &+ layout.code.name))
    }

    private func object(at pointer: UInt64, of type: UInt64) throws -> UInt64 {
        let object = try memory.number(at: pointer)
        guard try memory.number(at: object &+ 8) == type else { throw TraceeMemory.Implausible() }
        return object
    }

    private func text(at pointer: UInt64) throws -> String {
        let object = try object(at: pointer, of: types.text)
        let length = try memory.number(at: object &+ 16)
        let state = try memory.number(at: object &+ 32, size: 4)
        // The bytes of a character, whether they follow the head, and whether all are ASCII.
        let (width, isCompact, isASCII) = (Int(state >> 2 & 7), state & 32 != 0, state & 64 != 0)
        guard [1, 2, 4].contains(width), isCompact, length > 0, length <= Self.mostCharacters else {
            throw TraceeMemory.Implausible()
        }
        let start = object &+ (isASCII ? layout.text.ascii : layout.text.other)
        let bytes = try memory.bytes(at: start, count: Int(length) * width)
        var text = ""
        for index in stride(from: 0, to: bytes.count, by: width) {
            let number = TraceeMemory.value(of: bytes[index..<index + width])
            guard let scalar = Unicode.Scalar(UInt32(number)), number >= 32, number != 127 else {
                throw TraceeMemory.Implausible()
            }
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    /// The line of a code object's instruction, by the number of its unit; nil where it has none.
    ///
    /// The table is that of 3.11 and later (PEP 657; Objects/locations.md at `v3.11.2`). Of each
    /// entry only the first byte has its highest bit set. It says in which form the rest is, and
    /// how many units the entry is about.
    static func line(ofUnit unit: Int, in table: [UInt8], from first: Int) -> Int? {
        var (line, end, index) = (first, 0, 0)
        while unit >= 0, index < table.count, table[index] & 0x80 != 0 {
            let form = Int(table[index] >> 3 & 15)
            let rest = table[(index + 1)...].prefix { $0 & 0x80 == 0 }
            switch form {
            case 10...12: line &+= form - 10
            case 13, 14: line &+= signed(rest)
            default: break
            }
            end += Int(table[index] & 7) + 1
            if unit < end { return form == 15 || line < 1 ? nil : line }
            index += 1 + rest.count
        }
        return nil
    }

    /// The number that bytes begin with: six bits of each, the lowest first, as long as the next
    /// bit is set; the lowest bit of all is the sign.
    private static func signed(_ bytes: ArraySlice<UInt8>) -> Int {
        var (value, shift) = (0, 0)
        for byte in bytes {
            value |= Int(byte & 63) << shift
            shift += 6
            guard byte & 64 != 0 else { break }
        }
        return value & 1 == 0 ? value >> 1 : -(value >> 1)
    }
}

/// Where a version of CPython keeps which line a thread runs: offsets in its structs.
///
/// They are those of builds for 64 bits with a global lock. For 3.11 and 3.12 they are from the
/// headers below `Include` at the tags `v3.11.2` and `v3.12.1`: `_PyRuntimeState`
/// (internal/pycore_runtime.h), `_is` (internal/pycore_interp.h), `_ts` and `_PyCFrame`
/// (cpython/pystate.h), `_PyInterpreterFrame` (internal/pycore_frame.h), `PyCodeObject`
/// (cpython/code.h) and `PyASCIIObject` (cpython/unicodeobject.h). 3.13 says its own: there
/// `_PyRuntime` begins with `_Py_DebugOffsets` (internal/pycore_runtime.h at `v3.13.0`).
struct PythonLayout {
    /// Of the first interpreter, in `_PyRuntime`.
    let firstInterpreter: UInt64
    let interpreter: (next: UInt64, firstThread: UInt64)
    let thread: (next: UInt64, number: UInt64, frame: UInt64)
    /// Of the frame in what the thread points to; nil where it points to the frame itself.
    let inner: UInt64?
    let frame: (previous: UInt64, code: UInt64, instruction: UInt64, owner: UInt64)
    let code: (firstLine: UInt64, file: UInt64, name: UInt64, lines: UInt64, start: UInt64)
    /// Of the characters in a text of ASCII only, and in any other.
    let text: (ascii: UInt64, other: UInt64)

    /// By an interpreter's `Py_Version`, such as 0x030b02f0 for 3.11.2, and where its `_PyRuntime`
    /// is.
    static func of(version: UInt64, runtime: UInt64, in memory: TraceeMemory) throws -> PythonLayout
    {
        // Before its release a version may have had other ones.
        guard version & 0xf0 == 0xf0 else { throw TraceeMemory.Implausible() }
        switch version >> 16 {
        case 0x030b:
            return PythonLayout(
                firstInterpreter: 40, interpreter: (0, 16), thread: (8, 160, 56), inner: 8,
                frame: (48, 32, 56, 69), code: (72, 112, 128, 136, 184), text: (48, 72))
        case 0x030c:
            return PythonLayout(
                firstInterpreter: 40, interpreter: (0, 72), thread: (8, 144, 56), inner: 0,
                frame: (8, 0, 56, 70), code: (68, 112, 128, 136, 192), text: (40, 56))
        case 0x030d:
            let words = try (0..<UInt64(71)).map { try memory.number(at: runtime &+ 8 * $0) }
            // The third says whether it is built without the lock, which moves everything.
            guard try memory.bytes(at: runtime, count: 8) == Array("xdebugpy".utf8),
                words[1] == version, words[2] == 0
            else { throw TraceeMemory.Implausible() }
            return PythonLayout(
                firstInterpreter: words[5], interpreter: (words[8], words[9]),
                thread: (words[21], words[25], words[23]), inner: nil,
                frame: (words[29], words[30], words[31], words[33]),
                code: (words[39], words[35], words[37], words[38], words[43]),
                text: (words[70], words[70] &+ 16))
        default: throw TraceeMemory.Implausible()
        }
    }
}
