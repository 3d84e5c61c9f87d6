package import VideoCache

/// An observer that is told when a command's work is over, and may then delay the process's end.
package protocol LastingObserver: CacheObserver {
    /// Reports that the command's work is over.
    func finish()
}

/// Combines several observers into one; they are called in order.
struct ObserverGroup: LastingObserver {
    let members: [any CacheObserver]

    func adding(_ member: any CacheObserver) -> Self { Self(members: members + [member]) }

    func entered(_ phase: CachePhase) {
        for member in members { member.entered(phase) }
    }

    func finish() {
        for case let member as any LastingObserver in members { member.finish() }
    }

    func willEvict(_ range: ByteRange, of url: String) {
        for member in members { member.willEvict(range, of: url) }
    }

    func lookedUp(
        _ wanted: ByteRange?, of url: String, _ retrieval: () -> Result<Retrieval, CacheError>
    ) {
        for member in members { member.lookedUp(wanted, of: url, retrieval) }
    }

    func retrieved(_ chunk: ByteRange, of url: String) {
        for member in members { member.retrieved(chunk, of: url) }
    }

    func mended(_ url: String?, lost: [ByteRange]) {
        for member in members { member.mended(url, lost: lost) }
    }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
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

    func ended(_ end: RequestEnd) {
        for member in members { member.ended(end) }
    }
}
