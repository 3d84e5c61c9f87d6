import RigModel
import Testing

@Suite struct PolicyTests {
    @Test(
        arguments: [
            ("512KB", "512KB", 524_288), ("524288", "512KB", 524_288), ("0.5mb", "512KB", 524_288),
            ("1MB", "1MB", 1_048_576), ("1000", "1000", 1000), ("disabled", "disabled", nil),
            ("DISABLED", "disabled", nil), ("conservative", "256KB", 262_144),
            ("default", "512KB", 524_288), ("Aggressive", "1MB", 1_048_576),
        ] as [(String, String, Int64?)])
    func reads(text: String, name: String, bound: Int64?) {
        #expect(Policy(text)?.name == name)
        #expect(Policy(text)?.boundPerRequest(under: .sigkill) == bound)
    }

    @Test(arguments: ["", "0", "0KB", "none", "-512KB", "512KB,1MB", "conservativ", "standard"])
    func refuses(text: String) {
        #expect(Policy(text) == nil)
    }

    @Test(arguments: [("disabled", "97-98"), ("512KB", "3-5"), ("1MB", nil), ("256KB", nil)])
    func knowsWhatTheDocumentsSay(text: String, percent: String?) {
        #expect(Policy(text)?.documentedLossPercent == percent)
    }
}
