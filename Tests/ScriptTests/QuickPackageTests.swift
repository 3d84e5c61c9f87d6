import Foundation
import TestSupport
import Testing

/// `harness/test --quick` builds a part of the package, and a target of it may need no other one.
///
/// A test of the cache began to use the planted bugs, which are no part of it: from then on the
/// package of `--quick` could not even be read, and only its user noticed.
@Suite struct QuickPackageTests {
    /// The targets that the manifest describes, each with those of this package that it needs.
    ///
    /// It is read in a folder of its own: no lock of a running test is awaited.
    private func needs(isQuick: Bool) throws -> [String: [String]] {
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
        let dump =
            try JSONSerialization.jsonObject(
                with: Data(contentsOf: folder.appendingPathComponent("dump.json")))
            as? [String: Any]
        let targets = try #require(dump?["targets"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: targets.map { target in
                // By name, with a condition behind it; not a product of another package.
                let needed = (target["dependencies"] as? [[String: Any]] ?? [])
                    .compactMap { ($0["byName"] as? [Any])?.first as? String }
                return (target["name"] as? String ?? "", needed)
            })
    }

    /// Each target with one that it needs and that is not there.
    private func gaps(in needs: [String: [String]]) -> [String] {
        needs.flatMap { target, others in
            others.filter { needs[$0] == nil }.map { "\(target) needs \($0)" }
        }
    }

    @Test func everyTargetHasWhatItNeeds() throws {
        var quick = try needs(isQuick: true)
        let whole = try needs(isQuick: false)
        #expect(gaps(in: quick) == [])
        #expect(gaps(in: whole) == [])
        #expect(whole.count > quick.count)
        // A missing target is named.
        quick["CacheFiller"] = nil
        #expect(gaps(in: quick) == ["VideoCacheTests needs CacheFiller"])
    }
}
