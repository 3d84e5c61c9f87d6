import Foundation
import Synchronization
import TestSupport

/// One requirement of a protocol, and a use of it.
struct Call<Target>: Sendable {
    /// The requirement's name; a second word tells overloads apart.
    let name: String
    /// Uses it; describes what it returned.
    let use: @Sendable (Target) throws -> String

    init(_ name: String, _ use: @escaping @Sendable (Target) throws -> Any) {
        self.name = name
        self.use = { "\(try use($0))" }
    }

    func result(on target: Target) -> String {
        do { return try use(target) } catch { return "threw \(error)" }
    }
}

/// The calls that a recorder got, each with its arguments.
final class CallLog: Sendable {
    private let calls = Mutex<[String]>([])

    func note(_ call: String, _ arguments: Any...) {
        calls.withLock { $0.append("\(call) \(arguments)") }
    }

    func taken() -> [String] {
        calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
    }
}

/// The names of a protocol's requirements, sorted, read from its source.
///
/// A requirement with a default implementation can be left out by mistake, so they are not counted
/// by what compiles.
func requirements(of name: String, in path: String) throws -> [String] {
    let text = try Checkout.text(of: "Sources/Cache/VideoCache/\(path)")
    let body =
        text.components(separatedBy: " protocol \(name)").dropFirst().joined()
        .components(separatedBy: "\n}").first ?? ""
    return body.split(separator: "\n").compactMap { line -> String? in
        for keyword in ["    func ", "    var "] where line.hasPrefix(keyword) {
            return String(line.dropFirst(keyword.count).prefix { $0.isLetter })
        }
        return nil
    }.sorted()
}
