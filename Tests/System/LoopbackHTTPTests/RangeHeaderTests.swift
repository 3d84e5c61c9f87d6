import Testing

@testable import LoopbackHTTP

@Suite("Range headers are read by RFC 9110, section 14") struct RangeHeaderTests {
    /// All for a resource of 1000 bytes.
    static let cases: [(String, RangeHeader)] = [
        ("bytes=0-1", .single(0..<2)), ("bytes=0-0", .single(0..<1)),
        ("bytes=0-", .single(0..<1000)), ("bytes=999-", .single(999..<1000)),
        ("bytes=500-999", .single(500..<1000)), ("bytes=500-1000", .single(500..<1000)),
        ("bytes=500-99999999999999999999999999", .single(500..<1000)),
        ("bytes=000000000000000000000000000005-6", .single(5..<7)),
        ("bytes=-1", .single(999..<1000)), ("bytes=-1000", .single(0..<1000)),
        ("bytes=-1001", .single(0..<1000)),
        ("bytes=-99999999999999999999999999", .single(0..<1000)), ("BYTES=1-2", .single(1..<3)),
        ("bytes=1-2,", .single(1..<3)), ("bytes=, 1-2 ,\t,", .single(1..<3)),
        ("bytes= 1-2", .single(1..<3)), ("BYTES = 1-2", .single(1..<3)),
        ("bytes= 1-2 ", .single(1..<3)), ("bytes=1000-", .unsatisfiable),
        ("bytes=1000-2000", .unsatisfiable), ("bytes=99999999999999999999999999-", .unsatisfiable),
        ("bytes=-0", .unsatisfiable), ("bytes=-0,1000-1001", .unsatisfiable),
        ("bytes=0-1,5-6", .several([0..<2, 5..<7])), ("bytes=0-1,2000-2001", .several([0..<2])),
        ("bytes=5-6,0-1", .several([5..<7, 0..<2])),
        ("bytes=2000-, 1-2, -1", .several([1..<3, 999..<1000])),
        ("bytes=0-1, -1", .several([0..<2, 999..<1000])), ("bytes=2-1", .ignored),
        ("bytes=99999999999999999999999999-1", .ignored), ("bytes=0-1,2-1", .ignored),
        ("bytes=", .ignored), ("bytes=,", .ignored), ("bytes=-", .ignored), ("bytes=a-b", .ignored),
        ("bytes=0x1-2", .ignored), ("bytes=+1-2", .ignored), ("bytes=1--2", .ignored),
        ("bytes=1-2-3", .ignored), ("bytes=1-2,x", .ignored), ("bytes", .ignored),
        ("bytes=1 - 2", .ignored), ("bytes=1", .ignored), ("bytes=--1", .ignored),
        ("bytes=١-٢", .ignored), ("bytes 0-1", .ignored), ("octets=0-1", .ignored),
        ("=0-1", .ignored), ("", .ignored),
    ]

    @Test("Every form of the header", arguments: cases)
    func forms(header: String, expected: RangeHeader) {
        #expect(RangeHeader(header, length: 1000) == expected)
    }

    @Test("Nothing of an empty resource can be asked for", arguments: ["bytes=0-", "bytes=-1"])
    func empty(header: String) { #expect(RangeHeader(header, length: 0) == .unsatisfiable) }
}
