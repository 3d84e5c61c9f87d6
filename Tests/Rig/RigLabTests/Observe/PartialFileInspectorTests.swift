import Fixture
import Foundation
import GRDB
import RigModel
import Testing

@testable import RigLab

/// A state that is one file with the video's first bytes: how much is there, to the byte.
struct PartialFileInspectorTests {
    private let video = BytesVideo.pattern(700_000)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ bytes: some Sequence<UInt8>, to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    private func write(_ text: String, to name: String) throws { try write(text.utf8, to: name) }

    private func inspect(
        _ file: PartialFile, completed: String = "{output}", outputName: String? = "v.mp4"
    ) throws -> Autopsy {
        try PartialFileInspector(file: file, completed: completed, video: video, url: "http://v")
            .inspect(CopiedState(folder: folder.path, outputName: outputName))
    }

    @Test(arguments: ["{dir}/part", "part"])
    func theFilesOwnLengthIsClaimed(path: String) throws {
        try write(video.bytes[..<300_001], to: "part")
        let autopsy = try inspect(PartialFile(path: path))
        #expect(autopsy.integrityCheck == "ok")
        #expect(autopsy.recovered.ranges == [0..<300_001])
        #expect(autopsy.claimedRanges == autopsy.recovered)
        #expect(autopsy.chunks.map(\.checksumMatches) == [nil])
        #expect(autopsy.corruptBytes == 0)
    }

    /// The relaunched worker writes during the autopsy; that must not be read as recovered.
    ///
    /// Only one suite of real kills used to notice an autopsy of the live folder.
    @Test func theAutopsyReadsTheCopyAndNotTheLivingFolder() throws {
        let iteration = try IterationFolder(
            creating: folder.file("iteration"), outputInState: "v.mp4")
        let worker = WorkerProfile(
            name: "part", command: ["part", "{url}"],
            inspection: .file(PartialFile(path: "{output}")))
        try Data(video.bytes[..<1_000]).write(to: URL(fileURLWithPath: iteration.output))
        try iteration.keepState(ofKill: 1)
        try Data(video.bytes).write(to: URL(fileURLWithPath: iteration.output))
        let found = worker.examine(
            copy: iteration.keptState(ofKill: 1), fileName: "v.mp4",
            in: PositionSpace([("http://v", video)]))
        #expect(found?.complaint == nil)
        #expect(found?.autopsy?.recovered.ranges == [0..<1_000])
    }

    @Test func theOutputLiesInTheCopy() throws {
        try write(video.bytes[..<1_000], to: "v.mp4")
        #expect(try inspect(PartialFile(path: "{output}")).recovered.ranges == [0..<1_000])
    }

    /// Bytes past the recorded length were written but never claimed to be safe.
    @Test(arguments: ["250000", "250000\n", " 250000 "])
    func aNumberInAFileIsTheLength(text: String) throws {
        try write(video.bytes[..<300_000] + [7, 7, 7], to: "part")
        try write(text, to: "part.length")
        let autopsy = try inspect(
            PartialFile(path: "{dir}/part", length: .file("{dir}/part.length")))
        #expect(autopsy.recovered.ranges == [0..<250_000])
        #expect(autopsy.claimedRanges.ranges == [0..<250_000])
    }

    @Test func aNumberInADatabaseIsTheLength() throws {
        try write(video.bytes[..<300_000], to: "part")
        let queue = try DatabaseQueue(path: folder.file("state.db"))
        try queue.write {
            try $0.execute(
                sql: """
                    CREATE TABLE download (url TEXT, done INTEGER);
                    INSERT INTO download VALUES ('http://other', 9), ('http://v', 123456)
                    """)
        }
        try queue.close()
        let queries: [(String, Int64)] = [
            ("SELECT done FROM download WHERE url = :url", 123_456),
            ("SELECT min(done) FROM download", 9),
        ]
        for (sql, length) in queries {
            let file = PartialFile(
                path: "{dir}/part", length: .query(database: "{dir}/state.db", sql: sql))
            #expect(try inspect(file).recovered.ranges == [0..<length])
        }
        let nowhere = PartialFile(
            path: "part",
            length: .query(database: "state.db", sql: "SELECT done FROM download WHERE url = ''"))
        #expect(try inspect(nowhere) == .nothing)
        let text = PartialFile(
            path: "part", length: .query(database: "state.db", sql: "SELECT url FROM download"))
        #expect(try inspect(text).integrityCheck.contains("the query for the length"))
        let unknown = PartialFile(
            path: "part", length: .query(database: "state.db", sql: "SELECT gone FROM download"))
        #expect(throws: DatabaseError.self) { try inspect(unknown) }
    }

    /// The state after a kill right after launch.
    @Test func noFileAndNoLengthHoldNothing() throws {
        let lengths: [PartialFile.Length] = [
            .size, .file("part.length"), .query(database: "state.db", sql: "SELECT 1"),
        ]
        for length in lengths {
            #expect(try inspect(PartialFile(path: "part", length: length)) == .nothing)
        }
        try write(video.bytes[..<10], to: "part")
        for length in lengths.dropFirst() {
            #expect(try inspect(PartialFile(path: "part", length: length)) == .nothing)
        }
    }

    @Test(arguments: ["", "abc", "-1", "12 34", "9223372036854775807", "1e3", "\u{0}\u{0}"])
    func aLengthThatIsNoNumberIsAFinding(text: String) throws {
        try write(video.bytes[..<1_000], to: "part")
        try write(text, to: "part.length")
        let autopsy = try inspect(PartialFile(path: "part", length: .file("part.length")))
        #expect(autopsy.integrityCheck.contains("part.length"))
        #expect(autopsy.recovered.isEmpty)
    }

