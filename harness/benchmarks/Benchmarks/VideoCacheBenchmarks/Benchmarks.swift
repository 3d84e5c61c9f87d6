internal import Benchmark

/// What the benchmarking library calls to learn what there is to run.
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

/// The size of a chunk as the cache writes it unless told otherwise.
let chunkSize = 512 << 10
