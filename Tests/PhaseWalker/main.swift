// Walks through phases, for tests that hold it: `PhaseWalker PAGE [sealed] PHASE...`.
//
// Writes a byte to standard output when it is in a phase, and one more when its work is over.
// Sealed, it may make no system call from the second round on but that write.
internal import Foundation
internal import Witness

var words = CommandLine.arguments.dropFirst()
guard let path = words.popFirst() else { exit(64) }
let isSealed = words.first == "sealed"
if isSealed { words = words.dropFirst() }
let phases = words.compactMap { word in
    WitnessPhase.allCases.first { "\($0)" == word }
}
let writer = try WitnessWriter(path: path)

func tell() {
    var byte: UInt8 = 1
    write(STDOUT_FILENO, &byte, 1)
}

#if os(Linux)
    /// From here on the kernel ends the process at any system call but read, write and its end.
    func seal() {
        typealias Control = @convention(c) (CInt, CUnsignedLong) -> CInt
        // PR_SET_SECCOMP and SECCOMP_MODE_STRICT; `prctl` takes a list of any length, which Swift
        // does not call.
        let strictly = (option: CInt(22), mode: CUnsignedLong(1))
        guard let found = dlsym(nil, "prctl"),
            unsafeBitCast(found, to: Control.self)(strictly.option, strictly.mode) == 0
        else { exit(77) }
    }

    if isSealed {
        // What is made once, such as a type's metadata, is made in the first round.
        for phase in phases { writer.enter(phase) }
        seal()
    }
#endif

for phase in phases {
    writer.enter(phase)
    tell()
}
writer.finish()
tell()
