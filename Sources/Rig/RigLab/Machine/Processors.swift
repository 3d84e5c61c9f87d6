internal import Foundation

/// How many processors this process may use at once.
///
/// A container may get less time than its machine has processors (`docker run --cpus 2`, a limit of
/// Kubernetes). With a job for each of them the workers of all jobs would wait for a processor.
package enum Processors {
    /// At least 1: those of the affinity, or fewer where a control group limits the time.
    package static var usable: Int {
        limited(
            ProcessInfo.processInfo.activeProcessorCount,
            mounts: ProcessFacts.text("/proc/self/mountinfo") ?? "",
            membership: ProcessFacts.text("/proc/self/cgroup") ?? "", read: ProcessFacts.text)
    }

    static func limited(
        _ count: Int, mounts: String, membership: String, read: (String) -> String?
    ) -> Int {
        let mounts = mounts.split(separator: "\n").compactMap(ControlGroupMount.init)
        var share = Double(count)
        for line in membership.split(separator: "\n") {
            let fields = line.split(
                separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            let isSecond = fields[1].isEmpty
            guard isSecond || fields[1].split(separator: ",").contains("cpu"),
                let mount = mounts.first(where: {
                    isSecond
                        ? $0.type == "cgroup2" : $0.type == "cgroup" && $0.options.contains("cpu")
                })
            else { continue }
            let names = isSecond ? ["cpu.max"] : ["cpu.cfs_quota_us", "cpu.cfs_period_us"]
            for folder in mount.folders(of: String(fields[2])) {
                let texts = names.compactMap { read("\(folder)/\($0)") }
                share = min(share, quota(texts) ?? share)
            }
        }
        return max(1, Int(share.rounded(.up)))
    }

    /// The processors that a group may keep busy; nil without a limit, which is `max` or -1.
    private static func quota(_ texts: [String]) -> Double? {
        let words = texts.flatMap { $0.split(whereSeparator: \.isWhitespace) }
        guard words.count == 2, let time = Double(words[0]), let period = Double(words[1]),
            time > 0, period > 0
        else { return nil }
        return time / period
    }
}

/// A mounted tree of control groups, from a line of `/proc/self/mountinfo`.
struct ControlGroupMount {
    private let root: String
    let point: String
    let type: Substring
    let options: [Substring]

    init?(_ line: Substring) {
        let fields = line.split(separator: " ")
        guard fields.count > 6, let dash = fields.firstIndex(of: "-"),
            fields.count > dash + 3
        else { return nil }
        root = String(fields[3])
        point = String(fields[4])
        type = fields[dash + 1]
        options = fields[dash + 3].split(separator: ",")
    }

    /// The folder of a group; a mount may show only a part of the tree.
    func folder(of group: String) -> String {
        let within = root != "/" && group.hasPrefix(root)
        let path = within ? String(group.dropFirst(root.count)) : group
        return path == "/" || path.isEmpty ? point : point + path
    }

    /// The same, and the folders of the groups that it is in, as far as they are mounted.
    func folders(of group: String) -> [String] {
        var folders = [folder(of: group)]
        while let last = folders.last, last.hasPrefix("\(point)/") {
            folders.append(last.parentFolder)
        }
        return folders
    }
}
