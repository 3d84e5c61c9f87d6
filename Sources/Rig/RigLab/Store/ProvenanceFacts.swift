internal import CVersion
internal import CXXHash
internal import Foundation
package import RigModel
internal import Subprocess
internal import SystemPackage

package enum ProvenanceFacts {
    /// The programs, by name, and the commit that a run's figures come from.
    ///
    /// A rig of a package says itself which commit it was built from. Otherwise it is the HEAD of
    /// the checkout that contains the rig, and known only if no source is newer than the program,
    /// which else does not match it. Unknown parts are marked as such.
    package static func read(rig: String, worker: [String: String]) async -> Provenance {
        await read(rig: rig, worker: worker, stamp: String(cString: version_commit()))
    }

    /// The same, with the commit that is written into the rig; empty if none is.
    static func read(rig: String, worker: [String: String], stamp: String) async -> Provenance {
        let programs = digests(rig: rig, worker: worker)
        if !stamp.isEmpty { return Provenance(commit: stamp, tree: .clean, programs: programs) }
        func unknown(_ note: String) -> Provenance {
            Provenance(commit: Provenance.unknown, tree: .unknown, note: note, programs: programs)
        }
        guard let checkout = checkout(of: rig) else {
            return unknown("rig lies in no checkout of its sources")
        }
        if let newer = source(in: checkout, newerThan: rig) {
            return unknown("\(newer) is newer than rig, which was built before it was changed")
        }
        guard let commit = await git(["rev-parse", "HEAD"], in: checkout),
            let changes = await git(
                ["status", "--porcelain", "--", ".", ":!results"], in: checkout)
        else { return unknown("git could not be asked") }
        return Provenance(
            commit: commit, tree: changes.isEmpty ? .clean : .changed, programs: programs)
    }

    package static func digests(rig: String, worker: [String: String]) -> [String: String] {
        worker.merging(["rig": rig]) { $1 }.mapValues { digest(of: $0) ?? Provenance.unknown }
    }

    /// The XXH3-128 of a file, as `xxh128sum` prints it; nil when it cannot be read.
    static func digest(of path: String) -> String? {
        guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        else { return nil }
        return "xxh128:" + bytes.withUnsafeBytes { XXH3_128bits($0.baseAddress, $0.count) }.digits
    }

    /// The folder above a program that is a checkout of its sources; nil if there is none.
    static func checkout(of program: String) -> URL? {
        var folder = URL(fileURLWithPath: program).resolvingSymlinksInPath()
        while folder.path != "/" {
            folder.deleteLastPathComponent()
            let isCheckout = [".git", "Package.swift", "Sources/Rig/rig"].allSatisfy {
                FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
            }
            if isCheckout { return folder }
        }
        return nil
    }

    /// A source file that was changed after the program was built; nil if there is none.
    static func source(in checkout: URL, newerThan program: String) -> String? {
        guard let made = modified(URL(fileURLWithPath: program)) else { return program }
        let sources =
            FileManager.default.enumerator(
                at: checkout.appendingPathComponent("Sources"),
                includingPropertiesForKeys: [.contentModificationDateKey])?
            .compactMap { $0 as? URL } ?? []
        let files = [checkout.appendingPathComponent("Package.swift")] + sources
        return files.filter { !$0.hasDirectoryPath }.first { file in
            modified(file).map { $0 > made } ?? true
        }?.path
    }

    private static func modified(_ file: URL) -> Date? {
        try? file.resourceValues(forKeys: [.contentModificationDateKey]).contentModificationDate
    }

    /// What git prints, without surrounding white space; nil when it fails.
    private static func git(_ words: [String], in checkout: URL) async -> String? {
        // Inside a git hook these variables are set and would name another repository.
        let environment = Environment.inherit.updating([
            "GIT_DIR": nil, "GIT_WORK_TREE": nil, "GIT_INDEX_FILE": nil,
        ])
        let result = try? await Subprocess.run(
            .name("git"), arguments: .init(["--no-optional-locks"] + words),
            environment: environment, workingDirectory: FilePath(checkout.path),
            output: .string(limit: 1 << 20), error: .discarded)
        guard let result, case .exited(0) = result.terminationStatus else { return nil }
        return result.standardOutput.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

extension XXH128_hash_t {
    var digits: String {
        [high64, low64].map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
    }
}
