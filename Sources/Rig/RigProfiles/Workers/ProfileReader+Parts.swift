internal import RigModel
internal import Yams

extension ProfileReader {
    func bound(_ key: String = "bound") throws(RigError) -> [Fault: LossBound] {
        var bounds: [Fault: LossBound] = [:]
        for (fault, value) in try fields.textsByKey(key) {
            guard let known = Fault(rawValue: fault.text) else {
                let faults = Fault.allCases.map(\.rawValue).joined(separator: ", ")
                throw source.wrong(
                    fault.place, "there is no fault '\(fault.text)'; the faults are \(faults)")
            }
            guard let bound = LossBound(value.text) else {
                throw source.wrong(
                    value.place,
                    "'\(value.text)' is no bound; give bytes (4096, 1MB), a time (1s) or threshold")
            }
            bounds[known] = bound
        }
        return bounds
    }

    func boundSource() throws(RigError) -> String? {
        guard let text = try fields.text("bound_source") else { return nil }
        guard fields.node("bound") != nil else {
            throw source.wrong(
                fields.place(of: "bound_source"),
                "a source without a bound; add bound: {sigkill: BYTES}")
        }
        return text.text
    }

    /// The server that is killed, or the source that is not.
    func server(_ key: String) throws(RigError) -> WorkerServer? {
        guard let server = try fields.fields(key, known: ["command", "ready"]) else { return nil }
        let command = try command(
            server.texts("command", orElse: "give the program that runs in the foreground"))
        let ready = try server.text("ready", orElse: "write ready: port, or an http:// address")
        if ready.text == "port" { return WorkerServer(command: command) }
        guard ready.text.hasPrefix("http://") else {
            throw source.wrong(
                ready.place, "'\(ready.text)' says nothing; write port, or an http:// address")
        }
        return WorkerServer(command: command, ready: .url(try checked(ready)))
    }

    func inspection() throws(RigError) -> WorkerInspection? {
        guard
            let inspect = try fields.fields(
                "inspect", known: ["database", "chunks", "ranges", "files", "file", "length"])
        else { return nil }
        let isDatabase = inspect.node("database") != nil
        guard isDatabase != (inspect.node("file") != nil) else {
            throw source.wrong(
                inspect.place, "'inspect' reads a database or a file; give one of the two")
        }
        let others = isDatabase ? ["length"] : ["chunks", "ranges", "files"]
        if let other = others.first(where: { inspect.node($0) != nil }) {
            throw source.wrong(
                inspect.place(of: other),
                "'\(other)' does not go with '\(isDatabase ? "database" : "file")'; leave it out")
        }
        return isDatabase ? .database(try database(inspect)) : .file(try partialFile(inspect))
    }

    private func database(_ inspect: YAMLFields) throws(RigError) -> WorkerProfile.Inspection {
        var layout: WorkerProfile.FileLayout?
        if let files = try inspect.fields("files", known: ["chunks", "folder"]) {
            layout = WorkerProfile.FileLayout(
                chunks: try files.text(
                    "chunks", orElse: "give a query for offset, length, checksum and file"
                ).text,
                folder: try inState(
                    try files.text("folder", orElse: "say where the files of bytes lie")))
        }
        let path = try inspect.text("database", orElse: "name the database's file")
        let chunks = try inspect.text("chunks", orElse: "give a query for offset and bytes")
        return WorkerProfile.Inspection(
            database: try inState(path), chunks: chunks.text,
            ranges: try inspect.text("ranges")?.text, files: layout)
    }

    /// A path relative to the state folder, without a leading `{dir}/`.
    private func inState(_ path: LocatedText) throws(RigError) -> String {
        let below = path.text.hasPrefix("{dir}/") ? String(path.text.dropFirst(6)) : path.text
        try checkInside(LocatedText(text: below, place: path.place))
        try source.checkPlaceholders(
            in: LocatedText(text: below, place: path.place), known: [],
            hint: Dictionary(
                Placeholders.names(in: below).map { ($0, "the path is {dir}/NAME") },
                uniquingKeysWith: { first, _ in first }))
        return below
    }

