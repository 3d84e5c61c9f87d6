package import Fixture
package struct Resource: Sendable { package let source: any VideoSource }
package final class FixtureOrigin: Sendable {
    package func mount(_ r: Resource, at: String) -> Mount { Mount() }
    package func unmount(_ m: Mount) {}
}
package struct LedgerEntry: Sendable { package var requested: Range<Int64>?; package var servedBytes: Int64 }
package final class Mount: Sendable {
    package var url: String { "" }
    package func hold(afterDistinctBytes: Int64) {}
    package func cut() {}
    package var ledger: [LedgerEntry] { [] }
}
package struct FileVideo: VideoSource {
    package init(path: String) throws { self.length = 0 }
    package let length: Int64
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {}
}
