/// Combines several observers into one; they are called in order.
package struct ObserverGroup: CacheObserver {
    package let members: [any CacheObserver]

    package init(members: [any CacheObserver]) { self.members = members }

    package func adding(_ member: any CacheObserver) -> Self { Self(members: members + [member]) }

    package func entered(_ phase: CachePhase) {
        for member in members { member.entered(phase) }
    }

    package func willEvict(_ range: ByteRange, of url: String) {
        for member in members { member.willEvict(range, of: url) }
    }

    package func lookedUp(
        _ wanted: ByteRange?, of url: String, by reader: Int?,
        _ retrieval: () -> Result<Retrieval, CacheError>
    ) {
        for member in members { member.lookedUp(wanted, of: url, by: reader, retrieval) }
    }

    package func retrieved(_ chunk: ByteRange, of url: String, by reader: Int) {
        for member in members { member.retrieved(chunk, of: url, by: reader) }
    }

    package func informed(about url: String, from source: InformationSource) {
        for member in members { member.informed(about: url, from: source) }
    }

    package func left(_ reading: Reading, of url: String) {
        for member in members { member.left(reading, of: url) }
    }

    package func mended(_ url: String?, lost: [ByteRange]) {
        for member in members { member.mended(url, lost: lost) }
    }

    package func requestBegan(url: String, start: Int64) -> any RequestObserver {
        RequestGroup(members: members.map { $0.requestBegan(url: url, start: start) })
    }
}

/// Combines the observers of one request into one.
private struct RequestGroup: RequestObserver {
    let members: [any RequestObserver]

    func received(_ count: Int) {
        for member in members { member.received(count) }
    }

    func willCommit(_ range: ByteRange) {
        for member in members { member.willCommit(range) }
    }

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        for member in members {
            member.committed(range, stored: stored, acknowledged: acknowledged)
        }
    }

    func saveFailed(_ error: CacheError) {
        for member in members { member.saveFailed(error) }
    }

    func willFinish(unsaved: Int64?, isCancelled: Bool) {
        for member in members { member.willFinish(unsaved: unsaved, isCancelled: isCancelled) }
    }

    func endedUnannounced(at position: Int64) {
        for member in members { member.endedUnannounced(at: position) }
    }

    func ended(_ end: RequestEnd) {
        for member in members { member.ended(end) }
    }
}
