import Foundation
import TestSupport
import Testing

/// `harness/test --quick` builds a part of the package, and a target of it may need no other one.
///
/// A test of the cache began to use the planted bugs, which are no part of it: from then on the
/// package of `--quick` could not even be read, and only its user noticed.
@Suite struct QuickPackageTests {
    private struct Manifest: Decodable {
        struct Target: Decodable {
            struct Dependency: Decodable {
                /// The name, and a condition; nil for a product of another package.
                var byName: [Part?]?

                /// A name, or the condition behind it.
                enum Part: Decodable {
                    case name(String)
                    case condition

                    init(from decoder: any Decoder) throws {
                        let text = try? decoder.singleValueContainer().decode(String.self)
                        self = text.map { .name($0) } ?? .condition
                    }
                }
            }

            var name: String
            var dependencies: [Dependency]

            /// The targets of this package that it needs.
            var needs: [String] {
                dependencies.compactMap { dependency in
                    if case .name(let name)?? = dependency.byName?.first { name } else { nil }
                }
            }
        }

        var targets: [Target]

        /// Each target with one that it needs and that is not there.
        var gaps: [String] {
            let names = Set(targets.map(\.name))
            return targets.flatMap { target in
                target.needs.filter { !names.contains($0) }.map { "\(target.name) needs \($0)" }
            }
        }
    }

    /// What the manifest describes, in a folder of its own: no lock of a running test is awaited.
    private func manifest(isQuick: Bool) throws -> Manifest {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("QuickPackageTests-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(
            atPath: Checkout.path("Package.swift"),
            toPath: folder.appendingPathComponent("Package.swift").path)
        var environment = ProcessInfo.processInfo.environment
        environment["RIG_QUICK"] = isQuick ? "1" : nil
        let status = try ChildProcess.run(
            [
                "/bin/sh", "-c", "cd \"$0\" && exec swift package dump-package > dump.json",
                folder.path,
            ], environment: environment.map { "\($0)=\($1)" })
        try #require(status == 0)
        return try JSONDecoder().decode(
            Manifest.self, from: Data(contentsOf: folder.appendingPathComponent("dump.json")))
    }

    @Test func everyTargetHasWhatItNeeds() throws {
        let quick = try manifest(isQuick: true)
        #expect(quick.gaps == [])
        let whole = try manifest(isQuick: false)
        #expect(whole.gaps == [])
        #expect(whole.targets.count > quick.targets.count)
        #expect(quick.targets.contains { $0.name == "VideoCacheTests" && !$0.needs.isEmpty })
    }

    /// What the test looks for is found.
    @Test func aMissingTargetIsNamed() throws {
        var quick = try manifest(isQuick: true)
        quick.targets.removeAll { $0.name == "CacheFiller" }
        #expect(quick.gaps == ["VideoCacheTests needs CacheFiller"])
    }
}
