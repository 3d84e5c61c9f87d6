/// A worker profile as it is listed: what it is, what it offers, and whether it can run here.
package struct WorkerListing: Sendable, Hashable {
    /// How much of a worker can be seen (spec 2), each adding evidence.
    package enum Level: String, Sendable, Hashable, CaseIterable {
        /// The origin's ledger, the kernel's queues and the completed file: every program.
        case blackBox = "black box"
        /// Its state can be read.
        case inspect
        /// It keeps a witness page.
        case witness
    }

    /// The profile.
    package let worker: WorkerProfile
    /// The programs that it needs and that are not installed.
    package let missing: [String]

    /// A listing.
    package init(_ worker: WorkerProfile, missing: [String]) {
        self.worker = worker
        self.missing = missing
    }

    /// The levels that the profile states.
    package var levels: [Level] { worker.levels }
}

extension WorkerProfile {
    /// The levels of the worker contract that the profile states (spec 2).
    ///
    /// Of a worker with a source of its own the origin sees nothing.
    package var levels: [WorkerListing.Level] {
        (source == nil ? [.blackBox] : []) + (inspection == nil ? [] : [.inspect])
            + (writesWitness ? [.witness] : [])
    }
}
