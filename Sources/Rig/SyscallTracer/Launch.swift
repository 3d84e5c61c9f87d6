internal import CPtrace
internal import Glibc

struct Launch {
    let process: pid_t
    private let start: UnsafeMutablePointer<rig_start>

    /// Starts the program; it runs once it is traced.
    init(_ settings: TraceSettings, environment: [String: String]) throws(TraceError) {
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

    var lacksFilter: Bool { start.pointee.filter_error != 0 }

    func failure(of program: String) -> TraceError? {
        let error = start.pointee.error
        return error == 0 ? nil : .cannotStart(program: program, message: Self.text(error))
    }

    private static func text(_ error: Int32) -> String { String(cString: strerror(error)) }

    private static func find(_ program: String, in path: String) throws(TraceError) -> String {
        if program.contains("/") { return program }
        for folder in path.split(separator: ":", omittingEmptySubsequences: false) {
            let candidate = folder.isEmpty ? "./\(program)" : "\(folder)/\(program)"
            if access(candidate, X_OK) == 0, Tracee.status(candidate)?.isRegular ?? false {
                return candidate
            }
        }
        throw .cannotStart(program: program, message: "there is no such program in PATH")
    }

    /// The filter rules for the calls at which the kernel stops the program.
    private static func rules(_ settings: TraceSettings) -> [rig_filter_rule] {
        let none: [(argument: UInt32, bits: UInt32)] = [(0, 0), (0, 0)]
        return SystemCallKind.all.filter(settings.watches).compactMap { kind in
            guard let number = kind.number else { return nil }
            let needs = (kind.effect == .open && settings.notesReads ? [] : kind.needs) + none
            return rig_filter_rule(
                number: number, argument: (needs[0].argument, needs[1].argument),
                mask: (needs[0].bits, needs[1].bits))
        }
    }

    private static func withStrings<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
