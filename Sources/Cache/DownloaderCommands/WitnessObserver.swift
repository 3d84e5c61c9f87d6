internal import VideoCache
internal import Witness

/// Records what happens in the witness page.
struct WitnessObserver: LastingObserver {
    let writer: WitnessWriter

    func entered(_ phase: CachePhase) {
        writer.enter(Self.phase(phase))
    }

    func finish() { writer.finish() }

    func willEvict(_ range: ByteRange, of url: String) {
        writer.evict(url: url, start: UInt64(range.offset), length: UInt64(range.length))
    }

    func requestBegan(url: String, start: Int64) -> any RequestObserver {
        WitnessRequestObserver(
            writer: writer, request: writer.begin(url: url, start: UInt64(start)))
    }

    private static func phase(_ phase: CachePhase) -> WitnessPhase {
        switch phase {
        case .recovering: .recovering
        case .connecting: .connecting
        case .receiving: .receiving
        case .committing: .committing
        case .checkpointing: .checkpointing
        case .evicting: .evicting
        case .cancelling: .cancelling
        case .completing: .completing
        case .idle: .idle
        }
    }
}

/// Records one request in the witness page.
private struct WitnessRequestObserver: RequestObserver {
    let writer: WitnessWriter
    let request: WitnessRequest?

    func received(_ count: Int) { request?.receive(count) }

    func willCommit(_ range: ByteRange) {}

    func committed(_ range: ByteRange, stored: Int64, acknowledged: Int64) {
        request?.acknowledge(upTo: UInt64(acknowledged))
        if stored > 0 { writer.commitReturned() }
    }

    func ended(_ end: RequestEnd) { request?.end() }
}
