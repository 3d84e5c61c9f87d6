/// Bugs planted in the downloader, to prove that a test rig detects them.
///
/// They wrap the library from outside: neither the library nor the commands know them.
package enum PlantedBug: String, CaseIterable, Sendable {
    /// Reports bytes as safe before their commit (breaks B5).
    case acknowledgeEarly = "acknowledge-early"
    /// Writes the third chunk one byte too far into the video (breaks C1).
    case shiftedChunk = "shifted-chunk"
    /// Flips a byte of the third chunk after its checksum was computed (breaks B5).
    case flippedByte = "flipped-byte"
    /// Checks the threshold only after the next read (breaks B1).
    case lateThreshold = "late-threshold"
    /// Saves at twice the threshold that it is told (breaks B1, B3, B8).
    case thresholdDoubled = "threshold-doubled"
    /// Saves every video by the threshold of the first (breaks S5).
    case sharedThreshold = "shared-threshold"
    /// Saves nothing before the request ends (breaks B1).
    case neverCommit = "never-commit"
    /// Saves each read at once with a policy that saves nothing before the end (breaks B2).
    case disabledSaves = "disabled-saves"
    /// Fetches again what earlier launches have saved (breaks C8).
    case restart = "restart"
    /// Replaces the library's list in two transactions (breaks O4).
    case deleteThenInsert = "delete-then-insert"
    /// Writes the library's images under their final names (breaks O6).
    case imageInPlace = "image-in-place"
    /// Takes bytes of any version for bytes of the cached version (breaks C5).
    case stitchedVersions = "stitched-versions"
    /// Takes the length for a validator where the origin sends none, and continues without comparing
    /// bytes (breaks C5).
    case trustsLength = "trusts-length"
    /// Evicts a chunk's row but leaves its cached range (breaks B7, C6).
    case evictRowOnly = "evict-row-only"
    /// Drops chunks without announcing it, while others are evicted (breaks B5, C6).
    case vanishAsEviction = "vanish-as-eviction"
    /// Evicts the most recently used chunks, and announces it (breaks C6).
    case evictNewest = "evict-newest"
    /// Looks up chunks only at multiples of 64 KB (breaks C1).
    case strideLookup = "stride-lookup"
    /// Fetches everything twice at the same time, and counts both (breaks C7).
    case countedTwice = "counted-twice"
    /// Removes the newest chunk and saves it again when it opens an existing cache, so that a kill
    /// of the launch in between loses it (breaks B6).
    case recoveryDrops = "recovery-drops"
    /// Removes the newest chunk when it closes the cache, after the video was handed out (breaks
    /// B5).
    case dropAtClose = "drop-at-close"
    /// Reports that a commit survives a power cut, but syncs nothing (breaks B5, T11).
    case missingFdatasync = "missing-fdatasync"
    /// Reports received bytes only when they are saved, so that none seem lost (breaks B1).
    case noteLate = "note-late"
    /// Ends at once when it is asked to, without saving what came last (breaks S2, T12).
    case termIgnoredRemainder = "term-ignored-remainder"
    /// Never reports the end of a request, so that each one adds a threshold to the allowed loss
    /// (breaks B1).
    case endlessRequests = "endless-requests"
    /// Drops what a cancelled request has not saved yet, as the documents' first version did
    /// (breaks S3).
    case cancelDrops = "cancel-drops"
    /// Keeps videos under the last part of their address, as the documents do (breaks C12).
    case fileNameKeys = "file-name-keys"
    /// Lets a shorter save replace a longer one at the same offset, as the documents do (breaks
    /// C13).
    case shorterOverLonger = "shorter-over-longer"
    /// Writes late where its chunks lie (breaks B5).
    case indexLate = "index-late"
    /// Finds what is cached up to the first gap only, and calls it all (breaks B7).
    case stopsAtGap = "stops-at-gap"
    /// Calls saved what it could not write (breaks B5, T13).
    case ignoresWriteError = "ignores-write-error"
    /// Keeps in memory what a full disk has no room for, and ends with success (breaks T13).
    case completeOnFullDisk = "complete-on-full-disk"
    /// Syncs again what could not be synced, and believes the success (breaks B5, T13).
    case retriesFsync = "retries-fsync"
    /// Takes a file for written whose close has failed (breaks B5, T13).
    case believesClose = "believes-close"

    package static func named(_ name: String) throws(UnknownBug) -> Self {
        guard let bug = Self(rawValue: name) else { throw UnknownBug(name: name) }
        return bug
    }
}

package struct UnknownBug: Error, CustomStringConvertible {
    let name: String

    package var description: String {
        let known = PlantedBug.allCases.map(\.rawValue).joined(separator: ", ")
        return "there is no bug '\(name)'; use one of \(known)."
    }
}
