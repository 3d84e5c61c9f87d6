// swift-tools-version:6.2
import PackageDescription

// Continuous integration refuses warnings; a user's newer compiler must not.
let strict: [SwiftSetting] =
    Context.environment["RIG_WARNINGS_AS_ERRORS"] == nil ? [] : [.treatAllWarnings(as: .error)]

let house: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ] + strict

let sqlite = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqliteCalls = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let http = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let sockets = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
let atomics = Target.Dependency.product(name: "Atomics", package: "swift-atomics")
let commandLine = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let processes = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let systemCalls = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let templates = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let yaml = Target.Dependency.product(name: "Yams", package: "Yams")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

func library(
    _ name: String, _ dependencies: [Target.Dependency] = [], tests: [Target.Dependency] = [],
    resources: [Resource] = [], testData: [Resource] = []
) -> [Target] {
    [
        .target(
            name: name, dependencies: dependencies, resources: resources, swiftSettings: house),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.byName(name: name)] + dependencies + tests,
            resources: testData,
            swiftSettings: house
        ),
    ]
}

let package = Package(
    name: "rig",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "rig", targets: ["rig"]),
        .executable(name: "downloader", targets: ["downloader"]),
        .library(name: "VideoCache", targets: ["VideoCache"]),
        .library(name: "PlaybackProxy", targets: ["PlaybackProxy"]),
        .library(name: "Witness", targets: ["Witness"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
        .package(url: "https://github.com/apple/swift-atomics", from: "1.3.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(
            url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        // Needs the headers of libcurl (libcurl4-openssl-dev), and loads the library when it is used.
        .target(name: "CCurl", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        .systemLibrary(
            name: "CXXHash", pkgConfig: "libxxhash",
            providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
        .systemLibrary(name: "CFileSystem"),
        .executableTarget(
            name: "downloader",
            dependencies: [
                "VideoCache", "CurlTransport", "URLSessionTransport", "PlaybackProxy", "Witness",
                commandLine, logging, sqlite,
            ],
            swiftSettings: house),
        .executableTarget(
            name: "rig",
            dependencies: [
                "RigModel", "RigLab", "RigVerdict", "RigReport", "RigBounds", "RigWorkers",
                "RigSettings", "LocatedYAML", "Fixture", "FixtureOrigin", "SyscallTracer",
                commandLine,
            ],
            swiftSettings: house),
        .testTarget(
            name: "RigEndToEndTests",
            dependencies: [
                "rig", "downloader", "RigModel", "RigLab", "RigVerdict", "RigReport", "RigWorkers",
                "Fixture", "FixtureOrigin", "SyscallTracer", "Witness", "Waiting", sqlite,
                processes, systemCalls, http, sockets,
            ],
            exclude: ["Page"], swiftSettings: house),
        .testTarget(name: "HouseTests", dependencies: ["Waiting"], swiftSettings: house),
        // How every test waits.
        .target(name: "Waiting", path: "Tests/Waiting", swiftSettings: house),
        .target(
            name: "RigBounds", dependencies: ["RigModel", yaml],
            resources: [.embedInCode("bounds.yml")], swiftSettings: house),
        .testTarget(
            name: "RigBoundsTests", dependencies: ["RigBounds", "RigModel"], swiftSettings: house),
        .target(
            name: "RigWorkers", dependencies: ["RigModel", "LocatedYAML", yaml],
            resources: [.embedInCode("workers")], swiftSettings: house),
        .testTarget(
            name: "RigWorkersTests", dependencies: ["RigWorkers", "RigModel"],
            swiftSettings: house),
        // Tested by what reads files with it.
        .target(name: "LocatedYAML", dependencies: ["RigModel", yaml], swiftSettings: house),
        .target(name: "CPtrace"),
        .executableTarget(
            name: "FileCaller", path: "Tests/FileCaller"),
        .executableTarget(
            name: "PhaseWalker", dependencies: ["Witness"], path: "Tests/PhaseWalker",
            swiftSettings: house),
        // Tested beside CurlTransport, by the same table of origins.
        .target(
            name: "URLSessionTransport", dependencies: ["VideoCache"], swiftSettings: house),
        .executableTarget(
            name: "CacheFiller", dependencies: ["VideoCache"], path: "Tests/CacheFiller",
            swiftSettings: house),
    ]
        + library(
            "VideoCache", [sqlite, sqliteCalls, "CXXHash"], tests: ["CacheFiller", "Waiting"])
        + library(
            "CurlTransport", ["VideoCache", "CCurl"],
            tests: ["URLSessionTransport", "Fixture", "FixtureOrigin", "Waiting", sqlite])
        + library(
            "PlaybackProxy", ["VideoCache", http, sockets],
            tests: ["CurlTransport", "Fixture", "FixtureOrigin", "Waiting"])
        + library("Witness", [atomics], tests: ["PhaseWalker", "Waiting"])
        + library("Fixture", tests: ["Waiting"], resources: [.embedInCode("clip.mp4")])
        + library("FixtureOrigin", ["Fixture", http, sockets], tests: ["Waiting"])
        + library(
            "SyscallTracer", ["CPtrace"],
            tests: ["FileCaller", "rig", "Waiting", processes, systemCalls])
        + library("RigModel")
        + library(
            "RigLab",
            [
                "RigModel", "Fixture", "FixtureOrigin", "SyscallTracer", "Witness", "CFileSystem",
                "CXXHash", "CCurl", sqlite,
                processes, systemCalls,
            ], tests: ["RigWorkers", "Waiting"])
        + library(
            "RigVerdict", ["RigModel", "Fixture"], testData: [.copy("Statistics/SciPy")])
        + library("RigSettings", ["RigModel", "LocatedYAML"])
        + library(
            "RigReport", ["RigModel", templates], tests: ["Waiting"],
            resources: [.embedInCode("HTML/page")], testData: [.copy("Schemas")])
)
