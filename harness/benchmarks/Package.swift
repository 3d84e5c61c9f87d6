// swift-tools-version:6.2
import Foundation
import PackageDescription

// The store's classes are for this checkout's own package, which is named after its folder.
let checkout = URL(fileURLWithPath: Context.packageDirectory)
    .deletingLastPathComponent().deletingLastPathComponent().lastPathComponent.lowercased()

// A package of its own, so that building the rig does not build this.
let package = Package(
    name: "benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "rig", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        // Without traits it counts no allocations, and needs no library of its own for it.
        .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    ],
    targets: [
        .executableTarget(
            name: "VideoCacheBenchmarks",
            dependencies: [
                .product(name: "Benchmark", package: "benchmark"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "PlaybackProxy", package: "rig"),
                .product(name: "VideoCache", package: "rig"),
            ],
            path: "Benchmarks/VideoCacheBenchmarks",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .unsafeFlags(["-package-name", checkout]),
            ],
            plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
    ]
)
