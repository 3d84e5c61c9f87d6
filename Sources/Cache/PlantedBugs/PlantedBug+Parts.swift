internal import CFailedCalls
package import DownloaderCommands
package import OfflineLibrary
package import VideoCache

extension PlantedBug {
    /// The parts with the bug of a name.
    ///
    /// `missing-fdatasync:ENDING` is of one sync: that of the files whose paths end so is left out,
    /// and no other.
    package static func parts(_ name: String) throws(UnknownBug) -> any DownloaderParts {
        let words = name.split(separator: ":", maxSplits: 1)
        guard words.count == 2, words[0] == missingFdatasync.rawValue else {
            return try named(name)
        }
        planted_unsynced(String(words[1]))
        return PlainParts()
    }
}

/// Each part is as it is, unless the bug is in it.
extension PlantedBug: DownloaderParts {
    package func durability(_ durability: Durability) -> Durability {
        planted_retries(self == .retriesFsync)
        planted_believes_close(self == .believesClose)
        return self == .missingFdatasync ? .process : durability
    }

    /// Nil if the bug enforces the capacity itself.
    package func capacity(_ capacity: Int64) -> Int64? {
        [.evictRowOnly, .evictNewest].contains(self) ? nil : capacity
    }

    package func store(
        _ store: any ChunkStore, at path: String, capacity: Int64?, observer: any CacheObserver
    ) throws -> any ChunkStore {
        switch (self, capacity) {
        case (.shiftedChunk, _): SpoilingStore(base: store, spoils: .place)
        case (.flippedByte, _): SpoilingStore(base: store, spoils: .byte)
        case (.restart, _): try ForgetfulStore(base: store)
        case (.recoveryDrops, _): try RewritingStore(base: store)
        case (.dropAtClose, _): DroppingStore(base: store)
        case (.strideLookup, _): StrideStore(base: store)
        case (.cancelDrops, _): CancelDroppingStore(base: store)
        case (.fileNameKeys, _): NameKeyedStore(base: store)
        case (.shorterOverLonger, _): KeyedByOffsetStore(base: store)
        case (.indexLate, _): LateIndexStore(base: store)
        case (.stopsAtGap, _): FirstRangeStore(base: store)
        case (.ignoresWriteError, _): FailureIgnoringStore(base: store)
        case (.completeOnFullDisk, _): FullDiskStore(base: store)
        case (.vanishAsEviction, .some): VanishingStore(base: store)
        case (.evictNewest, let capacity?):
            NewestEvictingStore(base: store, capacity: capacity, observer: observer)
        case (.evictRowOnly, let capacity?):
            try RowEvictingStore(base: store, path: path, capacity: capacity)
        default: store
        }
    }

    package func transport(
        _ transport: any HTTPTransport, observer: any CacheObserver
    ) -> any HTTPTransport {
        switch self {
        // The documents ask for no validator: only with it a namesake would be noticed.
        case .stitchedVersions, .fileNameKeys: StitchingTransport(base: transport)
        case .trustsLength: LengthTrustingTransport(base: transport)
        case .termIgnoredRemainder: AbruptTransport(base: transport)
        case .countedTwice: TwinTransport(base: transport, observer: observer)
        default: transport
        }
    }

    package func schedule(_ schedule: any SaveSchedule) -> any SaveSchedule {
        switch self {
        case .lateThreshold: LateSchedule(base: schedule)
        case .thresholdDoubled: DoubledSchedule(base: schedule)
        case .sharedThreshold: SharedSchedule.first(schedule)
        case .neverCommit: NeverSchedule(base: schedule)
        case .disabledSaves: EagerSchedule(base: schedule)
        default: schedule
        }
    }

    package func witness(_ observer: any LastingObserver) -> any LastingObserver {
        switch self {
        case .acknowledgeEarly: BuggyObserver(base: observer) { EarlyRequest(base: $0, start: $1) }
        case .noteLate: BuggyObserver(base: observer) { base, _ in LateRequest(base: base) }
        case .cancelDrops:
            BuggyObserver(base: observer) { base, _ in CancelDroppingRequest(base: base) }
        case .endlessRequests:
            BuggyObserver(base: observer) { base, _ in EndlessRequest(base: base) }
        default: observer
        }
    }

    package func videoStore(_ store: any VideoStore) -> any VideoStore {
        self == .deleteThenInsert ? DeleteThenInsertStore(base: store) : store
    }

    package func imageStore(_ store: FileImageStore) -> any ImageStore {
        self == .imageInPlace ? InPlaceImageStore(base: store) : store
    }
}
