import Foundation

/// How thorough the tests are.
///
/// The usual run uses fixed seeds and few rounds. `harness/ci/nightly` sets `RIG_NIGHTLY_SEED`: every
/// seed is then a new one, which follows from that variable, and there are more rounds
/// and cases.
package enum Nightly {
    /// The seed of this nightly run; nil in the usual one.
    package static let seed: UInt64? = ProcessInfo.processInfo.environment["RIG_NIGHTLY_SEED"]
        .flatMap { UInt64($0) }

    /// A seed: the given one in the usual run.
    package static func seed(_ usual: UInt64) -> UInt64 {
        seed.map { ($0 &+ usual) & 0xFFFF_FFFF } ?? usual
    }

    /// The cases of a test: the first ones in the usual run, all in the nightly one.
    package static func cases<Case>(_ all: [Case], usual: Int) -> [Case] {
        seed == nil ? Array(all.prefix(usual)) : all
    }

    /// The number of rounds.
    package static func rounds(_ usual: Int, nightly: Int) -> Int { seed == nil ? usual : nightly }
}
