import Testing

@testable import VideoCache

@Suite("The threshold: presets and minimum (B11)")
struct SavePolicyTests {
    @Test func presets() {
        #expect(SavePolicy.conservative.threshold == 256 << 10)
        #expect(SavePolicy.default.threshold == 512 << 10)
        #expect(SavePolicy.aggressive.threshold == 1 << 20)
        #expect(SavePolicy.disabled.threshold == nil)
    }

    @Test func refusesLessThanTheMinimum() throws {
        let error = CacheError.thresholdTooSmall(bytes: 65_536, minimum: 262_144)
        #expect(throws: error) { try SavePolicy(threshold: 65_536) }
        #expect(error.description.hasSuffix("use at least 256KB"))
        #expect(try SavePolicy(threshold: 65_536, allowingSmall: true).threshold == 65_536)
        #expect(throws: CacheError.self) { try SavePolicy(threshold: 16_383, allowingSmall: true) }
    }

    @Test("a threshold takes its memory when a request begins: `9000GB` was taken, and killed")
    func refusesMoreThanTheMaximum() throws {
        let error = CacheError.thresholdTooLarge(bytes: (1 << 30) + 1, maximum: 1 << 30)
        #expect(throws: error) { try SavePolicy(threshold: (1 << 30) + 1) }
        #expect(error.description.hasSuffix("use at most 1GB, or disabled"))
        #expect(throws: CacheError.self) { try SavePolicy(threshold: 9000 << 30) }
        #expect(try SavePolicy(threshold: 1 << 30).threshold == 1 << 30)
    }

    @Test(
        "one more read never takes the unsaved bytes over the threshold (B1)",
        arguments: [16 << 10, 65_536, 256 << 10, 512 << 10, 1 << 20, 300_001])
    func strict(threshold: Int) throws {
        let policy = try SavePolicy(threshold: threshold, allowingSmall: true)
        #expect(policy.readSize >= 1024 && policy.readSize <= 16 << 10)
        let last = threshold - policy.readSize
        #expect(!policy.shouldSave(unsaved: last))
        #expect(policy.shouldSave(unsaved: last + 1))
    }

    /// A TLS library takes a record of 16 KB off the socket, even to read 2 KB of it: a downloader
    /// with a threshold of 32 KB lost 46 KB over https.
    @Test(arguments: [16 << 10, 32 << 10, 65_536, 256 << 10, 512 << 10])
    func overTLSOneMoreRecordNeverDoes(threshold: Int) throws {
        let policy = try SavePolicy(threshold: threshold, allowingSmall: true)
        let head = HTTPResponseHead(status: 200)
        let encrypted = EncryptedSchedule.schedule(policy, of: head, url: "HTTPS://host/v.mp4")
        let last = threshold - (16 << 10)
        #expect(!encrypted.shouldSave(unsaved: last))
        #expect(encrypted.shouldSave(unsaved: last + 1))
        #expect(encrypted.readSize == policy.readSize && encrypted.capacity == threshold)
        let plain = EncryptedSchedule.schedule(policy, of: head, url: "http://host/https:")
        #expect(!plain.shouldSave(unsaved: threshold - policy.readSize))
        let redirected = EncryptedSchedule.schedule(
            policy, of: HTTPResponseHead(status: 200, isEncrypted: true), url: "http://host/v")
        #expect(redirected.shouldSave(unsaved: last + 1))
    }
}
