package import RigModel

/// The output of `rig workers`: the profiles, and what is missing to run them.
package enum WorkersTable {
    package static func text(_ workers: [WorkerListing]) -> String {
        workers.table([
            .text("worker") { .string($0.worker.name) },
            .text("level") { .string($0.worker.levels.last?.rawValue) },
            // The bound of a kill by signal 9.
            .text("bound") { .string($0.worker.bound[.sigkill]?.text) },
            .text("installed") { .string(installed($0)) },
            .text("about") { .string($0.worker.about) },
        ]).text
    }

    private static func installed(_ listing: WorkerListing) -> String {
        guard !listing.missing.isEmpty else { return "yes" }
        return "no: \(listing.missing.map { package($0, listing.worker) }.joined(separator: ", "))"
    }

    /// The program, with its package if that has another name.
    private static func package(_ program: String, _ worker: WorkerProfile) -> String {
        guard let package = worker.packages[program], package != program else { return program }
        return "\(program) (\(package))"
    }
}

/// The output of `rig workers --json`.
package enum WorkersJSON {
    package static func text(_ workers: [WorkerListing]) -> String {
        JSONValue(["schema": 1, "workers": workers.map(worker)]).document
    }

    private static func worker(_ listing: WorkerListing) -> JSONValue {
        let worker = listing.worker
        let bounds = Fault.allCases.compactMap { fault in
            worker.bound[fault].map { (fault.rawValue, JSONValue.string($0.text)) }
        }
        let needs = Set(worker.needs + worker.programs).sorted().map { program in
            JSONValue([
                "program": program, "package": worker.packages[program],
                "installed": !listing.missing.contains(program),
            ])
        }
        return JSONValue([
            "name": worker.name, "about": worker.about, "levels": worker.levels.map(\.rawValue),
            "server": worker.server != nil, "bound": JSONValue.object(bounds),
            "bound_source": worker.boundSource, "installed": listing.missing.isEmpty,
            "needs": needs,
        ])
    }
}
