internal import Foundation
package import RigModel

/// The worker profiles: those of the folder `profiles`, compiled in, and the user's files.
package enum Workers {
    package static var names: [String] { ShippedProfiles.all.map(\.name) }

    /// A profile by its name, or by its file, with a path that contains `/` or ends in `.yml`.
    package static func named(_ name: String) throws(RigError) -> WorkerProfile {
        if isFile(name) {
            guard let data = FileManager.default.contents(atPath: name) else {
                throw RigError(.usage, "cannot read \(name); give the file of a worker profile")
            }
            guard let text = String(bytes: data, encoding: .utf8) else {
                throw RigError(.usage, "\(name) is no UTF-8 text; give a worker profile")
            }
            return try read(text, name: name)
        }
        guard let shipped = ShippedProfiles.all.first(where: { $0.name == name }) else {
            throw RigError.usage(
                "there is no worker profile '\(name)'; "
                    + name.advice(
                        among: names,
                        otherwise: "use one of \(names.joined(separator: ", ")), or a file of your "
                            + "own, such as ./\(name).yml"))
        }
        return try read(
            String(decoding: shipped.bytes, as: UTF8.self), name: "profiles/\(name).yml")
    }

    package static func isFile(_ name: String) -> Bool {
        name.contains("/") || name.hasSuffix(".yml") || name.hasSuffix(".yaml")
    }

    package static func read(_ text: String, name: String) throws(RigError) -> WorkerProfile {
        try ProfileReader(YAMLText(name: name, text: text)).profile()
    }

    /// The profile of a program that fetches nothing: its files lie in `{dir}`.
    package static func program(
        _ command: [String], judgedBy check: ProgramCheck? = nil, writable: [String] = []
    ) throws(RigError) -> WorkerProfile {
        guard let program = command.first, !program.allSatisfy(\.isWhitespace) else {
            throw RigError.usage(
                "--check judges a program of your own: give it with its arguments behind --, such as"
                    + " -- ./program {dir}")
        }
        let names = Set(command.flatMap { Placeholders.names(in: $0) })
        if let other = names.subtracting(["dir"]).sorted().first {
            throw RigError.usage(
                "with --check there is no placeholder {\(other)}: the program gets its folder as"
                    + " {dir}; put a blank into braces that are text")
        }
        try RigError.require(
            names.contains("dir"),
            "the command does not say where the program keeps its files; put {dir} where its"
                + " folder goes")
        let name = URL(fileURLWithPath: program).lastPathComponent
        return WorkerProfile(
            name: name, about: "a program that a check judges", command: command,
            writable: writable.isEmpty ? nil : writable, check: check)
    }

    /// The profile of a bare command: a black box that fills `{output}` and promises nothing.
    package static func command(_ command: [String]) throws(RigError) -> WorkerProfile {
        guard let program = command.first, !program.allSatisfy(\.isWhitespace) else {
            throw RigError(.usage, "no program follows --; give one, such as curl")
        }
        let names = Set(command.flatMap { Placeholders.names(in: $0) })
        let known = ProfileReader.base
        if let other = names.subtracting(known).sorted().first {
            let list = known.sorted().map(Placeholders.text).joined(separator: " ")
            throw RigError.usage(
                "there is no placeholder {\(other)}; use one of \(list), or put a blank into "
                    + "braces that are text")
        }
        try RigError.require(
            names.contains("url"),
            "the command does not say what to fetch; put {url} where the address goes, or say by"
                + " --check what must hold of a program that fetches nothing")
        try RigError.require(
            names.contains("output"),
            "the command does not say where its video goes; put {output} where the file's name "
                + "goes, or write a profile with 'completed:' and give it to --worker")
        let name = URL(fileURLWithPath: program).lastPathComponent
        return WorkerProfile(name: name, about: "a command without a profile", command: command)
    }
}
