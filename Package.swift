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
let sockets = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
let atomics = Target.Dependency.product(name: "Atomics", package: "swift-atomics")
let commandLine = Target.Dependency.product(
    name: "ArgumentParser", package: "swift-argument-parser")
let processes = Target.Dependency.product(name: "Subprocess", package: "swift-subprocess")
let systemCalls = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let templates = Target.Dependency.product(name: "Mustache", package: "swift-mustache")
let yaml = Target.Dependency.product(name: "Yams", package: "Yams")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// A library of a room, with its tests in the same room.
func library(
    _ name: String, in room: String, _ dependencies: [Target.Dependency] = [],
    tests: [Target.Dependency] = [], resources: [Resource] = [], testData: [Resource] = []
) -> [Target] {
    [
        .target(
            name: name, dependencies: dependencies, path: "Sources/\(room)\(name)",
            resources: resources, swiftSettings: house),
        .testTarget(
            name: "\(name)Tests",
            dependencies: [.byName(name: name)] + dependencies + tests,
            path: "Tests/\(room)\(name)Tests", resources: testData, swiftSettings: house
        ),
    ]
}

/// The judge's side.
let rig: [Target] =
    library("RigModel", in: "Rig/", ["OriginFaults"], tests: ["TestSupport"])
    + library(
        "RigLab", in: "Rig/",
        [
            "RigModel", "StorageModel", "Fixture", "FixtureOrigin", "OriginFaults",
            "SyscallTracer", "Witness", "CFileSystem", "CSocketDiagnostics", "CVersion", "CXXHash",
            "CCurl", sqlite, processes, systemCalls,
        ], tests: ["HandmadeLogs", "RigProfiles", "TestSupport"])
    + library(
        "RigVerdict", in: "Rig/", ["RigModel", "Fixture"], tests: ["RigProfiles", "OriginFaults"],
        testData: [.copy("Statistics/SciPy")])
    + library(
        "RigReport", in: "Rig/", ["RigModel", templates], tests: ["TestSupport"],
        resources: [.embedInCode("HTML/page")], testData: [.copy("Schemas")])
    + library(
        "RigProfiles", in: "Rig/", ["RigModel", yaml],
        tests: ["TestSupport"],
        resources: [.embedInCode("bounds.yml"), .embedInCode("profiles")])
    + library("RigSettings", in: "Rig/", ["RigModel", "RigProfiles"])
    + library(
        "RigRun", in: "Rig/",
        [
            "RigModel", "RigLab", "RigVerdict", "RigReport", "RigProfiles", "Fixture",
            "FixtureOrigin", "OriginFaults", "StorageModel", "CFileSystem", "CVersion",
        ], tests: ["TestSupport"],
        resources: [.embedInCode("Init/workflow.yml"), .embedInCode("Init/templates")])
    + library("StorageModel", in: "Rig/", ["RigModel"], tests: ["HandmadeLogs"])
    + library(
        "SyscallTracer", in: "Rig/", ["RigModel", "StorageModel", "CPtrace"],
        tests: ["FileCaller", "rig", "TestSupport", processes, systemCalls])
    + [
        .target(name: "CPtrace", path: "Sources/Rig/CPtrace"),
        .target(name: "CSocketDiagnostics", path: "Sources/Rig/CSocketDiagnostics"),
        .systemLibrary(name: "CFileSystem", path: "Sources/Rig/CFileSystem"),
        .executableTarget(
            name: "rig",
            dependencies: [
                "RigModel", "RigLab", "RigVerdict", "RigReport", "RigProfiles", "RigSettings",
                "RigRun", "FixtureOrigin", "OriginFaults", "StorageModel", "SyscallTracer",
                "ProgramStart", commandLine,
            ],
            path: "Sources/Rig/rig", swiftSettings: house),
        .executableTarget(name: "rig-confine", path: "Sources/Rig/rig-confine"),
        .executableTarget(name: "FileCaller", path: "Tests/Rig/FileCaller"),
        // Logs that tests of the model and of the laboratory write by hand.
        .target(
            name: "HandmadeLogs", dependencies: ["StorageModel"], path: "Tests/Rig/HandmadeLogs",
            swiftSettings: house),
        .testTarget(
            name: "RigEndToEndTests",
            dependencies: [
                "rig", "rig-confine", "downloader", "downloader-with-bugs", "videos", "RigModel",
                "RigLab", "RigVerdict", "RigReport", "RigProfiles", "Fixture", "FixtureOrigin",
                "OriginFaults", "StorageModel", "SyscallTracer", "Witness", "LoopbackHTTP",
                "TestSupport", "FileCaller", sqlite, processes, systemCalls,
            ],
            path: "Tests/Rig/RigEndToEndTests", exclude: ["Page"], swiftSettings: house),
    ]

