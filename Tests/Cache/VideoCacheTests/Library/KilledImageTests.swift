import Foundation
import Testing

@testable import OfflineLibrary
@testable import VideoCache

/// The documents write an image in place, so a kill in the middle leaves half of it under its name.
///
/// That half is shown forever, since the file exists.
///
/// Here the kernel kills a child process in the middle of its write, at a chosen byte: a write past
/// the limit of a file's size raises a fatal signal. The next process must find no image, or the
/// whole old one (O6). The documents' own design, killed in the same way, must be seen to tear the
/// image, or this test proves nothing.
@Suite struct KilledImageTests {
    enum Design: String, Codable, CaseIterable, CustomTestStringConvertible {
        case renamed
        case inPlace

        var testDescription: String { rawValue }
    }

    private static let url = "http://127.0.0.1/a.jpg"
    private static let old = Data(videoBytes(300_000, seed: 1))
    private static let new = Data(videoBytes(1_000_000, seed: 2))

    /// The child's work: writes an image, and is killed after this many bytes of it.
    static func write(_ design: Design, in folder: String, bytes: Int) throws {
        let store = try FileImageStore(folder: folder)
        // Some parents ignore the signal, and so their children do; threads of a pool block it.
        signal(SIGXFSZ, SIG_DFL)
        var deadly = sigset_t()
        sigemptyset(&deadly)
        sigaddset(&deadly, SIGXFSZ)
        pthread_sigmask(SIG_UNBLOCK, &deadly, nil)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        guard setrlimit(Int32(RLIMIT_FSIZE.rawValue), &limit) == 0 else {
            throw CocoaError(.featureUnsupported)
        }
        switch design {
        case .renamed: try store.save(new, url: url)
        case .inPlace: try new.write(to: URL(fileURLWithPath: store.path(of: url)))
        }
    }

    private func names(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("images"))
    }

    /// What is found after a child died during its write, before the next launch cleans up.
    private func found(
        _ design: Design, bytes: Int, after before: Data?
    ) async throws -> (image: Data?, folder: TemporaryFolder) {
        let folder = TemporaryFolder()
        let store = try FileImageStore(folder: folder.path)
        if let before { try store.save(before, url: Self.url) }
        await #expect(processExitsWith: .signal(SIGXFSZ)) {
            [design, bytes, path = folder.path as String] in
            try KilledImageTests.write(design, in: path, bytes: bytes)
        }
        return (try store.image(Self.url), folder)
    }

    @Test(arguments: [0, 1, 4096, 500_000, 999_999], [true, false])
    func anImageIsAbsentOrWhole(bytes: Int, isThere: Bool) async throws {
        let before = isThere ? Self.old : nil
        let (image, folder) = try await found(.renamed, bytes: bytes, after: before)
        #expect(image == before)
        // The next launch removes the remains of the write, and the image can be written.
        #expect(try names(in: folder).count == (isThere ? 2 : 1))
        let store = try FileImageStore(folder: folder.path)
        #expect(try names(in: folder).count == (isThere ? 1 : 0))
        #expect(try store.image(Self.url) == before)
        try store.save(Self.new, url: Self.url)
        #expect(try store.image(Self.url) == Self.new)
        #expect(try names(in: folder).count == 1)
    }

    @Test(arguments: [true, false])
    func theDocumentsDesignIsSeenToTearIt(isThere: Bool) async throws {
        let (image, _) = try await found(.inPlace, bytes: 500_000, after: isThere ? Self.old : nil)
        #expect(image == Self.new[..<500_000])
    }

    /// Killed when all bytes were written, right before the rename.
    @Test func aWriteThatIsNotPublishedLeavesNothing() async throws {
        let folder = TemporaryFolder()
        let store = try FileImageStore(folder: folder.path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            let images = ImageFolder(path: path + "/images")
            let file = try images.beginFile(FileImageStore.fileName(of: "http://127.0.0.1/a.jpg"))
            try file.write(Data([1, 2, 3]))
            SystemCallKiller.die()
        }
        #expect(try names(in: folder).count == 1)
        #expect(try store.image(Self.url) == nil)
        _ = try FileImageStore(folder: folder.path)
        #expect(try names(in: folder) == [])
    }
}
