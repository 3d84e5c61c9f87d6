internal import CPtrace
internal import Glibc

/// Starts a program under the tracer.
struct Launch {
    let process: pid_t
    private let start: UnsafeMutablePointer<rig_start>

    /// Starts the program; it runs once it is traced.
    init(
        _ settings: TraceSettings, environment: [String: String]
    ) throws(TraceError) {
        guard let program = settings.command.first else {
            throw .cannotStart(program: "''", message: "there is no program to run")
        }
        let path = try Self.find(program, in: environment["PATH"] ?? "/usr/bin:/bin")
        let rules = settings.isFiltered ? Self.rules(settings) : []
        var gate: Int32 = -1
        var start: UnsafeMutablePointer<rig_start>?
        let result = Self.withStrings(settings.command) { arguments in
            Self.withStrings(environment.map { "\($0)=\($1)" }) { variables in
                rig_start_waiting(
                    path, arguments, variables, rules, Int32(rules.count), &gate, &start)
            }
        }
        guard result > 0, let start else {
            throw .cannotStart(program: program, message: Self.text(-result))
        }
        process = result
        self.start = start
        if let refusal = Self.refusal(of: process, sharing: start) {
            // The child has not run yet: it exits when its gate closes without a byte.
            close(gate)
            var status: Int32 = 0
            while rig_wait(&status, 0) != 0 {}
            throw .notPermitted(message: refusal)
        }
        rig_let_start(gate)
    }

    /// Takes a waiting child under the tracer; returns what the kernel refuses, nil for nothing.
    ///
    /// It reads from its memory, too: without that every recorded path and byte would be missing.
    private static func refusal(
        of child: pid_t, sharing start: UnsafeMutablePointer<rig_start>
    ) -> String? {
        let error = rig_seize(child)
        guard error == 0 else { return "ptrace: \(text(error))" }
        var byte: UInt8 = 0
        // The child has this memory at the same place.
        let address = UInt64(UInt(bitPattern: start))
        let read = rig_read_memory(child, address, &byte, 1)
        return read == 1 ? nil : "process_vm_readv: \(text(Int32(clamping: -read)))"
    }

    /// True if the kernel has no filter for system calls.
    var lacksFilter: Bool { start.pointee.filter_error != 0 }

    /// Why the program could not be run; nil if it could.
    func failure(of program: String) -> TraceError? {
        let error = start.pointee.error
        return error == 0 ? nil : .cannotStart(program: program, message: Self.text(error))
    }

    private static func text(_ error: Int32) -> String {
        String(cString: strerror(error))
    }

    private static func find(
        _ program: String, in path: String
    ) throws(TraceError) -> String {
        if program.contains("/") { return program }
        for folder in path.split(separator: ":", omittingEmptySubsequences: false) {
            let candidate = folder.isEmpty ? "./\(program)" : "\(folder)/\(program)"
            if access(candidate, X_OK) == 0,
                Tracee.status(candidate).map({ $0.mode & S_IFMT }) == S_IFREG
            {
                return candidate
            }
        }
        throw .cannotStart(program: program, message: "there is no such program in PATH")
    }

    /// The filter rules for the calls at which the kernel stops the program.
    private static func rules(_ settings: TraceSettings) -> [rig_filter_rule] {
        SystemCallKind.allCases.compactMap { kind in
            let number = rig_call_number(kind.rawValue)
            guard number >= 0, settings.watches(kind) else { return nil }
            var rule = rig_filter_rule()
            rule.number = UInt32(number)
            // An open that creates and truncates nothing is ignored, unless reads are noted; the
            // last flag is __O_TMPFILE.
            let changing = UInt32(O_CREAT | O_TRUNC) | 0o20_000_000
            switch kind {
            case .open where !settings.notesReads:
                (rule.argument.0, rule.mask.0) = (1, changing)
            case .openat where !settings.notesReads:
                (rule.argument.0, rule.mask.0) = (2, changing)
            case .mmap:
                (rule.argument.0, rule.mask.0) = (3, UInt32(MAP_SHARED))
                (rule.argument.1, rule.mask.1) = (2, UInt32(PROT_WRITE))
            case .mprotect, .pkeyMprotect:
                (rule.argument.0, rule.mask.0) = (2, UInt32(PROT_WRITE))
            // Without requests to submit it only waits.
            case .ioUringEnter: (rule.argument.0, rule.mask.0) = (1, UInt32.max)
            // A bit of the calls of file systems that those of terminals do not have.
            case .ioctl: (rule.argument.0, rule.mask.0) = (1, 0x8000)
            default: break
            }
            return rule
        }
    }

    /// Passes texts as null-terminated arrays of C strings.
    private static func withStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
