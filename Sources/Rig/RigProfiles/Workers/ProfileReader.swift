internal import RigModel
internal import Yams

/// Reads a worker's profile; keys other than those of spec 2 are errors.
struct ProfileReader {
    let source: YAMLText
    let fields: YAMLFields
    var known: Set<String>
    /// Hints for placeholders that are allowed only elsewhere.
    var hints: [String: String] = [:]

    static let keys = [
        "name", "about", "command", "server", "source", "files", "environment", "needs",
        "completed",
        "export", "bound", "bound_source", "witness", "inspect", "settings", "variables", "proxy",
        "library", "planted_bugs", "documented", "revalidates", "writable",
        "cwd", "tls", "bound_over_tls", "log",
    ]

    static let base: Set = [
        "url", "dir", "output", "threshold", "durability", "path", "origin", "ca",
    ]

    /// The placeholders that can tell a worker which video to fetch.
    static let ofVideo = ["url", "path"]

    init(_ source: YAMLText) throws(RigError) {
        self.source = source
        fields = try YAMLFields(
            try source.root(orElse: "give at least name and command"), "a worker profile",
            known: Self.keys, in: source)
        known = Self.base
        if fields.node("source") == nil {
            hints["source"] = "only a profile with a 'source' has a folder of its own for it"
        } else {
            known.insert("source")
        }
        if fields.node("server") == nil, fields.node("source") == nil {
            hints["port"] = "only a profile with a 'server' or a 'source' has a port"
        } else {
            known.insert("port")
        }
    }

    /// The profile; exit code 64 for a mistake, with its position.
    func profile() throws(RigError) -> WorkerProfile {
        let settings = try settings()
        var reader = self
        reader.known.formUnion(settings.defaults.keys)
        for name in settings.arguments.keys {
            reader.hints[name] =
                "the arguments of a setting follow the command; give it a default value to use it "
                + "anywhere"
        }
        let needs = try needs()
        let plantedBugs = try plantedBugs()
        let log = try reader.log()
        let profile = WorkerProfile(
            name: try name(), about: try fields.text("about")?.text ?? "",
            command: try reader.command(
                try fields.texts("command", orElse: "give the program and its arguments")),
            server: try reader.server("server"), source: try reader.server("source"),
            files: try reader.files(),
            environment: try reader.filled("environment"), needs: needs.programs,
            packages: needs.packages, export: try reader.command("export", mayBeEmpty: true),
            completed: try reader.filledText("completed") ?? "{output}",
            bound: try bound(), boundSource: try boundSource(),
            writesWitness: try fields.flag("witness"), proxy: try reader.command("proxy"),
            library: try library(), inspection: try reader.inspection(),
            settings: settings.arguments, defaults: settings.defaults,
            variables: (try fields.texts("variables")?.map(\.text) ?? [])
                + (plantedBugs.map { [$0.variable] } ?? []),
            plantedBugs: plantedBugs, isDocumented: try fields.flag("documented"),
            revalidates: try fields.flag("revalidates") ? true : nil,
            writable: try reader.writable(), workingDirectory: try workingDirectory(),
            trustArguments: try trustArguments(),
            tlsBound: fields.node("bound_over_tls") == nil ? nil : try bound("bound_over_tls")
        ).logging(by: log.arguments, log.environment)
        try check(profile)
        return profile
    }

    private func check(_ profile: WorkerProfile) throws(RigError) {
        func need(_ isMet: Bool, _ key: String, _ what: String) throws(RigError) {
            if !isMet { throw source.wrong(fields.place(of: key), what) }
        }
        try need(
            Self.ofVideo.contains(where: profile.mentions), "command",
            "nothing names the video; put {url} into the command, or {path} where the worker "
                + "has the origin's address")
        try need(
            !profile.exportsItself || profile.inspection != nil, "export",
            "only 'inspect' shows what a worker keeps that exports the video itself; say where "
                + "its state can be read, or give the program that exports it")
        try need(
            profile.server == nil || profile.source == nil, "source",
            "a 'server' fetches from the origin, and 'source' takes the origin's place; leave out "
                + "one of them")
        let key = profile.server == nil ? "source" : "server"
        try need(
            (profile.server ?? profile.source) == nil || profile.mentions("port"), key,
            "the \(key) is not told its port; put {port} into its command or into 'files'")
        let bounds = [("bound", profile.bound), ("bound_over_tls", profile.tlsBound ?? [:])]
        for (key, bound) in bounds {
            try need(
                !bound.values.contains(.threshold) || profile.mentions("threshold"), key,
                "the bound is the threshold, and no command has {threshold}; give bytes or a time")
        }
        let idle = profile.defaults.keys.sorted().first { !profile.mentions($0) } ?? ""
        try need(
            idle.isEmpty, "settings",
            "nothing has {\(idle)}; use it, or leave out the setting '\(idle)'")
    }