    /// A file of the worker, in its folder or beside its completed video.
    private func ofWorker(_ path: LocatedText) throws(RigError) -> String {
        try checkInside(path)
        return try checked(path)
    }

    private func checkInside(_ path: LocatedText) throws(RigError) {
        let leadsOut = path.text.split(separator: "/").contains("..")
        guard !path.text.hasPrefix("/"), !path.text.isEmpty, !leadsOut else {
            throw source.wrong(
                path.place, "'\(path.text)' is not in the worker's folder; write {dir}/NAME")
        }
    }

    private func partialFile(_ inspect: YAMLFields) throws(RigError) -> PartialFile {
        let path = try ofWorker(try inspect.text("file", orElse: "name the file"))
        guard let node = inspect.node("length") else { return PartialFile(path: path) }
        guard node.mapping == nil else {
            let query = try YAMLFields(node, "'length'", known: ["database", "query"], in: source)
            return PartialFile(
                path: path,
                length: .query(
                    database: try ofWorker(
                        try query.text("database", orElse: "name the database's file")),
                    sql: try query.text("query", orElse: "give a query for the length").text))
        }
        let length = try inspect.text("length", orElse: "write size")
        return PartialFile(
            path: path, length: length.text == "size" ? .size : .file(try ofWorker(length)))
    }

    func library() throws(RigError) -> WorkerProfile.Library? {
        guard
            let library = try fields.fields(
                "library",
                known: ["refresh_forever", "refresh", "database", "list", "presence", "images"])
        else { return nil }
        var reader = self
        reader.known = ["feed", "dir", "threshold", "durability"]
        let forever = try reader.command(
            try library.texts("refresh_forever", orElse: "give program and arguments"))
        reader.known.insert("times")
        return WorkerProfile.Library(
            refreshForever: forever,
            refresh: try reader.command(
                try library.texts("refresh", orElse: "give program and arguments")),
            database: try inState(try library.text("database", orElse: "name the file")),
            list: try library.text("list", orElse: "give the query for the list").text,
            presence: try library.text("presence", orElse: "give a query for a row of it").text,
            images: try inState(try library.text("images", orElse: "name the folder")))
    }

    func plantedBugs() throws(RigError) -> PlantedBugs? {
        guard
            let planted = try fields.fields("planted_bugs", known: ["program", "variable", "bugs"])
        else { return nil }
        let variable = try planted.text("variable", orElse: "name the variable that plants a bug")
        guard let node = planted.node("bugs") else {
            throw planted.missing("bugs", "list the bugs")
        }
        guard let items = node.sequence, !items.isEmpty else {
            throw source.wrong(
                source.place(node), "'bugs' has to be a list; begin each with a dash")
        }
        var bugs: [PlantedBug] = []
        for item in items {
            let bug = try bug(item)
            guard !bugs.contains(where: { $0.name == bug.name }) else {
                throw source.wrong(
                    source.place(item), "the bug '\(bug.name)' is there twice; keep one")
            }
            bugs.append(bug)
        }
        return PlantedBugs(
            program: try planted.text("program")?.text, variable: variable.text, bugs: bugs)
    }

    private func bug(_ node: Node) throws(RigError) -> PlantedBug {
        let bug = try YAMLFields(
            node, "a planted bug", known: ["name", "options", "checkers", "iterations"], in: source)
        var checkers: [Checker] = []
        for word in try bug.texts("checkers", orElse: "say which checkers must find it") {
            guard let checker = Checker(rawValue: word.text) else {
                let known = Checker.allCases.map(\.rawValue).joined(separator: ", ")
                throw source.wrong(
                    word.place, "there is no checker '\(word.text)'; they are \(known)")
            }
            checkers.append(checker)
        }
        let most = try bug.text("iterations", orElse: "say how many it may take at most")
        guard let iterations = Int(most.text), iterations > 0 else {
            throw source.wrong(most.place, "'\(most.text)' is no number of iterations; give 60")
        }
        return PlantedBug(
            name: try bug.text("name", orElse: "name the bug").text,
            options: try bug.texts("options")?.map(\.text) ?? [], checkers: checkers,
            iterations: iterations)
    }
}
