import Testing
import VideoCache

@testable import PlaybackProxy

/// The `Range` header of RFC 9110 (14.1, 14.2), for a video of 1000 bytes.
@Suite struct RangeHeaderTests {
    @Test(
        arguments: [
            ("bytes=0-", 0, 1000), ("bytes=0-0", 0, 1), ("bytes=0-1", 0, 2),
            ("bytes=999-", 999, 1), ("bytes=990-2000", 990, 10),
            ("bytes=0-99999999999999999999", 0, 1000), ("bytes=-500", 500, 500),
            ("bytes=-5000", 0, 1000), ("bytes=-99999999999999999999", 0, 1000),
            ("BYTES = 1-2", 1, 2), ("bytes= 1-2 ", 1, 2), ("bytes=,1-2,", 1, 2),
            ("bytes=5-6,0-1", 5, 2), ("bytes=2000-, 1-2, -1", 1, 2),
        ] as [(String, Int64, Int64)])
    func satisfiable(value: String, offset: Int64, length: Int64) {
        #expect(
            RangeHeader(value, length: 1000)
                == .satisfiable(ByteRange(offset: offset, length: length)))
    }

    @Test(arguments: [
        "bytes=1000-", "bytes=1000-1001", "bytes=-0", "bytes=99999999999999999999-",
        "bytes=1000-,2000-",
    ])
    func unsatisfiable(value: String) {
        #expect(RangeHeader(value, length: 1000) == .unsatisfiable)
    }

    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=2-1", "bytes=1", "bytes=1-2-3",
        "bytes=+1-2", "bytes=1-2,x", "items=0-1", "0-1", "bytes=0x1-", "bytes=1 -2",
        "bytes=١-٢", "bytes=--1",
    ])
    func ignored(value: String) {
        #expect(RangeHeader(value, length: 1000) == .ignored)
    }

    @Test(arguments: ["bytes=0-", "bytes=0-0", "bytes=-1"])
    func anEmptyVideoHasNoBytes(value: String) {
        #expect(RangeHeader(value, length: 0) == .unsatisfiable)
    }
}