/// The world: the video, and the server that it comes from.
let origin: [Target] =
    library(
        "Fixture", in: "Origin/", tests: ["TestSupport"],
        resources: [.embedInCode("clip.mp4")])
    + library(
        "FixtureOrigin", in: "Origin/", ["Fixture", "OriginFaults", "LoopbackHTTP", "COpenSSL"],
        tests: ["TestSupport"])
    // Tested by what carries the faults out, and by what reads and writes them.
    + [
        .target(
            name: "OriginFaults", path: "Sources/Origin/OriginFaults", swiftSettings: house)
    ]

/// The page that both sides know.
let witness: [Target] = [
    .target(name: "Witness", dependencies: [atomics], swiftSettings: house),
    .testTarget(
        name: "WitnessTests", dependencies: ["Witness", "PhaseWalker", "TestSupport", atomics],
        path: "Tests/Witness/WitnessTests", swiftSettings: house),
    .executableTarget(
        name: "PhaseWalker", dependencies: ["Witness"], path: "Tests/Witness/PhaseWalker",
        swiftSettings: house),
]

/// What is judged: the reference cache, its transports, its proxy and its program, and the program
/// with planted bugs.
let cache: [Target] =
    library(
        "VideoCache", in: "Cache/", [sqlite, sqliteCalls, "CThread", "CXXHash"],
        tests: ["CacheFiller", "OfflineLibrary", "TestSupport"])
    + library(
        "CurlTransport", in: "Cache/", ["VideoCache", "CCurl"],
        tests: ["Fixture", "FixtureOrigin", "OfflineLibrary", "TestSupport", sqlite])
    + library(
        "PlaybackProxy", in: "Cache/", ["VideoCache", "LoopbackHTTP"],
        tests: ["CurlTransport", "Fixture", "FixtureOrigin", "OriginFaults", "TestSupport"])
    + library(
        "PlantedBugs", in: "Cache/",
        ["DownloaderCommands", "VideoCache", "OfflineLibrary", "CFailedCalls", sqlite],
        tests: ["TestSupport"])
    + [
        // Tested by VideoCacheTests, with what those share.
        .target(
            name: "OfflineLibrary", dependencies: ["VideoCache", "CXXHash", sqlite],
            path: "Sources/Cache/OfflineLibrary", swiftSettings: house),
        // Of the program with bugs alone: it changes what syncs and closes of all libraries do.
        .target(name: "CFailedCalls", path: "Sources/Cache/CFailedCalls"),
        .target(
            name: "CacheWitness", dependencies: ["VideoCache", "Witness"],
            path: "Sources/Cache/CacheWitness", swiftSettings: house),
        // Tested as a program, by RigEndToEndTests.
        .target(
            name: "DownloaderCommands",
            dependencies: [
                "VideoCache", "OfflineLibrary", "CurlTransport", "PlaybackProxy", "CacheWitness",
                "Witness", "ProgramStart", commandLine, logging,
            ],
            path: "Sources/Cache/DownloaderCommands", swiftSettings: house),
        .executableTarget(
            name: "downloader", dependencies: ["DownloaderCommands"],
            path: "Sources/Cache/downloader", swiftSettings: house),
        .executableTarget(
            name: "downloader-with-bugs", dependencies: ["DownloaderCommands", "PlantedBugs"],
            path: "Sources/Cache/downloader-with-bugs", swiftSettings: house),
        // The app of harness/examples, which also is a package of its own.
        .executableTarget(
            name: "videos",
            dependencies: ["VideoCache", "CurlTransport", "PlaybackProxy", "CacheWitness"],
            path: "harness/examples/videos/Sources/videos", swiftSettings: house),
        .executableTarget(
            name: "CacheFiller", dependencies: ["VideoCache"], path: "Tests/Cache/CacheFiller",
            swiftSettings: house),
    ]

