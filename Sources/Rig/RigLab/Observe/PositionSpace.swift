package import Fixture
internal import RigModel
internal import Witness

/// The videos of an iteration laid end to end: one space of byte positions for all evidence.
///
/// Video k begins where video k − 1 ends, so a position identifies its video, and sets of positions
/// are counted, joined and subtracted as for one video.
package struct PositionSpace: Sendable {
    struct Part: Sendable {
        /// The address by which the worker knows it.
        let url: String
        let source: any VideoSource
        let base: Int64

        var positions: Range<Int64> { base..<base + source.length }
    }

    let parts: [Part]

    /// Lays videos end to end, at least one: the address and the bytes of each, in order.
    package init(_ videos: [(url: String, source: any VideoSource)]) {
        var base: Int64 = 0
        parts = videos.map { video in
            defer { base += video.source.length }
            return Part(url: video.url, source: video.source, base: base)
        }
    }

    var length: Int64 { parts.last?.positions.upperBound ?? 0 }

    /// The part of a set that lies in one video, as positions of that video.
    func positions(of set: ByteRanges, in part: Part) -> [Range<Int64>] {
        set.intersection(ByteRanges([part.positions])).ranges.map {
            $0.lowerBound - part.base..<$0.upperBound - part.base
        }
    }

    /// Says where a request in the witness page lies in the space.
    ///
    /// With one video, every request lies where the worker says. With several, a request for an
    /// unknown address, or one that leaves its video, lies at -1, where the judge refuses it.
    /// Otherwise it would count as bytes of the next video.
    var placement: WitnessWatch.Placement {
        guard parts.count > 1 else { return WitnessWatch.unplaced }
        let places = Dictionary(
            parts.map { (WitnessLayout.resource(of: $0.url), $0.positions) },
            uniquingKeysWith: { first, _ in first })
        return { record, _ in
            let request = WitnessedRequest(record)
            guard let place = places[record.resource], request.start >= 0,
                max(request.received, request.acknowledged)
                    <= place.upperBound - place.lowerBound - request.start
            else { return request.moved(to: -1) }
            return request.moved(to: place.lowerBound + request.start)
        }
    }
}

extension WitnessedRequest {
    /// A record in the rig's terms, at the start that the worker reports.
    init(_ record: WitnessRecord) {
        self.init(
            start: Int64(clamping: record.start), received: Int64(clamping: record.received),
            acknowledged: Int64(clamping: record.acknowledged), isActive: record.isActive)
    }

    func moved(to start: Int64) -> WitnessedRequest {
        WitnessedRequest(
            start: start, received: received, acknowledged: acknowledged, isActive: isActive)
    }
}
