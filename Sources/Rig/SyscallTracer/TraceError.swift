package enum TraceError: Error, Hashable, CustomStringConvertible {
    case cannotStart(program: String, message: String)
    /// The kernel does not let one process trace another, or read its memory.
    case notPermitted(message: String)
    case badFolder(path: String)
    case cannotWrite(path: String, message: String)

    package var description: String {
        switch self {
        case .cannotStart(let program, let message):
            "cannot start \(program): \(message); check its path"
        case .notPermitted(let message):
            "the kernel does not let one process trace another: \(message); it takes Linux 5.3, "
                + "and in a container the capability SYS_PTRACE, and a filter that lets ptrace and "
                + "process_vm_readv pass"
        case .badFolder(let path): "there is no folder \(path) to trace calls under; make it first"
        case .cannotWrite(let path, let message):
            "cannot write \(path): \(message); check the path and the free space"
        }
    }
}
