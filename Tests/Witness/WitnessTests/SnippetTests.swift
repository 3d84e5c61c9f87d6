import Foundation
import Testing
import Witness

/// The snippets of the documentation of `Witness`, compiled and run, and compared elsewhere.
@Suite struct SnippetTests {
    @Test func whatIsWrittenIsRead() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(
            "SnippetTests-\(UUID())"
        ).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try write(path: path, url: "http://127.0.0.1/v.mp4", bytes: [UInt8](repeating: 1, count: 9))
        #expect(try unsaved(path: path) == 0)
    }

    private func write(path: String, url: String, bytes: [UInt8]) throws {
        func save(_ bytes: [UInt8]) throws {}
        let page = try WitnessWriter(path: path)
        page.enter(.connecting)
        let request = page.begin(url: url, start: 0)
        page.enter(.receiving)
        request?.receive(bytes.count)
        page.enter(.committing)
        try save(bytes)
        page.commitReturned()
        request?.acknowledge(upTo: UInt64(bytes.count))
        request?.end()
        page.enter(.completing)
        page.finish()
    }

    private func unsaved(path: String) throws -> UInt64 {
        let page = try WitnessReader(path: path)
        let requests = page.slots(from: 0).compactMap(\.self)
        let unsaved = requests.reduce(0) { $0 + $1.received - $1.acknowledged }
        #expect(requests.map(\.received) == [9])
        return unsaved
    }
}
