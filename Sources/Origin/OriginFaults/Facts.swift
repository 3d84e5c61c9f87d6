extension OriginFault {
    package struct Facts: Sendable {
        package var name: String
        package var value = Form.nothing
        /// Whether it can be limited to a number of times.
        package var isCounted = true
        /// What a request must have to get another answer; nil for any request.
        package var needs: Needs?
        /// When a kill-test of a download has it set in.
        package var onset = Onset.launch
        /// How long the other version is that the origin then serves; nil for the same version.
        package var nextLength: NextLength?
        /// True when the answers do not name a version by one strong validator: a worker then has
        /// to compare bytes, or to fetch everything again.
        package var hidesVersion = false
        /// True when a player cannot take it for a broken worker.
        package var isHarmless = false
        /// True when it ends a body early: a client that leaves before sees nothing of it.
        package var breaksOff = false
        /// Why a kill-test cannot judge a worker under it; nil when it can.
        package var objection: String?
        /// What it does, without ``onset``.
        var does: String

        package var summary: String {
            onset == .relaunch && !isNewVersion
                ? "\(does); in a kill-test from the relaunch on" : does
        }

        /// True when the origin then serves another version of the video.
        package var isNewVersion: Bool { nextLength != nil }
        package var usage: String { name + value.rawValue + (isCounted ? "[:TIMES]" : "") }
    }

    /// The kind of value that follows a fault's name, as users read of it.
    package enum Form: String, Sendable {
        case nothing = ""
        case time = ":TIME"
        case size = ":SIZE"
        case pace = ":RATE"
        case status = ":CODE"
        case timeOrSize = "[:TIME|SIZE]"
        case count = "[:N]"
        case wrongRange = ":later|short|total|missing"
    }

    /// The launch of a worker with which a fault sets in.
    package enum Onset: Sendable {
        case launch, relaunch
        /// The relaunch, if it is limited to a number of times, and so passes.
        case relaunchIfCounted
    }

    /// A field of a request; a range that depends on a version has both.
    package enum Needs: Sendable {
        case range, ifRange
    }

    package enum NextLength: Sendable, CaseIterable {
        /// As long as the first, half as long, or longer by half.
        case same, half, longer

        /// The length, in bytes, of the version after one of `length`.
        package func of(_ length: Int64) -> Int64 {
            switch self {
            case .same: length
            case .half: (length + 1) / 2
            case .longer: length + (length + 1) / 2
            }
        }
    }
}
