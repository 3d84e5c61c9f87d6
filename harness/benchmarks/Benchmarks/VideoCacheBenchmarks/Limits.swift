internal import Benchmark
internal import Foundation
internal import VideoCache

/// The speeds that no cache on this machine can exceed: of memory, checksum and page cache.
func addLimits() {
    Benchmark("limit: copy 512 KB in memory") { benchmark, memory in
        benchmark.startMeasurement()
        memory.copyBytes()
        benchmark.stopMeasurement()
        blackHole(memory.copy[chunkSize - 1])
    } setup: {
        TwoBuffers()
    }
    Benchmark("limit: XXH3 of 512 KB") { _, memory in
        blackHole(Checksum.xxh3(UnsafeRawBufferPointer(memory.bytes)))
    } setup: {
        TwoBuffers()
    }
    Benchmark("limit: write 512 KB to a file") { benchmark, file in
        try file.makeRoom()
        benchmark.startMeasurement()
        try file.append()
        benchmark.stopMeasurement()
    } setup: {
        try GrowingFile()
    }
}

/// Two buffers of a chunk's size, both touched.
final class TwoBuffers {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 64)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 64)

    init() {
        for index in 0..<chunkSize { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
        copyBytes()
    }

    func copyBytes() { copy.copyMemory(from: UnsafeRawBufferPointer(bytes)) }

    deinit {
        bytes.deallocate()
        copy.deallocate()
    }
}

/// A file that grows by a chunk at a time, and restarts before it fills the memory.
final class GrowingFile {
    private static let mostBytes = 256 << 20

    private let folder: TemporaryFolder
    private let descriptor: Int32
    private let memory = TwoBuffers()
    private var size = 0

    init() throws {
        folder = try TemporaryFolder()
        descriptor = open(folder.path + "/file", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit { close(descriptor) }

    func makeRoom() throws {
        guard size >= Self.mostBytes else { return }
        guard ftruncate(descriptor, 0) == 0 else { throw CocoaError(.fileWriteUnknown) }
        size = 0
    }

    func append() throws {
        guard pwrite(descriptor, memory.bytes.baseAddress, chunkSize, off_t(size)) == chunkSize
        else { throw CocoaError(.fileWriteUnknown) }
        size += chunkSize
    }
}

/// A folder that is removed with the object.
final class TemporaryFolder {
    let path: String

    init() throws {
        path =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("VideoCacheBenchmarks-\(UUID())").path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
