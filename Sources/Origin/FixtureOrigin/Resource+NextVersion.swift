internal import Fixture
package import OriginFaults

extension Resource {
    /// Another version: different at every position of the first, with other validators.
    package func nextVersion(_ next: OriginFault.NextLength = .same) -> Resource {
        let changed = Representation(self).changed
        return Resource(
            source: ResizedVideo(whole: changed.source, next), contentType: contentType,
            etag: changed.etag, lastModified: changed.lastModified, cacheControl: cacheControl,
            bytesPerSecond: bytesPerSecond)
    }

    /// The same resource with a date, so that both validators can change.
    package var dated: Resource {
        var dated = self
        dated.lastModified = lastModified ?? Representation.date
        return dated
    }
}

/// The first part of a video, or the whole with its beginning once more behind it.
private struct ResizedVideo: VideoSource {
    let whole: any VideoSource
    let length: Int64

    init(whole: any VideoSource, _ next: OriginFault.NextLength) {
        self.whole = whole
        length = next.of(whole.length)
    }

    var identity: String {
        length == whole.length ? whole.identity : "\(whole.identity)-resized-\(length)"
    }
    var owner: BlockOwner? { whole.owner }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        try checkWindow(at: offset, count: buffer.count)
        let inside = Int(max(0, min(Int64(buffer.count), whole.length - offset)))
        if inside > 0 { try whole.read(into: .init(rebasing: buffer[..<inside]), at: offset) }
        guard inside < buffer.count else { return }
        try whole.read(
            into: .init(rebasing: buffer[inside...]), at: offset + Int64(inside) - whole.length)
    }
}