    @Test func aDatabaseThatIsNoneIsAFinding() throws {
        try write(video.bytes[..<1_000], to: "part")
        try write(Array(repeating: 7, count: 20_000), to: "state.db")
        let file = PartialFile(path: "part", length: .query(database: "state.db", sql: "SELECT 1"))
        #expect(try inspect(file).integrityCheck != "ok")
    }

    // MARK: Planted bugs

    /// The length is written before the bytes: after the kill some are missing.
    @Test(arguments: [0, 1, 262_144, 299_999])
    func bytesThatAreClaimedAndMissingAreCorrupt(size: Int) throws {
        try write(video.bytes[..<size], to: "part")
        try write("300000", to: "part.length")
        let autopsy = try inspect(PartialFile(path: "part", length: .file("part.length")))
        #expect(autopsy.recovered.count == Int64(size))
        #expect(autopsy.corruptBytes == 300_000 - Int64(size))
        #expect(autopsy.undetectedBytes == autopsy.corruptBytes)
        #expect(autopsy.claimedRanges.ranges == [0..<300_000])
    }

    @Test func aFileThatIsGoneIsMissingWholly() throws {
        try write("300000", to: "part.length")
        let autopsy = try inspect(PartialFile(path: "part", length: .file("part.length")))
        #expect(autopsy.corruptBytes == 300_000)
        #expect(autopsy.recovered.isEmpty)
    }

    /// A hole in the middle: the bytes around it are right, and those from its start to its end
    /// wrong.
    @Test(arguments: [
        (100_000, 150_000), (0, 10), (262_143, 262_145), (250_000, 530_000), (699_999, 700_000),
    ])
    func aHoleIsFoundToTheByte(from: Int, to: Int) throws {
        var bytes = video.bytes
        for index in from..<to { bytes[index] = ~bytes[index] }
        try write(bytes, to: "part")
        let autopsy = try inspect(PartialFile(path: "part"))
        #expect(autopsy.corruptBytes == Int64(to - from))
        let hole = ByteRanges([Int64(from)..<Int64(to)])
        #expect(autopsy.recovered == ByteRanges([0..<700_000]).subtracting(hole))
        #expect(autopsy.firstDifference?.offset == Int64(from))
        #expect(autopsy.claimedRanges.count == 700_000)
    }

    /// Some of the video's bytes are zero too; such matches are not recovery.
    @Test func zerosOfAPreallocatedFileAreOneStretch() throws {
        try write(video.bytes[..<400_000] + Array(repeating: 0, count: 300_000), to: "part")
        let zeros = video.bytes[400_000...].count { $0 == 0 }
        #expect(zeros > 1_000)
        let autopsy = try inspect(PartialFile(path: "part"))
        #expect(autopsy.corruptBytes == 300_000 - Int64(zeros))
        let first = try #require(video.bytes[400_000...].firstIndex { $0 != 0 })
        let last = try #require(video.bytes.lastIndex { $0 != 0 })
        #expect(
            autopsy.recovered.ranges
                == [0..<Int64(first), Int64(last) + 1..<700_000].filter { !$0.isEmpty })
    }

    @Test func bytesPastTheVideosEndAreCorrupt() throws {
        try write(video.bytes + [1, 2, 3], to: "part")
        let autopsy = try inspect(PartialFile(path: "part"))
        #expect(autopsy.corruptBytes == 3)
        #expect(autopsy.recovered.ranges == [0..<700_000])
    }

    // MARK: The completed file

    /// The worker finished by renaming its file, so nothing is lost.
    @Test func aCompletedFileTakesThePlaceOfTheOneThatIsGone() throws {
        try write(video.bytes, to: "v.mp4")
        for length in [PartialFile.Length.size, .file("part.length")] {
            let autopsy = try inspect(PartialFile(path: "part", length: length))
            #expect(autopsy.recovered.count == 700_000)
        }
        // If the partial file still exists, it is the worker's claim.
        try write(video.bytes[..<5], to: "part")
        #expect(try inspect(PartialFile(path: "part")).recovered.count == 5)
    }

    @Test func aCompletedFileThatIsWrongIsCorrupt() throws {
        try write(video.bytes.dropLast(), to: "v.mp4")
        try write("700000", to: "part.length")
        // Its own bytes are right; the missing one shows in the refetched bytes.
        let autopsy = try inspect(PartialFile(path: "part", length: .file("part.length")))
        #expect(autopsy.recovered.count == 699_999)
    }

    // MARK: Paths

    /// With a run folder given as a relative path, nothing was found in any state.
    @Test(arguments: ["/tmp/run/copy", "run/copy", "../run/copy"])
    func aCopyMayLieAnywhere(folder: String) throws {
        let state = CopiedState(folder: folder, outputName: "v.mp4")
        #expect(try state.path("part") == "\(folder)/part")
        #expect(try state.path("{dir}/a/part") == "\(folder)/a/part")
        #expect(try state.path("{output}.part") == "\(folder)/v.mp4.part")
    }

    @Test(arguments: [
        "/etc/hostname", "{dir}/../part", "../part", "{output}", "{dirr}/part", "{threshold}",
        "{dir}", "a/{dir}/part",
    ])
    func aPathOutsideTheCopyIsRefused(path: String) throws {
        expectError(.usage) {
            _ = try inspect(PartialFile(path: path), completed: "x", outputName: nil)
        }
    }
}
