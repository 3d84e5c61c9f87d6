internal import Benchmark

/// The entry point that the benchmarking library calls to register the benchmarks.
let benchmarks: @Sendable () -> Void = {
    Benchmark.defaultConfiguration = .init(
        metrics: [.wallClock], warmupIterations: 5, maxDuration: .seconds(2),
        maxIterations: 100_000)
    addLimits()
    addRangeSets()
    addChunks()
    addLookups()
    addHits()
}

/// The size of a chunk as the cache writes it by default.
let chunkSize = 512 << 10
