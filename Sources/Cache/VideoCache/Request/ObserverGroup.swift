/// Combines several observers into one; they are called in order.
package struct ObserverGroup: ForwardingObserver {
    package let members: [any CacheObserver]

    package init(members: [any CacheObserver]) { self.members = members }
    package func adding(_ member: any CacheObserver) -> Self { Self(members: members + [member]) }
}

/// Forwards what is reported to others, in order, except what it overrides.
package protocol ForwardingObserver: CacheObserver {
    var members: [any CacheObserver] { get }
}

extension ForwardingObserver {
    private func each(_ report: (any CacheObserver) -> Void) {
        for member in members { report(member) }
    }

    package func entered(_ phase: CachePhase) { each { $0.entered(phase) } }
    package func willEvict(_ range: ByteRange, of url: String) {
        each { $0.willEvict(range, of: url) }
    }
    package func lookedUp(
        _ wanted: ByteRange?, of url: String, by reader: Int?,
        _ retrieval: () -> Result<Retrieval, CacheError>
    ) {
        for member in members { member.lookedUp(wanted, of: url, by: reader, retrieval) }
    }
    package func retrieved(_ chunk: ByteRange, of url: String, by reader: Int) {
        each { $0.retrieved(chunk, of: url, by: reader) }
    }
    package func informed(about url: String, from source: InformationSource) {
        each { $0.informed(about: url, from: source) }
    }
    package func left(_ reading: Reading, of url: String) { each { $0.left(reading, of: url) } }
    package func mended(_ url: String?, lost: [ByteRange]) { each { $0.mended(url, lost: lost) } }
    package func requestBegan(url: String, start: Int64) -> any RequestObserver {
        RequestGroup(members: members.map { $0.requestBegan(url: url, start: start) })
    }
}

private struct RequestGroup: ForwardingRequest {
    let members: [any RequestObserver]
}

/// Forwards what is reported of a request to others, in order, except what it overrides.
package protocol ForwardingRequest: RequestObserver {
    var members: [any RequestObserver] { get }
}

extension ForwardingRequest {
    private func each(_ report: (any RequestObserver) -> Void) {
        for member in members { report(member) }
    }

    package func received(_ count: Int) { each { $0.received(count) } }
    package func willCommit(_ range: ByteRange) { each { $0.willCommit(range) } }
    package func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        each { $0.committed(range, stored: stored, acknowledged: acknowledged) }
    }
    package func saveFailed(_ error: CacheError) { each { $0.saveFailed(error) } }
    package func willFinish(unsaved: Int64?, isCancelled: Bool) {
        each { $0.willFinish(unsaved: unsaved, isCancelled: isCancelled) }
    }
    package func endedUnannounced(at position: Int64) { each { $0.endedUnannounced(at: position) } }
    package func ended(_ end: RequestEnd) { each { $0.ended(end) } }
}
