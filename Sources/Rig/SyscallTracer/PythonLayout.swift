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
