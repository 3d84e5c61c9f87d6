internal import ArgumentParser
internal import CurlTransport
internal import Foundation

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
