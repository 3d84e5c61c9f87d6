/// What is stored of one kill besides its row, for a report on that single kill.
package struct KillDetails: Sendable, Hashable {
    /// The last lines of the worker's log; nil when no log was stored.
    package let workerLog: String?
    /// What was observed of the relaunch; nil when it was not stored, or there was none.
    package let resumption: Resumption?

    package init(workerLog: String?, resumption: Resumption?) {
        (self.workerLog, self.resumption) = (workerLog, resumption)
    }
}
