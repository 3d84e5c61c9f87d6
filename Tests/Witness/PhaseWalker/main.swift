// Performs the steps of a test on the page that RIG_WITNESS names, in the words of the tests'
// `PageStep`: `PhaseWalker [sealed] STEP...`.
//
// If sealed, it performs them twice, and may make no system call but that of `tell` in the second
// round: the first makes what is made only once, such as a type's metadata.
internal import Dispatch
internal import Foundation
internal import Witness

struct Step {
    let verb: String
    let first: UInt64
    let second: UInt64

    init(_ word: String) {
        let parts = word.split(separator: ":").map(String.init)
        let numbers = parts.dropFirst().map { UInt64($0) ?? 0 } + [0, 0]
        (verb, first, second) = (parts[0], numbers[0], numbers[1])
    }
}

struct Performer {
    let writer: WitnessWriter
    var requests: [WitnessRequest?] = []

    mutating func perform(_ step: Step) {
        let (first, second) = (step.first, step.second)
        switch step.verb {
        case "enter":
            if let phase = WitnessPhase(rawValue: UInt32(first)) { writer.enter(phase) }
        case "begin": requests.append(writer.begin(url: Self.url(first), start: first))
        case "received": requests[Int(first)]?.receive(Int(second))
        case "acknowledge": requests[Int(first)]?.acknowledge(upTo: second)
        case "end": requests[Int(first)]?.end()
        case "commit": writer.commitReturned()
        case "evict": writer.evict(url: Self.url(first), start: first, length: second)
        case "finish": writer.finish()
        case "tell":
            var byte: UInt8 = 1
            write(STDOUT_FILENO, &byte, 1)
        case "threads":
            DispatchQueue.concurrentPerform(iterations: 4) { [writer] _ in
                for start in 0..<first {
                    let request = writer.begin(url: "u", start: start)
                    request?.receive(1)
                    writer.commitReturned()
                    request?.end()
                }
            }
        default: exit(64)
        }
    }

    private static func url(_ start: UInt64) -> String { "http://127.0.0.1/v?\(start)" }
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

let words = CommandLine.arguments.dropFirst()
let isSealed = words.first == "sealed"
let steps = words.dropFirst(isSealed ? 1 : 0).map(Step.init)
let page = ProcessInfo.processInfo.environment["RIG_WITNESS"] ?? ""
var performer = Performer(writer: try WitnessWriter(path: page))
if isSealed {
    for step in steps where step.verb != "tell" { performer.perform(step) }
    seal()
}
for step in steps { performer.perform(step) }
