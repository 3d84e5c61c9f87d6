internal import Foundation
internal import Glibc
internal import RigModel
internal import Synchronization

struct MemoryController: Sendable, Hashable {
    enum Version: Sendable {
        case one, two

        var limit: String { self == .one ? "memory.limit_in_bytes" : "memory.max" }
        var events: String { self == .one ? "memory.oom_control" : "memory.events" }
    }

    let version: Version
    /// The group for new ones: this process's own, or the nearest ancestor with limited groups.
    let folder: String
}

extension MemoryController {
    init?(
        mounts: String, membership: String, exists: (String) -> Bool = Self.exists,
        delegates: (String) -> Bool = Self.delegates
    ) {
        let mounts = mounts.split(separator: "\n").compactMap(ControlGroupMount.init)
        let groups = membership.split(separator: "\n").map {
            $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        }
        if let mount = mounts.first(where: {
            $0.type == "cgroup" && $0.options.contains("memory")
        }),
            let own = groups.first(where: {
                $0.count == 3 && $0[1].split(separator: ",").contains("memory")
            })
        {
            let folder = mount.folder(of: String(own[2]))
            version = .one
            self.folder = exists(folder) ? folder : mount.point
            return
        }
        guard let mount = mounts.first(where: { $0.type == "cgroup2" }),
            let own = groups.first(where: { $0.count == 3 && $0[1].isEmpty })
        else { return nil }
        var folder = mount.folder(of: String(own[2]))
        while !delegates(folder), folder != mount.point, folder.count > mount.point.count {
            folder = folder.parentFolder
        }
        guard delegates(folder) else { return nil }
        version = .two
        self.folder = folder
    }

    static var own: Self? {
        guard let mounts = ProcessFacts.text("/proc/self/mountinfo"),
            let own = ProcessFacts.text("/proc/self/cgroup")
        else { return nil }
        return Self(mounts: mounts, membership: own)
    }

    private static func exists(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder)
    }

    private static func delegates(_ folder: String) -> Bool {
        ProcessFacts.text("\(folder)/cgroup.subtree_control")?
            .split(whereSeparator: \.isWhitespace).contains("memory") ?? false
    }
}

struct MemoryGroup: Sendable {
    private let controller: MemoryController
    private let path: String

    private static let prefix = "rig-"
    private static let numbers = Atomic(0)

    /// Creates a group with a memory limit of 0; throws exit code 77 when that is not permitted.
    init(in controller: MemoryController) throws(RigError) {
        self.controller = controller
        let number = Self.numbers.add(1, ordering: .relaxed).newValue
        path = "\(controller.folder)/\(Self.prefix)\(getpid())-\(number)"
        // Left by a dead rig that had the same process id.
        rmdir(path)
        guard mkdir(path, 0o755) == 0 else { throw MemoryGroups.refusal("cannot make \(path)") }
        guard write("0", to: controller.version.limit), deaths != nil else {
            remove()
            throw MemoryGroups.refusal("cannot limit the memory of \(path)")
        }
    }

    /// Moves a process into the group; the memory it uses already stays with its old group.
    func add(_ process: pid_t) -> Bool { write("\(process)", to: "cgroup.procs") }
    /// How many processes the out-of-memory killer has killed in the group; nil if unknown.
    var deaths: Int? { MemoryWatch.count(in: "\(path)/\(controller.version.events)") }

    /// Removes the group; one that still contains a process stays until a sweep.
    func remove() {
        for _ in 0..<200 {
            guard rmdir(path) != 0, errno == EBUSY else { return }
            Pause.seconds(0.001)
        }
    }

    static func sweep(_ controller: MemoryController, isGone: (pid_t) -> Bool) {
        for name in controller.folder.names where name.hasPrefix(prefix) {
            let number = name.dropFirst(prefix.count).prefix { $0 != "-" }
            guard let rig = pid_t(number), isGone(rig) else { continue }
            rmdir("\(controller.folder)/\(name)")
        }
    }

    private func write(_ text: String, to name: String) -> Bool {
        ProcessFacts.write(text, to: "\(path)/\(name)")
    }
}

/// The control groups of rigs on this machine (T9).
package enum MemoryGroups {
    /// Throws exit code 77 when memory cannot be limited here, before any part of a run is started.
    package static func check() throws {
        sweep()
        try MemoryShortage.rehearse()
    }

    /// Removes the groups of rigs that were killed together with their guardians.
    package static func sweep() { sweep { kill($0, 0) != 0 && errno == ESRCH } }
    static func sweep(ofRig rig: pid_t) { sweep { $0 == rig } }

    private static func sweep(isGone: (pid_t) -> Bool) {
        if let own = MemoryController.own { MemoryGroup.sweep(own, isGone: isGone) }
    }

    static func refusal(_ cause: String) -> RigError {
        RigError.permission(
            "--fault oom has to limit memory by a control group: \(cause); run as root, where "
                + "the memory controller is mounted and may be written to, or use --fault "
                + "sigkill")
    }
}