/// What both sides call: the server under the origin and the proxy, and libraries of the system.
let system: [Target] =
    library("LoopbackHTTP", in: "System/", [sockets], tests: ["TestSupport"])
    + library("ProgramStart", in: "System/", ["CProgram", "CVersion"])
    + [
        .target(name: "CThread", path: "Sources/System/CThread"),
        .target(name: "CVersion", path: "Sources/System/CVersion"),
        // Of programs alone: it changes what happens when a library cannot start a thread.
        .target(
            name: "CProgram", dependencies: ["CThread"], path: "Sources/System/CProgram",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // Needs the headers of libcurl (libcurl4-openssl-dev), and loads the library when it is
        // used.
        .target(
            name: "CCurl", path: "Sources/System/CCurl",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // Of the origin alone: what the cache is linked to, makes each start of a worker slower.
        .systemLibrary(
            name: "COpenSSL", path: "Sources/System/COpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CXXHash", path: "Sources/System/CXXHash", pkgConfig: "libxxhash",
            providers: [.apt(["libxxhash-dev"]), .brew(["xxhash"])]),
    ]

/// What tests share, how they wait and where the checkout is; and the tests of the whole.
let tests: [Target] = [
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: house),
    .testTarget(name: "RepositoryTests", dependencies: ["TestSupport"], swiftSettings: house),
    .testTarget(name: "ScriptTests", dependencies: ["TestSupport"], swiftSettings: house),
]

/// Whether only what `harness/test --quick` needs is built: a build of everything takes minutes.
let isQuick = Context.environment["RIG_QUICK"] != nil

#if os(Linux)
    let hasRig = true
#else
    // The rig, its origin and all tests need Linux.
    let hasRig = false
#endif

/// The libraries that apps use.
let libraries = [
    "VideoCache", "OfflineLibrary", "CurlTransport", "PlaybackProxy", "CacheWitness", "Witness",
]

/// The targets to build.
func chosen(_ targets: [Target]) -> [Target] {
    if !hasRig {
        let names = libraries + ["LoopbackHTTP", "CCurl", "CThread", "CXXHash"]
        return targets.filter { names.contains($0.name) }
    }
    guard isQuick else { return targets }
    let names: Set = [
        "RigModel", "RigVerdict", "RigReport", "RigProfiles", "RigSettings", "Fixture",
        "OriginFaults", "VideoCache", "OfflineLibrary", "CThread", "CXXHash", "CacheFiller",
        "TestSupport",
        "RepositoryTests", "ScriptTests",
    ]
    return targets.filter { target in
        names.contains(target.name) || names.contains { "\($0)Tests" == target.name }
    }
}

let programs: [Product] = [
    .executable(name: "rig", targets: ["rig"]),
    .executable(name: "rig-confine", targets: ["rig-confine"]),
    .executable(name: "downloader", targets: ["downloader"]),
]

let package = Package(
    name: "rig",
    platforms: [.macOS(.v15)],
    products: isQuick
        ? [] : (hasRig ? programs : []) + libraries.map { .library(name: $0, targets: [$0]) },
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/swhitty/FlyingFox", exact: "0.27.1"),
        .package(url: "https://github.com/apple/swift-atomics", exact: "1.3.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(
            url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    ],
    targets: chosen(rig + origin + witness + cache + system + tests)
)
