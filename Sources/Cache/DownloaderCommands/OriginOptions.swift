internal import ArgumentParser
internal import CurlTransport
internal import Foundation
internal import VideoCache

struct OriginOptions: ParsableArguments {
    @OptionGroup var trust: TrustOptions

    @Option(
        name: .customLong("header"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A header of every request, 'Name: value'; may be repeated.",
            discussion: """
                It is never stored, and its value is in no log and no error. Another host to which \
                a redirect leads does not get it.
                """, valueName: "header"))
    var headers: [String] = []

    @Flag(
        help: ArgumentHelp(
            "Send these headers, and those of players, also to other hosts to which redirects lead."
        ))
    var sendHeadersToOtherHosts = false

    func validate() throws { _ = try fields() }

    /// The headers; an error about one does not show its value.
    private func fields() throws -> HTTPFields {
        var fields = HTTPFields()
        for header in headers {
            do { try fields.add(header) } catch { throw ValidationError("--header: \(error).") }
        }
        return fields
    }

    /// A transport that works as the options say; nil follows the usual number of redirects.
    func transport(redirects: Int? = nil) throws -> CurlTransport {
        var options = trust.options
        options.fields = try fields()
        options.sendsFieldsToOtherHosts = sendHeadersToOtherHosts
        if let redirects { options.maximumRedirects = redirects }
        return CurlTransport(options: options)
    }

    /// A transport by which another host than the address's gets no headers, unless it is to.
    func transport(of address: String) throws -> any HTTPTransport {
        let own = try transport()
        guard !sendHeadersToOtherHosts else { return own }
        return TransportOfHost(address: address, own: own, other: trust.transport())
    }
}

private struct TransportOfHost: HTTPTransport {
    let address: String
    let own: CurlTransport
    let other: CurlTransport

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        let transport = HTTPHost.isSame(address, request.url) ? own : other
        try transport.perform(request, handler: handler, cancellation: cancellation)
    }
}

/// The certificate authorities by which an https origin is trusted.
struct TrustOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The certificate authorities to trust (PEM), in the place of the system's.",
            valueName: "file"), completion: .file())
    var caFile: String?

    func validate() throws {
        guard let caFile, !FileManager.default.isReadableFile(atPath: caFile) else { return }
        throw ValidationError("--ca-file: cannot read '\(caFile)'; name a file of certificates.")
    }

    var options: CurlTransport.Options { CurlTransport.Options(authorities: caFile) }
    func transport() -> CurlTransport { CurlTransport(options: options) }
}