    private func name() throws(RigError) -> String {
        let name = try fields.text("name", orElse: "name the worker as reports shall")
        let isWord = name.text.allSatisfy {
            $0.isASCII && ($0.isLetter || $0.isNumber || "._+-".contains($0))
        }
        guard isWord, !name.text.isEmpty else {
            throw source.wrong(
                name.place, "'\(name.text)' is no name; use letters, digits and . _ + -")
        }
        return name.text
    }

    private func needs() throws(RigError) -> (programs: [String], packages: [String: String]) {
        guard let node = fields.node("needs") else { return ([], [:]) }
        guard node.mapping != nil else {
            return (try fields.texts("needs")?.map(\.text) ?? [], [:])
        }
        let pairs = try fields.textsByKey("needs")
        return (
            pairs.map(\.key.text),
            Dictionary(uniqueKeysWithValues: pairs.map { ($0.key.text, $0.value.text) })
        )
    }

    /// The profile's own placeholders: those with arguments, and those with a default value.
    private func settings() throws(RigError) -> (
        arguments: [String: [String]], defaults: [String: String]
    ) {
        var arguments: [String: [String]] = [:]
        var defaults: [String: String] = [:]
        guard let settings = try fields.fields("settings", known: nil) else { return ([:], [:]) }
        for name in settings.keys {
            let place = settings.place(of: name)
            guard Placeholders.names(in: Placeholders.text(name)) == [name] else {
                throw source.wrong(place, "'\(name)' is no word; use letters, digits, _ and -")
            }
            guard !Self.base.union(["port", "source", "feed", "times"]).contains(name) else {
                throw source.wrong(place, "{\(name)} is the rig's own; choose another word")
            }
            guard settings.node(name)?.sequence != nil else {
                defaults[name] = try settings.text(name)?.text
                continue
            }
            let texts = try settings.texts(name) ?? []
            for text in texts { try source.checkPlaceholders(in: text, known: known.union([name])) }
            guard texts.contains(where: { Placeholders.names(in: $0.text).contains(name) }) else {
                throw source.wrong(
                    place, "the arguments of '\(name)' leave out its value; put {\(name)} into them"
                )
            }
            arguments[name] = texts.map(\.text)
        }
        return (arguments, defaults)
    }
}

extension ProfileReader {
    func filledText(_ key: String) throws(RigError) -> String? {
        guard let text = try fields.text(key) else { return nil }
        return try checked(text)
    }

    func checked(_ text: LocatedText) throws(RigError) -> String {
        try source.checkPlaceholders(in: text, known: known, hint: hints)
        return text.text
    }

    func command(_ key: String, mayBeEmpty: Bool = false) throws(RigError) -> [String]? {
        guard let texts = try fields.texts(key, mayBeEmpty: mayBeEmpty) else { return nil }
        return try command(texts)
    }

    func command(_ texts: [LocatedText]) throws(RigError) -> [String] {
        if let program = texts.first {
            guard !program.text.isEmpty, Placeholders.names(in: program.text).isEmpty else {
                throw source.wrong(
                    program.place, "the program has to be a name or a path without placeholders")
            }
        }
        return try texts.map { text throws(RigError) in try checked(text) }
    }

    func filled(_ key: String) throws(RigError) -> [String: String] {
        var filled: [String: String] = [:]
        for (name, value) in try fields.textsByKey(key) { filled[name.text] = try checked(value) }
        return filled
    }

    func writable() throws(RigError) -> [String]? {
        guard let texts = try fields.texts("writable") else { return nil }
        for text in texts where !text.text.hasPrefix("/") {
            throw source.wrong(text.place, "'\(text.text)' is no whole path; begin with /")
        }
        return texts.map(\.text)
    }

    func trustArguments() throws(RigError) -> [String]? {
        guard let texts = try fields.texts("tls", mayBeEmpty: true) else { return nil }
        for text in texts { try source.checkPlaceholders(in: text, known: ["ca"]) }
        return texts.map(\.text)
    }

    /// What makes the worker log: a list of arguments, or environment variables.
    func log() throws(RigError) -> (arguments: [String], environment: [String: String]) {
        guard let node = fields.node("log") else { return ([], [:]) }
        guard node.mapping == nil else { return ([], try filled("log")) }
        let texts = try fields.texts("log") ?? []
        return (try texts.map { text throws(RigError) in try checked(text) }, [:])
    }

    func workingDirectory() throws(RigError) -> String? {
        guard let text = try fields.text("cwd") else { return nil }
        try source.checkPlaceholders(in: text, known: ["dir"])
        return text.text
    }

    /// The files written before each launch; their paths may also have placeholders.
    func files() throws(RigError) -> [String: String] {
        var files: [String: String] = [:]
        for (path, content) in try fields.textsByKey("files") {
            guard path.text.hasPrefix("{dir}/") else {
                throw source.wrong(
                    path.place, "the file '\(path.text)' lies elsewhere; write {dir}/\(path.text)")
            }
            files[try checked(path)] = try checked(content)
        }
        return files
    }
}
