internal import Foundation
internal import Glibc
internal import SystemPackage

/// What dead rigs have left of their power cuts: mounts, loop devices, image files.
///
/// Nothing is touched that a living rig owns, or whose image is not named like a rig's.
package struct PowerCutLeftovers: Sendable {
    /// The run whose leftovers these are, whether its rig is alive or not; nil for all dead rigs.
    let run: String?
    /// Where the run folders are searched for images without a device.
    let results: String?

    /// What a run's guardian removes once the run's rig is gone.
    package static func ofRun(_ run: String) -> PowerCutLeftovers {
        PowerCutLeftovers(run: run, results: nil)
    }

    /// What a new run removes.
    package static func ofDeadRigs(results: String) -> PowerCutLeftovers {
        PowerCutLeftovers(run: nil, results: results)
    }

    /// Removes the leftovers; returns a line for each image: what was done, or what to do.
    package func remove() -> [String] {
        let attached: [(String, Device?)] = LoopDevice.attached.map { ($0.file, $0) }
        let known = Set(attached.map { path($0.0) })
        let others: [(String, Device?)] = files.filter { !known.contains($0) }.map { ($0, nil) }
        return (attached + others).compactMap { file, device -> String? in
            let file = path(file)
            guard let image = PowerCutImage(fileName: (file as NSString).lastPathComponent),
                run.map({ $0 == image.run }) ?? image.owner.isDead
            else { return nil }
            return remove(Leftover(image: image, file: file, device: device))
        }
    }

    private struct Leftover {
        let image: PowerCutImage
        let file: String
        /// The device's path, and the kernel's name for its file.
        let device: Device?
    }

    private typealias Device = (device: String, file: String)

    /// Removes the mark that the kernel appends to the path of a deleted file.
    private func path(_ file: String) -> String {
        let mark = " (deleted)"
        return file.hasSuffix(mark) ? String(file.dropLast(mark.count)) : file
    }

    /// Image files in the scratch folders of all runs in the same results folder.
    private var files: [String] {
        guard let results = results.map(RealPath.of) else { return [] }
        // A link, such as `latest`, leads to a folder that is searched anyway.
        let runs = paths(in: results).filter { $0.linkTarget == nil }
        // Each of several jobs has its own volume in its own folder.
        let scratches = runs.flatMap { paths(in: $0, beginningWith: RunFolder.scratchPrefix) }
        let jobs = scratches.flatMap { paths(in: $0, beginningWith: PowerCutVolume.jobPrefix) }
        return (scratches + jobs).flatMap { paths(in: $0) }
    }

    private func paths(in folder: String, beginningWith prefix: String = "") -> [String] {
        folder.names.sorted().filter { $0.hasPrefix(prefix) }.map { "\(folder)/\($0)" }
    }

    /// Removes a leftover; nil when another rig, or the dead rig's guardian, was quicker.
    ///
    /// The lock makes one process do all of it. Two that took turns would each report half, and
    /// one would find in use what the other was about to release.
    private func remove(_ leftover: Leftover) -> String? {
        let image = open(leftover.file, O_RDONLY | O_CLOEXEC)
        defer { if image >= 0 { close(image) } }
        // An image that has no name any more cannot be locked.
        while image >= 0, flock(image, LOCK_EX) != 0, errno == EINTR {}
        guard isThere(leftover) else { return nil }
        // Workers that are left have files open there, so they are killed first.
        RunProcesses.killEveryone(
            RunMark(entry: "\(RunMark.runVariable)=\(leftover.image.run)", folder: nil))
        let whose =
            "run \(leftover.image.run), whose rig (process \(leftover.image.owner.process)) "
            + "is dead"
        do {
            let deeds = try removeParts(of: leftover)
            return deeds.isEmpty
                ? nil : "cleaned up after \(whose): \(deeds.joined(separator: ", "))"
        } catch {
            guard isThere(leftover) else { return nil }
            let rest = leftover.device.map { "umount \($0.device), losetup -d \($0.device) and " }
            return "cannot clean up after \(whose): \(error); as root run \(rest ?? "")rm "
                + leftover.file
        }
    }

    private func isThere(_ leftover: Leftover) -> Bool {
        FileManager.default.fileExists(atPath: leftover.file)
            || LoopDevice.attached.contains { $0.file == leftover.device?.file }
    }

    private func removeParts(of leftover: Leftover) throws -> [String] {
        var deeds: [String] = []
        if let device = leftover.device {
            for folder in VolumeMount.folders(of: device.device) {
                try VolumeMount.unmount(folder)
                deeds.append("unmounted \(folder)")
            }
            try LoopDevice.detach(device.device, from: device.file)
            deeds.append("detached \(device.device)")
        }
        if unlink(leftover.file) == 0 {
            deeds.append("removed \(leftover.file)")
        } else if errno != ENOENT {
            throw Errno(rawValue: errno)
        }
        let scratch = leftover.file.parentFolder
        rmdir("\(scratch)/\(PowerCutVolume.folderName)")
        return deeds
    }
}

/// The file in a run's scratch folder that holds the file system whose power is cut.
///
/// Its name identifies its owner, so that files left by a killed rig can be told from files in use.
struct PowerCutImage: Sendable, Hashable {
    let run: String
    let owner: ProcessIdentity
}

extension PowerCutImage {
    private static let prefix = "power-cut"
    private static let suffix = "image"

    /// `power-cut.RUN.OWNER.image`.
    var fileName: String { "\(Self.prefix).\(run).\(owner.text).\(Self.suffix)" }

    /// Parses a file's name; nil for one that no rig has created.
    init?(fileName: String) {
        let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == Self.prefix,
            parts[3] == Self.suffix, !parts[1].isEmpty,
            let owner = ProcessIdentity(String(parts[2]))
        else { return nil }
        self.init(run: String(parts[1]), owner: owner)
    }
}
