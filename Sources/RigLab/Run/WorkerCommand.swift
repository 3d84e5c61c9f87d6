internal import Foundation
internal import RigModel

/// The values that fill a profile's placeholders.
struct WorkerPlaceholders: Sendable {
    let url: String
    let directory: String
    let output: String
    let policy: Policy
    /// The port that the worker listens on; nil for one that does not.
    var port: UInt16?
    /// Values of a command's own placeholders, by their names in braces.
    var more: [String: String] = [:]

    /// The arguments with every placeholder replaced; there is no shell, so nothing to quote.
    func fill(_ command: [String]) -> [String] { command.map(fill) }

    /// A text with every placeholder replaced.
    func fill(_ text: String) -> String {
        let (origin, path) = place
        let values =
            [
                ("{url}", url), ("{dir}", directory), ("{output}", output),
                ("{threshold}", policy.name), ("{durability}", policy.durability.rawValue),
                ("{origin}", origin), ("{path}", path),
            ] + (port.map { [("{port}", "\($0)")] } ?? []) + more.map { ($0.key, $0.value) }
        return values.reduce(text) { $0.replacingPlaceholder($1.0, with: $1.1) }
    }

    /// Host and port of the URL, and what follows them.
    private var place: (origin: String, path: String) {
        guard let scheme = url.range(of: "://") else { return ("", url) }
        let rest = url[scheme.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        return (String(rest[..<slash]), String(rest[slash...]))
    }
}

extension String {
    fileprivate func replacingPlaceholder(_ placeholder: String, with value: String) -> String {
        split(separator: placeholder, omittingEmptySubsequences: false).joined(separator: value)
    }
}
