package protocol VideoSource: Sendable {
    var length: Int64 { get }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws
}
package enum FixtureError: Error { case x }
package struct FixtureVideo: VideoSource {
    package init(seed: UInt64, length: Int64) throws(FixtureError) { self.length = length }
    package let length: Int64
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {}
}
