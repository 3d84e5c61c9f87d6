internal import Foundation
internal import VideoCache

/// Ends the program, with the exit code of an orderly end, when a request is cancelled: of a download
/// only a signal cancels one.
struct AbruptTransport: HTTPTransport {
    let base: any HTTPTransport

    func perform(
        _ request: HTTPRequest, handler: any HTTPResponseHandler, cancellation: Cancellation
    ) throws {
        do {
            try base.perform(request, handler: handler, cancellation: cancellation)
        } catch TransportError.cancelled {
            _exit(143)
        }
    }
}
