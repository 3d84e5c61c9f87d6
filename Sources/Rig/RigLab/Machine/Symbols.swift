internal import Foundation
internal import Subprocess

/// The functions and lines of addresses in programs, by the symbolizer that is installed.
package enum Symbols {
    /// Function, file and line of each offset in one program's file, such as `save at store.c:37`;
    /// nil without symbols or a symbolizer.
    package static func places(in module: String, at offsets: [UInt64]) async -> [String?] {
        let nothing = offsets.map { _ in String?.none }
        guard let segments = segments(of: module) else { return nothing }
        let addresses = offsets.map { offset in
            let segment = segments.first { $0.file.contains(offset) }
            let address = segment.map { offset - $0.file.lowerBound + $0.address } ?? offset
            return "0x" + String(address, radix: 16)
        }
        for (program, arguments) in [
            ("llvm-symbolizer", ["--obj=\(module)", "--functions=short", "--no-inlines"]),
            ("addr2line", ["-f", "-C", "-e", module]),
        ] {
            let result = try? await Subprocess.run(
                .name(program), arguments: .init(arguments + addresses),
                output: .string(limit: 1 << 20), error: .discarded)
            guard let result, case .exited(0) = result.terminationStatus else { continue }
            let lines = result.standardOutput.split(separator: "\n")
            guard lines.count >= 2 * offsets.count else { continue }
            return offsets.indices.map { index in
                place(function: lines[2 * index], line: lines[2 * index + 1])
            }
        }
        return nothing
    }

    private static func place(function: Substring, line: Substring) -> String? {
        guard !function.hasPrefix("?") else { return nil }
        // `/home/me/store.c:37:5`, and `store.c:37 (discriminator 2)`.
        let file = line.split(separator: "/").last.map(String.init) ?? ""
        let fields = file.split(separator: " ").first?.split(separator: ":") ?? []
        guard fields.count >= 2, fields[0] != "??", fields[1] != "0", fields[1] != "?" else {
            return String(function)
        }
        return "\(function) at \(fields[0]):\(fields[1])"
    }

    /// The parts of an ELF file that are loaded, and the addresses that the file gives them.
    private static func segments(of path: String) -> [(file: Range<UInt64>, address: UInt64)]? {
        guard let file = FileHandle(forReadingAtPath: path),
            let header = try? file.read(upToCount: 64), header.count == 64,
            Array(header.prefix(5)) == [0x7f, 0x45, 0x4c, 0x46, 2]
        else { return nil }
        func number(_ data: Data, _ offset: Int, _ size: Int) -> UInt64 {
            (0..<size).reduce(0) { $0 | UInt64(data[data.startIndex + offset + $1]) << (8 * $1) }
        }
        let (start, size) = (number(header, 32, 8), Int(number(header, 54, 2)))
        let count = Int(number(header, 56, 2))
        guard size >= 56, (try? file.seek(toOffset: start)) != nil,
            let table = try? file.read(upToCount: size * count), table.count == size * count
        else { return nil }
        return (0..<count).compactMap { index in
            let entry = index * size
            guard number(table, entry, 4) == 1 else { return nil }
            let offset = number(table, entry + 8, 8)
            return (offset..<offset &+ number(table, entry + 32, 8), number(table, entry + 16, 8))
        }
    }
}
