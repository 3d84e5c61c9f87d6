/// A worker profile as listed: what it is, what it offers, and whether it can run on this machine.
package struct WorkerListing: Sendable, Hashable {
    /// How much of a worker the rig can observe (spec 2); each level adds evidence.
    package enum Level: String, Sendable, Hashable, CaseIterable {
        /// The origin's ledger, the kernel's queues and the completed file, of every program.
        case blackBox = "black box"
        case inspect
        case witness
    }

    package let worker: WorkerProfile
    package let missing: [String]

    package init(_ worker: WorkerProfile, missing: [String]) {
        (self.worker, self.missing) = (worker, missing)
    }
}

extension WorkerProfile {
    /// The levels of the worker contract that the profile states (spec 2).
    ///
    /// The origin sees no requests of a worker with a source of its own.
    package var levels: [WorkerListing.Level] {
        (source == nil ? [.blackBox] : []) + (inspection == nil ? [] : [.inspect])
            + (writesWitness ? [.witness] : [])
    }
}
