internal import Foundation
internal import Glibc
package import RigModel

/// Which call each operation of a storage log was, and where the program made it.
///
/// A text beside the log, with a line for each operation: its ordinal, the call's name, and of each
/// place the module and the offset, or the source file and `LINE:FUNCTION`, separated by tabs.
package struct StackLog: Sendable {
    package let calls: [Int: (name: String, places: [StackPlace])]

    /// Reads what a tracer has written; empty where there is no file.
    package init(path: String) {
        let text =
            FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
            ?? ""
        var calls: [Int: (name: String, places: [StackPlace])] = [:]
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t").map(String.init)
            guard fields.count >= 2, let ordinal = Int(fields[0]) else { continue }
            let places = stride(from: 2, to: fields.count - 1, by: 2).compactMap { index in
                Self.place(in: fields[index], at: fields[index + 1])
            }
            calls[ordinal] = (fields[1], places)
        }
        self.calls = calls
    }

    private static func place(in file: String, at position: String) -> StackPlace? {
        let parts = position.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else {
            return UInt64(position, radix: 16).map { .code(module: file, offset: $0) }
        }
        return Int(parts[0]).map { .line(file: file, line: $0, function: String(parts[1])) }
    }

    static func line(_ ordinal: Int, _ name: String, _ places: [StackPlace]) -> String {
        let fields = places.flatMap { place -> [String] in
            switch place {
            case .code(let module, let offset): [module, String(offset, radix: 16)]
            case .line(let file, let line, let function): [file, "\(line):\(function)"]
            }
        }
        return ([String(ordinal), name] + fields).joined(separator: "\t") + "\n"
    }
}

final class StackLogWriter {
    private let descriptor: Int32

    init(path: String) throws(StorageLogError) {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw .system(path: path, message: String(cString: strerror(errno)))
        }
    }

    deinit { _ = close(descriptor) }

    /// Adds operations of one call; one that cannot be written is missing.
    func add(_ ordinals: [Int], _ name: String, _ places: [StackPlace]) {
        let text = ordinals.map { StackLog.line($0, name, places) }.joined()
        _ = text.withCString { write(descriptor, $0, strlen($0)) }
    }
}
