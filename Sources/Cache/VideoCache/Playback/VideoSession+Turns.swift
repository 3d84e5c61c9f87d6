/// Another answer has begun the version meanwhile, so that this one has to be compared with it.
struct BeganMeanwhile: Error {}

/// What a session does for versions that no validator tells apart.
extension VideoSession {
    /// The end of the cached bytes before a position, if a download of the version begins there:
    /// one answer that also brings the bytes between shows its version better than a look
    /// elsewhere, which another server may answer.
    func bridge(to position: Int64, of version: VideoVersion) throws -> Int64? {
        guard version.isCompared, let video = version.video else { return nil }
        let before = try withStore { try $0.ranges(of: video) }.ranges.last { $0.end <= position }
        guard let end = before?.end, position - end <= 2 * SessionState.joinDistance else {
            return nil
        }
        return end
    }

    /// The last bytes of a version that each running download holds, to compare an answer with;
    /// waits for the first bytes of another run, when nothing else of the version is there yet.
    func tails(of version: VideoVersion, run number: Int) throws -> [KeptBytes.Tail] {
        while true {
            let moves = monitor.withLock { $0.moves }
            let isStored =
                try version.video.flatMap { try loader.store.cachedRange(of: $0, from: 0) } != nil
            let tails = try monitor.wait { state -> [KeptBytes.Tail]?? in
                guard let own = state.runs[number], !own.isEnding else {
                    throw TransportError.cancelled
                }
                let others = state.runs.filter { $0.key != number && $0.value.version === version }
                let tails = ([own] + others.values).filter { !$0.tail.isEmpty }.map(\.lastKept)
                if isStored || !tails.isEmpty || others.isEmpty { return .some(tails) }
                guard version.isBegun(besides: number) else { return .some(tails) }
                return state.moves == moves ? nil : .some(nil)
            }
            if let tails { return tails }
        }
    }

    /// True if the origin serves another version in turn with this one: it was replaced by this
    /// one, and has come again, but not often while this one never came.
    func comesInTurn(_ facts: ContentInformation, with version: VideoVersion) -> Bool {
        if version.isUnsaved { return true }
        guard let tag = facts.strongETag else { return false }
        return monitor.withLock { state in
            guard let count = state.formerTags[tag] else { return false }
            state.formerTags[tag] = count + 1
            return count < Self.mostTurns
        }
    }

    private static let mostTurns = 64

    /// Records that the origin has sent bytes of a version.
    func came(_ version: VideoVersion) {
        guard !version.isUnsaved else { return }
        monitor.withLock { state in for tag in state.formerTags.keys { state.formerTags[tag] = 0 } }
    }

    /// Plays another version to the readers that wait for a run, unsaved: each of two versions in
    /// turn would otherwise drop what is cached of the other.
    func divert(_ number: Int, from version: VideoVersion, to facts: ContentInformation) {
        monitor.change { state in
            guard let run = state.runs[number] else { return }
            let other = VideoVersion.unsaved(facts, url: url, in: loader.store)
            for (reader, seen) in state.readers
            where seen.version === version && (seen.waitsFor == number || version.isUnsaved) {
                if seen.hasStarted {
                    state.readers[reader]?.failure = DownloadError.changed(url: url)
                } else {
                    state.readers[reader]?.version = other
                }
            }
            state.runs[number] = SessionState.Run(
                version: other, end: run.end, tailStart: run.position, isWhole: false,
                isUncached: true, fields: run.fields, cancellation: run.cancellation)
            state.moves += 1
        }
    }
}

extension SessionState.Run {
    fileprivate var lastKept: KeptBytes.Tail {
        let bytes = Array(tail.suffix(Int(Overlap.size)))
        return KeptBytes.Tail(start: position - Int64(bytes.count), bytes: bytes)
    }
}
