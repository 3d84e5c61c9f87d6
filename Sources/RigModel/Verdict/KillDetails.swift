/// What is kept of one kill beside its row, for a report that shows the kill by itself.
package struct KillDetails: Sendable, Hashable {
    /// The last lines that the worker wrote; nil where no log was kept.
    package let workerLog: String?
    /// How the relaunched worker got on; nil where that was not kept, or there was no relaunch.
    package let resumption: Resumption?

    /// What there is of a kill.
    package init(workerLog: String?, resumption: Resumption?) {
        self.workerLog = workerLog
        self.resumption = resumption
    }
}
