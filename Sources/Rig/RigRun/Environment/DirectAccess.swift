internal import Foundation

/// Environment variables that make a worker reach the origin without a proxy.
enum DirectAccess {
    /// The host of the origin.
    private static let host = "127.0.0.1"

    /// `no_proxy` and `NO_PROXY`, with what they hold without the rig: a host that the user excepts
    /// from the proxy stays excepted.
    ///
    /// curl reads the lower-case name, most other programs the upper-case one. The value of a name
    /// that is not set is that of the other: otherwise a program that looks at both would no longer
    /// look at the second.
    static func variables(
        beside recorded: [String: String],
        own: [String: String] = ProcessInfo.processInfo.environment
    ) -> [String: String] {
        let set = own.merging(recorded) { $1 }
        let (lower, upper) = (set["no_proxy"], set["NO_PROXY"])
        return [
            "no_proxy": adding(to: lower ?? upper ?? ""),
            "NO_PROXY": adding(to: upper ?? lower ?? ""),
        ]
    }

    private static func adding(to hosts: String) -> String {
        let given = hosts.split { $0 == "," || $0.isWhitespace }
        // A star is for every host, and only where it stands alone.
        guard given != ["*"] else { return "*" }
        guard !given.contains(Substring(host)) else { return hosts }
        return (given + [Substring(host)]).joined(separator: ",")
    }
}
