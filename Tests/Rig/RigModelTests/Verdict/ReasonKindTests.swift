import RigModel
import Testing

@Suite("Reasons are counted by their kind")
struct ReasonKindTests {
    @Test(
        "numbers, sizes and places make no kind of their own",
        arguments: [
            ("lost 1 byte, at 0..<1", "lost 512 bytes, at 0..<512", true),
            ("lost 9 bytes, at 0..<4, 9..<12 and 2 more", "lost 9 bytes, at 0..<9", true),
            ("ends after 1.5 MB of 10.0 MB", "ends after 97 B of 10.0 MB", true),
            ("ends after 1.5 MB of 10.0 MB", "is empty", false),
            ("shifted by -1", "shifted by -5098696", true),
            ("shifted by -1", "foreign bytes", false),
            ("exit code 1", "signal 1", false),
        ])
    func kinds(first: String, second: String, areAlike: Bool) {
        #expect((ReasonKind.of(first) == ReasonKind.of(second)) == areAlike)
    }

    @Test("of the most frequent kind the first is the example; of equal ones the first kind")
    func mostFrequent() throws {
        func found(_ reasons: [String]) -> [String] {
            ReasonKind.mostFrequent(of: reasons, by: { $0 }).map { [$0.example, "\($0.count)"] }
                ?? []
        }
        #expect(found(["odd", "5 lost", "6 lost", "even", "7 lost"]) == ["5 lost", "3"])
        #expect(found(["odd", "5 lost"]) == ["odd", "1"])
        #expect(found([]) == [])
    }
}
