import Foundation
import Testing

@testable import PlaybackProxy

/// A proxy that is started again over the same folder has the same address.
@Suite final class ProxyKeyTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("ProxyKeyTests-\(UUID())").path

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }
    private var file: String { "\(folder)/proxy-key" }

    @Test func keysDiffer() {
        let keys = (0..<1000).map { _ in ProxyKey() }
        #expect(Set(keys).count == 1000)
        #expect(keys.allSatisfy { $0.text.count == 32 && $0.text.allSatisfy(\.isHexDigit) })
    }

    @Test func aFolderKeepsItsKeyForItsOwnerOnly() throws {
        let key = ProxyKey(keptIn: folder)
        #expect(ProxyKey(keptIn: folder) == key)
        let facts = try FileManager.default.attributesOfItem(atPath: file)
        #expect((facts[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["proxy-key"])
    }

    /// What a power cut leaves of it, or something else under its name, is no key.
    @Test(arguments: ["", "\n", "0123456789abcdef", "0123456789ABCDEF0123456789abcdef\n", "../\n"])
    func aBrokenKeyIsReplaced(content: String) throws {
        try content.write(toFile: file, atomically: false, encoding: .utf8)
        let key = ProxyKey(keptIn: folder)
        #expect(key.text.count == 32)
        #expect(ProxyKey(keptIn: folder) == key)
    }

    @Test func aKeyThatOthersCanReadIsReplaced() throws {
        let key = ProxyKey(keptIn: folder)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let new = ProxyKey(keptIn: folder)
        #expect(new != key)
        #expect(ProxyKey(keptIn: folder) == new)
    }

    @Test func aLinkIsNoKey() throws {
        let key = ProxyKey(keptIn: folder)
        try FileManager.default.moveItem(atPath: file, toPath: file + "-elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: file + "-elsewhere")
        #expect(ProxyKey(keptIn: folder) != key)
    }

    @Test func withoutAFolderTheKeyIsANewOne() {
        let none = "\(folder)/none"
        #expect(ProxyKey(keptIn: none) != ProxyKey(keptIn: none))
    }
}
