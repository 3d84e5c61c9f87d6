internal import Foundation
internal import RigModel

struct ServerReadiness: Sendable {
    let ready: WorkerServer.Readiness
    let port: UInt16
    let seconds: Double
    let interruption: Interruption
    var role = "server"

    /// Waits until the server answers: nil once it does, else what went wrong.
    func wait(for server: LivingWorker) -> String? {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while server.isAlive {
            if answers { return nil }
            if interruption.isRaised { return "\(Interrupted())" }
            if ContinuousClock.now > deadline {
                return "its \(role) was not ready within \(Int(seconds.rounded(.up))) s"
            }
            Pause.seconds(0.002)
        }
        return "its \(role) ended before it was ready"
    }

    private var answers: Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        let isDropped: @Sendable () -> Bool = {
            interruption.isRaised || ContinuousClock.now > deadline
        }
        switch ready {
        case .port: return (try? PlayerConnection(port: port, isDropped: isDropped)) != nil
        case .url(let text):
            guard let url = URLComponents(string: text),
                let port = UInt16(exactly: url.port ?? 80),
                let connection = try? PlayerConnection(port: port, isDropped: isDropped)
            else { return false }
            let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
            let query = url.percentEncodedQuery.map { "?\($0)" } ?? ""
            let head =
                "GET \(path)\(query) HTTP/1.1\r\nHost: \(url.host ?? "127.0.0.1"):\(port)\r\n"
                + "Connection: close\r\n\r\n"
            return (try? connection.send(head)) != nil && (try? connection.readHead()) != nil
        }
    }
}
