internal import LoopbackHTTP
internal import Synchronization

/// All faults of an origin, in its HTTP and in its connections.
package struct OriginFaults: Sendable, Hashable {
    /// HTTP faults of every mount; earlier ones strike first.
    package var http: [HTTPFault]
    /// Faults of the connections.
    package var toxics: [Toxic]

    package init(http: [HTTPFault] = [], toxics: [Toxic] = []) {
        self.http = http
        self.toxics = toxics
    }

    /// Makes the links of a server's connections, which it counts; nil if no fault needs any.
    func makeLinks() -> LoopbackServer.MakeLink? {
        let resets = http.contains { if case .reset = $0.kind { true } else { false } }
        guard !toxics.isEmpty || resets else { return nil }
        let accepted = Atomic(0)
        return { [toxics] in
            let number = accepted.add(1, ordering: .relaxed).newValue
            return ToxicLink(ToxicPlan(toxics, connection: number))
        }
    }
}
