internal import Fixture
internal import LoopbackHTTP
internal import OriginFaults

/// What a mount serves at one time: another version, or what faults have made of it.
extension Resource {
    /// The entity tag, where it is sent.
    var sentTag: String? { hidesTag ? nil : etag }

    var validators: Validators {
        let strongTag = sentTag.flatMap { EntityTag.isStrong($0) ? $0 : nil }
        return Validators(etag: sentTag, strongTag: strongTag, lastModified: lastModified)
    }

    /// Another version of the same video that differs in every byte.
    var changed: Resource {
        var changed = self
        changed.source = ChangedVideo(original: source)
        changed.etag = "\(etag.dropLast())-changed\""
        changed.lastModified = lastModified.map { _ in Self.laterDate }
        return changed
    }

    /// The resource after the faults have removed or replaced parts of it.
    func spoiled(by faults: [OriginFault]) -> Resource {
        var spoiled = self
        for fault in faults { if case .resource(let change) = fault.action { change(&spoiled) } }
        return spoiled
    }

    mutating func encode() {
        source = GzipVideo(of: source)
        contentEncoding = "gzip"
        etag = "\(etag.dropLast())-gzip\""
    }

    /// The same from the server that answers a request, from 0 on, with that server's tag.
    func fromEdge(_ request: Int, _ faults: [OriginFault]) -> Resource {
        let more = faults.filter { $0.kind == .edges }.reduce(0) { $0 + Int($1.amount) }
        let edge = request % (more + 1)
        guard edge > 0 else { return self }
        var resource = self
        resource.etag = "\(etag.dropLast())-edge\(edge)\""
        return resource
    }

    /// The date of a resource without one, when a fault needs one.
    static let date = "Thu, 01 Jan 2026 00:00:00 GMT"
    /// The date of every changed version.
    static let laterDate = "Fri, 02 Jan 2026 00:00:00 GMT"
}

/// Another version of a video: of the same length, and different at every position.
struct ChangedVideo: VideoSource {
    let original: any VideoSource

    var length: Int64 { original.length }
    var identity: String { "\(original.identity)-changed" }
    var owner: BlockOwner? { original.owner?.complement }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
        try original.read(into: buffer, at: offset)
        for index in buffer.indices { buffer[index] = ~buffer[index] }
    }
}
