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

    /// True when clients must connect to a relay: the HTTP server cannot reset its connections.
    var needRelay: Bool {
        !toxics.isEmpty
            || http.contains { if case .reset = $0.kind { true } else { false } }
    }
}
