package import RigModel
internal import Yams

/// `bounds.yml`: the documented promises with their figures, compiled into the rig.
package enum Bounds {
    /// The promises that this rig was built with; exit code 65 when the file is invalid.
    package static func standard() throws(RigError) -> PromiseCatalogue {
        try read(shipped.text, name: shipped.name)
    }

    private static let shipped = YAMLText(
        name: "bounds.yml", text: String(decoding: PackageResources.bounds_yml, as: UTF8.self))

    /// Parses a file of that form strictly: an unknown word is an error.
    package static func read(
        _ text: String, name: String = "bounds.yml"
    ) throws(RigError) -> PromiseCatalogue {
        do {
            let source = YAMLText(name: name, text: text)
            let root = try source.root(orElse: "give promises and runs")
            let file = try YAMLFields(root, "a file of promises", known: keys[""], in: source)
            let runs = try file.fields("runs", known: nil)
            try check(root, "", runs: runs?.keys ?? [], in: source)
            var known = try measures(of: source, root)
            if known.isEmpty { known = try standardMeasures() }
            let catalogue = try source.decode(
                PromiseCatalogue.self, from: root, knowing: ["measures": known])
            try check(catalogue, root, runs: runs, in: source)
            return catalogue
        } catch {
            throw RigError(.data, error.message)
        }
    }

    private struct Measures: Decodable {
        let measures: [String: PromiseMeasure]?
    }

    /// What limits can be about; empty for a file that leaves it to the rig's own.
    private static func measures(
        of source: YAMLText, _ root: Node
    ) throws(RigError) -> [String: PromiseMeasure] {
        var found = try source.decode(Measures.self, from: root).measures ?? [:]
        for name in found.keys { found[name]?.name = name }
        return found
    }

    static func standardMeasures() throws(RigError) -> [String: PromiseMeasure] {
        try measures(of: shipped, try shipped.root(orElse: "give measures"))
    }

    /// The keys of each mapping, by the key under which it stands.
    private static let keys = [
        "": ["promises", "measures", "runs", "documented"],
        "promises": ["id", "promise", "documented", "judged_by", "limits"],
        "limits": ["measure", "policy", "video", "at", "within", "least", "most"],
        "measure": ["figure", "unit", "rows", "checkers", "words"],
        "documented": ["amounts", "endings", "retrieval"],
        "amounts": ["at", "within", "saved", "improvement", "loss", "after", "before"],
        "endings": ["way", "lost", "runs", "note"],
        "retrieval": ["percent", "runs", "note"],
    ]

    /// Refuses keys that are none, values that are missing, and names of runs that are none.
    private static func check(
        _ node: Node, _ key: String, runs: [String], in source: YAMLText
    ) throws(RigError) {
        if node.null != nil {
            throw source.wrong(source.place(node), "'\(key)' has no value; write one")
        }
        if let name = node.scalar?.string, ["judged_by", "after", "before", "runs"].contains(key),
            name != PromiseCatalogue.rig, !runs.contains(name)
        {
            throw source.wrong(
                source.place(node), "'\(name)' is no run; \(name.advice(among: runs))")
        }
        if let items = node.sequence {
            for item in items { try check(item, key, runs: runs, in: source) }
        }
        guard node.mapping != nil else { return }
        let fields = try YAMLFields(node, "'\(key)'", known: keys[key], in: source)
        for name in fields.keys {
            guard let value = fields.node(name) else { continue }
            let place = ["measures": "measure", "runs": "options"][key] ?? name
            try check(value, place, runs: runs, in: source)
        }
    }

    /// Refuses a promise without limits or with another one's id, and a run that no one needs.
    private static func check(
        _ catalogue: PromiseCatalogue, _ root: Node, runs: YAMLFields?, in source: YAMLText
    ) throws(RigError) {
        var ids: Set<String> = []
        for (index, promise) in catalogue.promises.enumerated() {
            let place = source.place(source.node(at: ["promises", "\(index)"], in: root))
            guard !promise.limits.isEmpty else {
                throw source.wrong(place, "\(promise.id) has no limits; write at least one")
            }
            guard ids.insert(promise.id).inserted else {
                throw source.wrong(place, "\(promise.id) is there twice; keep one")
            }
        }
        let named = catalogue.runs.map(\.name)
        if let runs, let idle = runs.keys.first(where: { !named.contains($0) }) {
            throw source.wrong(
                runs.place(of: idle), "no promise is judged by the run '\(idle)'; leave it out")
        }
    }
}
