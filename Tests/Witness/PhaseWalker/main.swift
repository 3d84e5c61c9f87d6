// Walks through phases, for tests that hold it: `PhaseWalker PAGE [sealed] PHASE...`.
//
// Writes a byte to standard output on entering a phase, and one more when its work is over. If
// sealed, it may make no system call but that write from the second round on.
internal import Foundation
internal import Witness

var words = CommandLine.arguments.dropFirst()
guard let path = words.popFirst() else { exit(64) }
let isSealed = words.first == "sealed"
if isSealed { words = words.dropFirst() }
let phases = words.compactMap { word in WitnessPhase.allCases.first { "\($0)" == word } }
let writer = try WitnessWriter(path: path)

func tell() {
    var byte: UInt8 = 1
    write(STDOUT_FILENO, &byte, 1)
}

/// From here on the kernel kills the process at any system call but read, write and exit.
func seal() {
    typealias Control = @convention(c) (CInt, CUnsignedLong) -> CInt
    // PR_SET_SECCOMP and SECCOMP_MODE_STRICT; Swift cannot call `prctl`, which is variadic.
    let strictly = (option: CInt(22), mode: CUnsignedLong(1))
    guard let found = dlsym(nil, "prctl"),
        unsafeBitCast(found, to: Control.self)(strictly.option, strictly.mode) == 0
    else { exit(77) }
}

if isSealed {
    // The first round makes what is made only once, such as a type's metadata.
    for phase in phases { writer.enter(phase) }
    seal()
}

for phase in phases {
    writer.enter(phase)
    tell()
}
writer.finish()
tell()
