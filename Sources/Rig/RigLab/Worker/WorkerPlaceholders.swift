internal import Foundation
internal import RigModel

struct WorkerPlaceholders: Sendable {
    let url: String
    let directory: String
    let output: String
    let policy: Policy
    /// The port that the worker listens on; nil for a worker that listens on none.
    var port: UInt16?
    /// The folder that the worker's own source serves; nil for a worker without a source.
    var source: String?
    var more: [String: String] = [:]

    /// The arguments with every placeholder replaced; there is no shell, so nothing to quote.
    func fill(_ command: [String]) -> [String] { command.map(fill) }

    func fill(_ text: String) -> String {
        let (origin, path) = place
        var values = [
            "url": url, "dir": directory, "output": output,
            "threshold": policy.threshold?.name ?? policy.name,
            "durability": policy.durability.rawValue, "origin": origin, "path": path,
        ]
        if let port { values["port"] = "\(port)" }
        if let source { values["source"] = source }
        return Placeholders.fill(text, with: values.merging(more) { $1 })
    }

    var path: String { place.path }

    private var place: (origin: String, path: String) {
        guard let scheme = url.range(of: "://") else { return ("", url) }
        let rest = url[scheme.upperBound...]
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        return (String(rest[..<slash]), String(rest[slash...]))
    }
}
