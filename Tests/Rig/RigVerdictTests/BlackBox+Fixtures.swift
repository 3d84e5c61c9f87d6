import RigModel

/// Evidence of a worker that is observed only through its sockets and its requests.
extension Scene {
    /// The bytes on disk of a program that loses up to 4096 bytes, as curl does.
    static let kept: Int64 = 2_996_224

    /// A program like `curl -C -`, killed at 3,000,000 bytes, that has kept 2,996,224 of them.
    static var blackBox: Scene {
        Scene().with {
            $0.contract = .blackBox(.bytes(4096))
            $0.hasWitness = false
            $0.hasAutopsy = false
            $0.sockets = .taken(0..<reached)
            $0.served = [ServedRequest(requested: 0..<video, servedBytes: 3_400_000)]
            $0.fetch(kept..<video)
            $0.wrong = ByteRanges()
        }
    }

    /// The same over `https`, or of another program that cannot be observed.
    static var opaque: Scene {
        blackBox.with {
            $0.sockets = SocketReading(unknown: "the connection is not HTTP")
            $0.taken = nil
        }
    }

    /// The same with a new version of the video at the relaunch, which it completes correctly.
    static var changedOrigin: Scene {
        blackBox.with {
            $0.originChanged = true
            $0.fetch(0..<video)
            $0.stale = ByteRanges()
            $0.isVersionBefore = false
        }
    }

    /// The same, by a worker that had all of the old version, and calls that completed.
    static var stale: Scene {
        changedOrigin.with {
            $0.receiveAll(active: 1)
            $0.keepAll()
            $0.wrong = ByteRanges([0..<video])
            $0.stale = ByteRanges([0..<video])
            $0.isVersionBefore = true
            $0.differing = video
        }
    }

    /// The contract of a worker that promises to revalidate.
    static let revalidating = WorkerContract(
        hasWitness: false, hasInspection: false, bound: .bytes(4096), revalidates: true)
}
