// swift-tools-version:6.2
import PackageDescription

// An app that uses the cache: a package of its own, which takes the libraries from the checkout.
let package = Package(
    name: "videos",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "rig", path: "../../..")],
    targets: [
        .executableTarget(
            name: "videos",
            dependencies: [
                .product(name: "VideoCache", package: "rig"),
                .product(name: "CurlTransport", package: "rig"),
                .product(name: "PlaybackProxy", package: "rig"),
                .product(name: "CacheWitness", package: "rig"),
            ])
    ]
)
