import RigModel
import Testing

@Suite("A file that ends early is described by where it ends")
struct CutFileTests {
    @Test(
        arguments: [
            (0, 10_485_760, "is empty"), (1_572_864, 10_485_760, "ends after 1.5 MB of 10.0 MB"),
            (10_485_759, 10_485_760, "ends 1 byte too early"),
            (10_485_751, 10_485_760, "ends 9 bytes too early"),
            (10, 4_194_304, "ends after 10 B of 4.0 MB"),
        ] as [(Int64, Int64, String)])
    func words(length: Int64, video: Int64, words: String) {
        #expect(CutFile(length: length, video: video).words == words)
    }
}
