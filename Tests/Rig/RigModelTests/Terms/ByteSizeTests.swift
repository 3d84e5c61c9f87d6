import RigModel
import Testing

@Suite struct ByteSizeTests {
    @Test(arguments: [
        ("0", 0), ("4096", 4096), ("1B", 1), ("512KB", 524_288), ("512kb", 524_288),
        ("512KiB", 524_288), ("512K", 524_288), ("1MB", 1_048_576), ("1m", 1_048_576),
        ("2GB", 2_147_483_648), ("1.5MB", 1_572_864), ("0.5KB", 512),
        ("9223372036854775807", Int64.max),
    ])
    func reads(text: String, bytes: Int64) { #expect(ByteSize(text)?.bytes == bytes) }

    @Test(arguments: [
        "", "KB", "-1", "+1", "1.5", "1.5B", "1 KB", "1TB", "5%", "1e3", "0x10", "1..5MB", "..KB",
        "٣KB", "nan", "inf", "9223372036854775808", "9223372036854775807KB", "99999999999.5GB",
    ])
    func refuses(text: String) { #expect(ByteSize(text) == nil) }

    @Test(arguments: [
        (0, "0"), (1, "1"), (1000, "1000"), (1024, "1KB"), (524_288, "512KB"),
        (1_048_576, "1MB"), (1_572_864, "1536KB"), (1_073_741_824, "1GB"), (1025, "1025"),
    ])
    func namesTheSizeExactly(bytes: Int64, name: String) {
        let size = ByteSize(bytes: bytes)
        #expect(size.name == name)
        #expect(size.description == name)
        #expect(ByteSize(name) == size)
    }
}
