internal import CFailedCalls
package import DownloaderCommands
internal import VideoCache

/// A bug planted in the downloader, to prove that a test rig detects it: in one of its parts, or in
/// two.
///
/// It wraps the library from outside: neither the library nor the commands know it. The downloader's
/// profile names the checkers that must find it.
package struct PlantedBug: Sendable, CustomStringConvertible {
    package let name: String
    package let parts: DownloaderParts

    private init(_ name: String, _ plant: (inout DownloaderParts) -> Void) {
        var parts = DownloaderParts()
        plant(&parts)
        (self.name, self.parts) = (name, parts)
    }

    package var description: String { name }

    package static let all: [PlantedBug] = [
        // Reports bytes as safe before their commit (breaks B5).
        PlantedBug("acknowledge-early") {
            $0.witness = { BuggyObserver(base: $0) { EarlyRequest(base: $0, start: $1) } }
        },
        // Writes the third chunk one byte too far into the video (breaks C1).
        PlantedBug("shifted-chunk") {
            $0.store = { SpoilingStore(base: $0.store, spoils: .place) }
        },
        // Flips a byte of the third chunk after its checksum was computed (breaks B5).
        PlantedBug("flipped-byte") { $0.store = { SpoilingStore(base: $0.store, spoils: .byte) } },
        // Checks the threshold only after the next read (breaks B1).
        PlantedBug("late-threshold") { $0.schedule = { $0.late } },
        // Saves at twice the threshold that it is told (breaks B1, B3, B8).
        PlantedBug("threshold-doubled") { $0.schedule = { $0.doubled } },
        // Saves every video by the threshold of the first (breaks S5).
        PlantedBug("shared-threshold") { $0.schedule = { SharedSchedule.first($0) } },
        // Saves nothing before the request ends (breaks B1).
        PlantedBug("never-commit") { $0.schedule = { $0.never } },
        // Saves each read at once with a policy that saves nothing before the end (breaks B2).
        PlantedBug("disabled-saves") { $0.schedule = { $0.eager } },
        // Fetches again what earlier launches have saved (breaks C8).
        PlantedBug("restart") { $0.store = { try ForgetfulStore(base: $0.store) } },
        // Replaces the library's list in two transactions (breaks O4).
        PlantedBug("delete-then-insert") { $0.videoStore = { DeleteThenInsertStore(base: $0) } },
        // Writes the library's images under their final names (breaks O6).
        PlantedBug("image-in-place") { $0.imageStore = { InPlaceImageStore(base: $0) } },
        // Takes bytes of any version for bytes of the cached version (breaks C5).
        PlantedBug("stitched-versions") {
            $0.transport = { base, _ in StitchingTransport(base: base) }
        },
        // Takes the length for a validator where the origin sends none, and continues without
        // comparing bytes (breaks C5).
        PlantedBug("trusts-length") {
            $0.transport = { base, _ in LengthTrustingTransport(base: base) }
        },
        // Evicts a chunk's row but leaves its cached range (breaks B7, C6).
        PlantedBug("evict-row-only") {
            $0.capacity = { _ in nil }
            $0.store = { try RowEvictingStore.on($0) }
        },
        // Drops chunks without announcing it, while others are evicted (breaks B5, C6).
        PlantedBug("vanish-as-eviction") {
            $0.store = { $0.capacity == nil ? $0.store : VanishingStore(base: $0.store) }
        },
        // Evicts the most recently used chunks, and announces it (breaks C6).
        PlantedBug("evict-newest") {
            $0.capacity = { _ in nil }
            $0.store = { NewestEvictingStore.on($0) }
        },
        // Looks up chunks only at multiples of 64 KB (breaks C1).
        PlantedBug("stride-lookup") { $0.store = { StrideStore(base: $0.store) } },
        // Fetches everything twice at the same time, and counts both (breaks C7).
        PlantedBug("counted-twice") { $0.transport = { TwinTransport(base: $0, observer: $1) } },
        // Removes the newest chunk and saves it again when it opens an existing cache, so that a
        // kill of the launch in between loses it (breaks B6).
        PlantedBug("recovery-drops") { $0.store = { try RewritingStore(base: $0.store) } },
        // Removes the newest chunk when it closes the cache, after the video was handed out (breaks
        // B5).
        PlantedBug("drop-at-close") { $0.store = { DroppingStore(base: $0.store) } },
        // Reports that a commit survives a power cut, but syncs nothing (breaks B5, T11).
        PlantedBug("missing-fdatasync") { $0.durability = { _ in .process } },
        // Reports received bytes only when they are saved, so that none seem lost (breaks B1).
        PlantedBug("note-late") {
            $0.witness = { BuggyObserver(base: $0) { base, _ in LateRequest(base: base) } }
        },
        // Ends at once when it is asked to, without saving what came last (breaks S2, T12).
        PlantedBug("term-ignored-remainder") {
            $0.transport = { base, _ in AbruptTransport(base: base) }
        },
        // Never reports the end of a request, so that each one adds a threshold to the allowed loss
        // (breaks B1).
        PlantedBug("endless-requests") {
            $0.witness = { BuggyObserver(base: $0) { base, _ in EndlessRequest(base: base) } }
        },
        // Drops what a cancelled request has not saved yet, as the documents' first version did
        // (breaks S3).
        PlantedBug("cancel-drops") {
            $0.store = { CancelDroppingStore(base: $0.store) }
            $0.witness = { BuggyObserver(base: $0) { one, _ in CancelDroppingRequest(base: one) } }
        },
        // Keeps videos under the last part of their address, as the documents do (breaks C12).
        PlantedBug("file-name-keys") {
            $0.store = { NameKeyedStore(base: $0.store) }
            // The documents ask for no validator: only with it a namesake would be noticed.
            $0.transport = { base, _ in StitchingTransport(base: base) }
        },
        // Lets a shorter save replace a longer one at the same offset, as the documents do (breaks
        // C13).
        PlantedBug("shorter-over-longer") { $0.store = { KeyedByOffsetStore(base: $0.store) } },
        // Writes late where its chunks lie (breaks B5).
        PlantedBug("index-late") { $0.store = { LateIndexStore(base: $0.store) } },
        // Finds what is cached up to the first gap only, and calls it all (breaks B7).
        PlantedBug("stops-at-gap") { $0.store = { FirstRangeStore(base: $0.store) } },
        // Calls saved what it could not write (breaks B5, T13).
        PlantedBug("ignores-write-error") { $0.store = { FailureIgnoringStore(base: $0.store) } },
        // Keeps in memory what a full disk has no room for, and ends with success (breaks T13).
        PlantedBug("complete-on-full-disk") { $0.store = { FullDiskStore(base: $0.store) } },
        // Syncs again what could not be synced, and believes the success (breaks B5, T13).
        PlantedBug("retries-fsync") {
            $0.durability = { durability in
                planted_retries(true)
                return durability
            }
        },
        // Takes a file for written whose close has failed (breaks B5, T13).
        PlantedBug("believes-close") {
            $0.durability = { durability in
                planted_believes_close(true)
                return durability
            }
        },
    ]

    /// The parts with the bug of a name.
    ///
    /// `missing-fdatasync:ENDING` is of one sync: that of the files whose paths end so is left out,
    /// and no other.
    package static func parts(_ name: String) throws(UnknownBug) -> DownloaderParts {
        let words = name.split(separator: ":", maxSplits: 1)
        if words.count == 2, words[0] == "missing-fdatasync" {
            planted_unsynced(String(words[1]))
            return DownloaderParts()
        }
        guard let bug = all.first(where: { $0.name == name }) else { throw UnknownBug(name: name) }
        return bug.parts
    }
}

package struct UnknownBug: Error, CustomStringConvertible {
    let name: String

    package var description: String {
        let known = PlantedBug.all.map(\.name).joined(separator: ", ")
        return "there is no bug '\(name)'; use one of \(known)."
    }
}
