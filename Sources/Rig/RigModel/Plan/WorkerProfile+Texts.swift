extension WorkerProfile {
    /// Changes every text of the profile that can contain placeholders, such as arguments and
    /// paths.
    package func changingTexts(_ change: (String) -> String) -> WorkerProfile {
        var changed = self
        changed.command = command.map(change)
        changed.server = server.map { $0.changingTexts(change) }
        changed.source = source.map { $0.changingTexts(change) }
        changed.files = Dictionary(
            files.map { (change($0.key), change($0.value)) }, uniquingKeysWith: { _, last in last })
        changed.environment = environment.mapValues(change)
        changed.export = export?.map(change)
        changed.completed = change(completed)
        changed.proxy = proxy?.map(change)
        changed.library?.refreshForever = library?.refreshForever.map(change) ?? []
        changed.library?.refresh = library?.refresh.map(change) ?? []
        if case .file(let file) = inspection {
            changed.inspection = .file(file.changingTexts(change))
        }
        return changed
    }

    /// True when one of the texts contains the placeholder.
    package func mentions(_ placeholder: String) -> Bool {
        var isThere = false
        _ = changingTexts { text in
            if Placeholders.names(in: text).contains(placeholder) { isThere = true }
            return text
        }
        return isThere
    }

    /// The programs that its commands start.
    package var programs: [String] {
        [
            server?.command, source?.command, command, export, proxy, library?.refreshForever,
            library?.refresh,
        ]
        .compactMap { $0?.first }
    }

    /// Changes the programs that its commands start, from names to paths.
    package func changingPrograms(_ change: (String) -> String) -> WorkerProfile {
        func changed(_ command: [String]) -> [String] {
            command.prefix(1).map(change) + command.dropFirst()
        }
        var profile = self
        profile.command = changed(command)
        profile.server = server.map {
            WorkerServer(command: changed($0.command), ready: $0.ready)
        }
        profile.source = source.map {
            WorkerServer(command: changed($0.command), ready: $0.ready)
        }
        profile.export = export.map(changed)
        profile.proxy = proxy.map(changed)
        profile.library?.refreshForever = changed(library?.refreshForever ?? [])
        profile.library?.refresh = changed(library?.refresh ?? [])
        return profile
    }

    /// The profile with what makes the worker log: arguments behind the commands that are killed and
    /// that follow a kill, and environment variables.
    package func logging(
        by arguments: [String], _ variables: [String: String]
    ) -> WorkerProfile {
        var logging = self
        if let server {
            logging.server = WorkerServer(
                command: server.command + arguments, ready: server.ready)
        } else {
            logging.command += arguments
        }
        logging.proxy = proxy.map { $0 + arguments }
        logging.library?.refreshForever += arguments
        logging.library?.refresh += arguments
        logging.environment.merge(variables) { $1 }
        return logging
    }

    /// The profile with another folder in which its programs are started.
    package func started(in directory: String?) -> WorkerProfile {
        var profile = self
        profile.workingDirectory = directory
        return profile
    }

    /// The profile with its own placeholders filled in by what `--set` gave, by name.
    ///
    /// - Returns: the profile, in which the given ``settings`` add their arguments to the command
    ///   and the proxy's command, and ``defaults`` apply where no value was given.
    package func setting(_ values: [String: String]) throws(RigError) -> WorkerProfile {
        var arguments: [String] = []
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let pattern = settings[name] ?? (defaults[name] == nil ? nil : []) else {
                let known = (Array(settings.keys) + defaults.keys).sorted().joined(separator: ", ")
                throw RigError(
                    .usage,
                    "the worker \(self.name) has no placeholder '\(name)' to set; "
                        + (known.isEmpty ? "it has none" : "it has: \(known)"))
            }
            arguments += pattern.map { Placeholders.fill($0, with: [name: value]) }
        }
        let words = defaults.merging(values) { $1 }.filter { defaults[$0.key] != nil }
        var set = changingTexts { Placeholders.fill($0, with: words) }
        set.command += arguments
        set.proxy = set.proxy.map { $0 + arguments }
        return set
    }

    /// The profile for an origin that speaks TLS, with ``trustArguments`` and ``tlsBound``.
    ///
    /// - Parameter authority: the file of the certificate authority that it has to trust.
    package func trusting(_ authority: String) -> WorkerProfile {
        var trusting = changingTexts { Placeholders.fill($0, with: ["ca": authority]) }
        let arguments = (trustArguments ?? []).map {
            Placeholders.fill($0, with: ["ca": authority])
        }
        trusting.command += arguments
        trusting.proxy = trusting.proxy.map { $0 + arguments }
        trusting.bound.merge(tlsBound ?? [:]) { $1 }
        trusting.library?.refreshForever += arguments
        trusting.library?.refresh += arguments
        return trusting
    }
}

extension WorkerServer {
    func changingTexts(_ change: (String) -> String) -> WorkerServer {
        var ready = ready
        if case .url(let url) = ready { ready = .url(change(url)) }
        return WorkerServer(command: command.map(change), ready: ready)
    }
}

extension PartialFile {
    func changingTexts(_ change: (String) -> String) -> PartialFile {
        var length = length
        switch length {
        case .size: break
        case .file(let path): length = .file(change(path))
        case .query(let database, let sql): length = .query(database: change(database), sql: sql)
        }
        return PartialFile(path: change(path), length: length)
    }
}
