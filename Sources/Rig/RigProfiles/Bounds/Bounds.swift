internal import Foundation
package import RigModel
internal import Yams

/// `bounds.yml`: the documented promises with their figures, compiled into the rig.
package enum Bounds {
    /// The promises that this rig was built with.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 65 when the file is invalid.
    package static func standard() throws(RigError) -> PromiseCatalogue {
        try read(String(decoding: PackageResources.bounds_yml, as: UTF8.self))
    }

    /// Parses a file of that form strictly: an unknown word is an error.
    ///
    /// - Throws: ``RigModel/RigError`` with exit code 65 and what is wrong.
    package static func read(_ text: String) throws(RigError) -> PromiseCatalogue {
        let file: File
        do {
            file = try YAMLDecoder().decode(File.self, from: text)
        } catch {
            throw wrong("\(error)")
        }
        var promises: [Promise] = []
        for entry in file.promises {
            guard !promises.contains(where: { $0.id == entry.id }) else {
                throw wrong("\(entry.id) is there twice")
            }
            promises.append(try promise(entry))
        }
        let tables = try file.documented.map(documented) ?? DocumentedTables()
        return PromiseCatalogue(
            promises: promises, runs: try runs(file, of: promises, and: tables),
            documented: tables)
    }

    private struct File: Decodable {
        let promises: [Entry]
        let runs: [String: String]
        let documented: Documented?
    }

    private struct Entry: Decodable {
        let id: String
        let promise: String
        let documented: String
        let judgedBy: [String]
        let limits: [[String: String]]

        enum CodingKeys: String, CodingKey {
            case id, promise, documented, limits
            case judgedBy = "judged_by"
        }
    }

    static func wrong(_ text: String) -> RigError {
        RigError(.data, "bounds.yml: \(text); mend the file")
    }

    private static func promise(_ entry: Entry) throws(RigError) -> Promise {
        guard !entry.limits.isEmpty else { throw wrong("\(entry.id) has no limits") }
        var limits: [Promise.Limit] = []
        for fields in entry.limits { limits.append(try limit(fields, of: entry.id)) }
        return Promise(
            id: entry.id, promise: entry.promise, documented: entry.documented,
            judgedBy: entry.judgedBy, limits: limits)
    }

    private static func limit(
        _ fields: [String: String], of id: String
    ) throws(RigError) -> Promise.Limit {
        try check(
            fields, ["measure", "policy", "video", "at", "within", "least", "most"],
            of: "\(id): a limit")
        let word = fields["measure"] ?? ""
        guard let measure = PromiseMeasure(rawValue: word) else {
            throw wrong("\(id): there is no measure '\(word)'")
        }
        let least = try value(fields["least"], of: id)
        let most = try value(fields["most"], of: id)
        guard least != nil || most != nil else {
            throw wrong("\(id): a limit on \(word) needs least or most")
        }
        if let policy = fields["policy"], Policy(policy) == nil {
            throw wrong("\(id): '\(policy)' is no policy")
        }
        guard measure != .lossPercentWorst || fields["at"] != nil else {
            throw wrong("\(id): a limit on \(word) needs at, the amount that it is a share of")
        }
        return Promise.Limit(
            measure: measure, policy: fields["policy"].flatMap { Policy($0)?.name },
            video: try value(fields["video"], of: id).map { Int64($0) },
            at: try value(fields["at"], of: id).map { Int64($0) },
            within: try value(fields["within"], of: id).map { Int64($0) }, least: least,
            most: most)
    }

    /// Refuses a key that is none.
    static func check(
        _ fields: [String: String], _ known: Set<String>, of what: String
    ) throws(RigError) {
        guard let other = Set(fields.keys).subtracting(known).sorted().first else { return }
        throw wrong("\(what) has no key '\(other)'")
    }

    /// A number, or a size in bytes.
    static func value(_ text: String?, of id: String) throws(RigError) -> Double? {
        guard let text else { return nil }
        if let number = Double(text), number.isFinite { return number }
        guard let size = ByteSize(text) else {
            throw wrong("\(id): '\(text)' is neither a number nor a size")
        }
        return Double(size.bytes)
    }

    /// The runs, in the order in which promises name them, and then the documents' tables.
    private static func runs(
        _ file: File, of promises: [Promise], and tables: DocumentedTables
    ) throws(RigError) -> [PromiseCatalogue.Run] {
        var runs: [PromiseCatalogue.Run] = []
        let users =
            promises.map { ("\($0.id) is judged by", $0.judgedBy) }
            + [("a row of documented is from", tables.runs)]
        for (user, names) in users {
            for name in names
            where name != PromiseCatalogue.rig && !runs.contains(where: { $0.name == name }) {
                guard let options = file.runs[name] else {
                    throw wrong("\(user) '\(name)', which is no run")
                }
                let words = options.split(separator: " ").map(String.init)
                runs.append(PromiseCatalogue.Run(name: name, options: words))
            }
        }
        let named = Set(runs.map(\.name))
        if let idle = file.runs.keys.filter({ !named.contains($0) }).sorted().first {
            throw wrong("no promise is judged by the run '\(idle)'")
        }
        return runs
    }
}
