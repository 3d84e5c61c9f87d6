internal import Foundation
internal import VideoCache

/// The proxy that the environment names, as libcurl reads it.
enum EnvironmentProxy {
    /// What to add to the reason of a failed connection: libcurl does not tell which of both has
    /// failed, and the proxy's own address may hold a password.
    static func hint(
        for address: String, in environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        // Not `HTTP_PROXY`, which a web server sets from a request's field.
        let own =
            HTTPRequest.isEncrypted(address) ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        let names = own + ["all_proxy", "ALL_PROXY"]
        guard let name = names.first(where: { !(environment[$0] ?? "").isEmpty }) else { return "" }
        return "; \(name) names a proxy, which may be on the way: check that it runs, or name the "
            + "origin's host in no_proxy"
    }
}
