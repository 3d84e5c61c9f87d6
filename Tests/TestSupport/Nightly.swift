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

    /// The cases of two kinds together: all pairs in the nightly run.
    ///
    /// In the usual one each of the first kind comes with one of the second, which take turns.
    package static func pairs<One, Other>(_ ones: [One], _ others: [Other]) -> [(One, Other)] {
        seed == nil
            ? ones.enumerated().map { ($1, others[$0 % others.count]) }
            : ones.flatMap { one in others.map { (one, $0) } }
    }

    /// The number of rounds.
    package static func rounds(_ usual: Int, nightly: Int) -> Int { seed == nil ? usual : nightly }
}
