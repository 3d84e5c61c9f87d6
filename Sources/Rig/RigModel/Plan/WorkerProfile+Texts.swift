extension WorkerProfile {
    private mutating func changeCommands(_ change: ([String]) -> [String]) {
        command = change(command)
        server = server.map { WorkerServer(command: change($0.command), ready: $0.ready) }
        source = source.map { WorkerServer(command: change($0.command), ready: $0.ready) }
        export = export.map(change)
        changeFollowers(change)
    }

    /// Changes the commands that are started beside ``command`` or in its place.
    private mutating func changeFollowers(_ change: ([String]) -> [String]) {
        proxy = proxy.map(change)
        guard var changed = library else { return }
        changed.refreshForever = change(changed.refreshForever)
        changed.refresh = change(changed.refresh)
        library = changed
    }

    /// Changes every text that can contain placeholders, such as arguments and paths.
    package func changingTexts(_ change: (String) -> String) -> WorkerProfile {
        var changed = self
        changed.changeCommands { $0.map(change) }
        changed.server = changed.server?.changingAddress(change)
        changed.source = changed.source?.changingAddress(change)
        changed.files = Dictionary(
            files.map { (change($0.key), change($0.value)) }, uniquingKeysWith: { _, last in last })
        changed.environment = environment.mapValues(change)
        changed.completed = change(completed)
        if case .file(let file) = inspection {
            changed.inspection = .file(file.changingTexts(change))
        }
        return changed
    }

    package func mentions(_ placeholder: String) -> Bool {
        var isThere = false
        _ = changingTexts { text in
            if Placeholders.names(in: text).contains(placeholder) { isThere = true }
            return text
        }
        return isThere
    }

    package var programs: [String] {
        [
            server?.command, source?.command, command, export, proxy, library?.refreshForever,
            library?.refresh,
        ]
        .compactMap { $0?.first }
    }

    package func changingPrograms(_ change: (String) -> String) -> WorkerProfile {
        var profile = self
        profile.changeCommands { $0.prefix(1).map(change) + $0.dropFirst() }
        return profile
    }

    /// The profile with what makes it log: arguments behind its commands, and variables.
    package func logging(by arguments: [String], _ variables: [String: String]) -> WorkerProfile {
        var logging = self
        if let server {
            logging.server = WorkerServer(command: server.command + arguments, ready: server.ready)
        } else {
            logging.command += arguments
        }
        logging.changeFollowers { $0 + arguments }
        logging.environment.merge(variables) { $1 }
        return logging
    }

    package func started(in directory: String?) -> WorkerProfile {
        var profile = self
        profile.workingDirectory = directory
        return profile
    }

    /// The profile with its own placeholders filled in by what `--set` gave, by name.
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

    /// The profile for an origin that speaks TLS, whose certificate authority is in a file.
    package func trusting(_ authority: String) -> WorkerProfile {
        var trusting = changingTexts { Placeholders.fill($0, with: ["ca": authority]) }
        let arguments = (trustArguments ?? []).map {
            Placeholders.fill($0, with: ["ca": authority])
        }
        trusting.command += arguments
        trusting.changeFollowers { $0 + arguments }
        trusting.bound.merge(tlsBound ?? [:]) { $1 }
        return trusting
    }
}

extension WorkerServer {
    fileprivate func changingAddress(_ change: (String) -> String) -> WorkerServer {
        guard case .url(let url) = ready else { return self }
        return WorkerServer(command: command, ready: .url(change(url)))
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
