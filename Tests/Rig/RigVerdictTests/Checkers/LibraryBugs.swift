import RigModel
import RigVerdict
import Testing

extension Scene {
    /// A list and its images, killed while image 7 was being received.
    static var library: Scene {
        Scene().with {
            $0.workload = .offlineLibrary
            $0.library = .healthy
            $0.refetched = [0..<video]
        }
    }
}

extension LibraryEvidence {
    /// List 3 acknowledged, list 4 received and possibly stored; images 4, 5 and 6 acknowledged.
    static let healthy = LibraryEvidence(
        acknowledgedList: 3, receivedList: 4, acknowledgedImages: [4, 5, 6],
        killed: LibraryAutopsy.healthy(3), relaunched: LibraryAutopsy.healthy(13),
        servedAfterwards: 13, imagesAfterwards: [4, 5])

    /// The same with another state of the folder.
    func with(killed: LibraryAutopsy? = nil, relaunched: LibraryAutopsy? = nil) -> LibraryEvidence {
        LibraryEvidence(
            acknowledgedList: acknowledgedList, receivedList: receivedList,
            acknowledgedImages: acknowledgedImages, killed: killed ?? self.killed,
            relaunched: relaunched ?? self.relaunched, servedAfterwards: servedAfterwards,
            imagesAfterwards: imagesAfterwards)
    }
}

extension LibraryAutopsy {
    static func healthy(_ generation: Int) -> LibraryAutopsy { folder(.generation(generation)) }

    static func folder(
        _ list: StoredList, images: [StoredImage]? = nil, strangers: [String] = []
    ) -> LibraryAutopsy {
        LibraryAutopsy(
            integrityCheck: "ok", list: list,
            images: images
                ?? [4, 5, 6].map { StoredImage(number: $0, length: 9, differingBytes: 0) },
            strangers: strangers)
    }
}

/// States in which a list and its images must not be after a kill.
extension PlantedBugTests {
    static let libraryBugs: [Bug] = [
        bug(
            "delete, then insert: the list is gone",
            "there is no list, although list 3 was acknowledged", killed: .folder(.none)),
        bug(
            "a mixture of two lists",
            "the list is neither the old one nor the new one: 7 videos: 4 of the 5 of list 3,"
                + " 3 of the 9 of list 4",
            killed: .folder(.unlike("7 videos: 4 of the 5 of list 3, 3 of the 9 of list 4"))),
        bug(
            "a list older than the one acknowledged",
            "the list is number 2, although number 3 was acknowledged",
            killed: .folder(.generation(2))),
        bug(
            "a list that had not been received",
            "the list is number 5, although only number 4 had been received",
            killed: .folder(.generation(5))),
        bug(
            "an image written in place",
            "1 of 3 images is neither absent nor whole, the first image 5 with 4 bytes",
            killed: .folder(
                .generation(3),
                images: [
                    StoredImage(number: 4, length: 9, differingBytes: 0),
                    StoredImage(number: 5, length: 4, differingBytes: 5),
                    StoredImage(number: 6, length: 9, differingBytes: 0),
                ])),
        bug(
            "an acknowledged image that is gone",
            "1 acknowledged images are gone, the first image 6",
            killed: .folder(
                .generation(3),
                images: [4, 5].map { StoredImage(number: $0, length: 9, differingBytes: 0) })),
        bug(
            "leftovers of a killed write that are not removed",
            "after the relaunch 1 files are left over, the first .tmp-1",
            relaunched: .folder(.generation(13), strangers: [".tmp-1"])),
        bug(
            "a refresh that saves nothing",
            "after the relaunch the list is not number 13, which was served: generation(3)",
            relaunched: .folder(.generation(3))),
        bug(
            "a torn image that a refresh takes for whole",
            "after the relaunch 1 images of the list are absent or torn, the first image 5",
            relaunched: .folder(
                .generation(13),
                images: [
                    StoredImage(number: 4, length: 9, differingBytes: 0),
                    StoredImage(number: 5, length: 4, differingBytes: 5),
                ])),
    ]

    private static func bug(
        _ name: String, _ detail: String, killed: LibraryAutopsy? = nil,
        relaunched: LibraryAutopsy? = nil
    ) -> Bug {
        Bug(
            name, [.library], detail,
            Scene.library.with {
                $0.library = .healthy.with(killed: killed, relaunched: relaunched)
            })
    }
}

/// Valid states after a kill.
@Suite struct HealthyLibraryTests {
    @Test(arguments: [
        LibraryAutopsy.healthy(3),
        // Committed, and killed before that was acknowledged.
        .healthy(4),
        // A killed write leaves a temporary file, until the next launch.
        .folder(.generation(3), strangers: [".tmp-1"]),
    ])
    func passes(killed: LibraryAutopsy) {
        let judgement = Scene.library.with { $0.library = .healthy.with(killed: killed) }.judged
        #expect(judgement.verdict == .pass, "\(judgement.reason)")
    }

    @Test func noListIsRightBeforeTheFirstIsAcknowledged() {
        let scene = Scene.library.with {
            $0.library = LibraryEvidence(
                acknowledgedList: 0, receivedList: 1, acknowledgedImages: [],
                killed: .folder(.none, images: []), relaunched: .healthy(13), servedAfterwards: 13,
                imagesAfterwards: [4])
        }
        #expect(scene.judged.verdict == .pass)
    }

    /// A lost list is a failure whatever happened to the kill.
    @Test func aLostListCountsThoughTheKillWasNotOurs() {
        let scene = Scene.library.with {
            $0.killSent = false
            $0.library = .healthy.with(killed: .folder(.none))
        }
        #expect(scene.judged.verdict == .fail)
    }

    /// Every refresh fetches images again, which is not needless refetching.
    @Test func refetchingIsNotJudged() {
        #expect(Scene.library.with { $0.refetched = [0..<Scene.video] }.judged.verdict == .pass)
    }
}
