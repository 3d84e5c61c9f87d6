internal import FlyingFox
internal import Foundation
internal import VideoCache

/// Converts requests to responses; the rules are in ``Route`` and ``PlayPlan``.
struct PlayHandler: HTTPHandler {
    /// How often a response is restarted when the video changes at the origin meanwhile.
    private static let attempts = 3

    let loader: VideoLoader
    let status: StatusSource
    let allowedHosts: Set<String>?
    let port: ListeningPort
    private let watch = PlayerWatch()
    private let threads = BlockingThreads()

    init(
        loader: VideoLoader, status: StatusSource, allowedHosts: Set<String>?, port: ListeningPort
    ) {
        self.loader = loader
        self.status = status
        self.allowedHosts = allowedHosts
        self.port = port
    }

    func handleRequest(_ request: FlyingFox.HTTPRequest) async throws -> HTTPResponse {
        let asked = PlayerRequest(request)
        do {
            switch try Route(asked, allowedHosts: allowedHosts) {
            case .play(let address):
                return try await play(address, for: asked, from: Self.playerPort(of: request))
            case .statusPage:
                return StatusAnswer.page(
                    try await status.read(), host: asked.host ?? "", isHead: asked.isHead)
            case .statusJSON:
                return try StatusAnswer.json(try await status.read(), isHead: asked.isHead)
            case .script: return StatusAnswer.script(isHead: asked.isHead)
            case .style: return StatusAnswer.style(isHead: asked.isHead)
            }
        } catch {
            return .refusing(Refusal(error), isHead: asked.isHead)
        }
    }

    /// Responds with a video (F1, F2).
    ///
    /// The head is sent only when the first bytes are available. Until then a failure can be
    /// reported with a status and a reason, and the information may prove to be outdated.
    private func play(
        _ address: OriginAddress, for request: PlayerRequest, from playerPort: UInt16
    ) async throws -> HTTPResponse {
        let session = PlaySession(
            url: address.url, loader: loader, threads: threads, watch: watch,
            playerPort: playerPort, serverPort: port.value)
        for _ in 0..<Self.attempts {
            let information = try await session.information()
            let plan = try PlayPlan(answering: request, with: information)
            guard !request.isHead, plan.body != .none else {
                return .head(of: plan)
            }
            session.read(plan.body.range)
            do {
                guard try await session.begin() == information else { continue }
            } catch DownloadError.changed {
                continue
            }
            return .body(of: plan, PlayBody(session: session, count: plan.count))
        }
        throw DownloadError.keepsChanging(url: address.url)
    }

    private static func playerPort(of request: FlyingFox.HTTPRequest) -> UInt16 {
        guard case .ip4(_, let port)? = request.remoteAddress else { return 0 }
        return port
    }
}
