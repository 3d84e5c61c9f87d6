package import RigModel

/// One thing that is decided in a crash state: what becomes of an operation that is not synced.
///
/// Without any decision nothing is lost. Each omits a part of that, as far as the disk's rules
/// allow (``StorageReplay/state(deciding:)``); those that do not apply change nothing.
package struct CrashDecision: Sendable, Hashable {
    package enum Effect: Sendable, Hashable {
        /// The last commit came before it. Where each name is certain by itself, only this name
        /// is gone: a rename has two, the new one (0), and the removal of the old one (1).
        case uncommitted(part: Int)
        /// The kernel last wrote its file's data before it: what it put into new blocks is not
        /// there.
        case unwritten
        /// It wrote that data right before this operation, too, up to this offset of the file: what
        /// was there by then can have been written over since without that being on the disk.
        case writtenBefore(to: Int64)
        /// That writing had come to this offset of the file, and no further.
        case unreached(from: Int64)
        /// These blocks were given to the file before their data was there: they read as zeros.
        case zeros(Range<Int64>)
        /// Of an overwriting only these sectors are on the disk; empty for none.
        case kept([Range<Int64>])
        /// The same, and the disk was writing other sectors, which now hold anything.
        case spoiled(kept: [Range<Int64>], sectors: [Range<Int64>], noise: SplitMix64)
        /// The call had not returned, and has done nothing.
        case notCarriedOut(part: Int)
        /// The file has the length after it without its data.
        case lengthOnly
        /// The page with the zeros behind a new, smaller length is there without that length.
        case tailCleared
    }

    /// Whether something is lost by it, and not only written at another moment.
    var takes: Bool { if case .writtenBefore = effect { false } else { true } }

    package let operation: Int
    package let effect: Effect

    package init(_ operation: Int, _ effect: Effect) {
        (self.operation, self.effect) = (operation, effect)
    }
}
