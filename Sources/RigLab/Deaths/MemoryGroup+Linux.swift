#if os(Linux)
    internal import Foundation
    internal import Glibc
    internal import RigModel
    internal import Synchronization

    /// Where the kernel lets this process make groups of limited memory.
    struct MemoryController: Sendable, Hashable {
        /// The two interfaces of control groups.
        enum Version: Sendable {
            case one, two

            /// Holds the limit in bytes.
            var limit: String { self == .one ? "memory.limit_in_bytes" : "memory.max" }
            /// Holds the line `oom_kill` with the number of processes killed for want of memory.
            var events: String { self == .one ? "memory.oom_control" : "memory.events" }
        }

        let version: Version
        /// The group in which new ones are made: this process's own, or the nearest above it that
        /// may have some.
        let folder: String

        /// A controller that is known.
        init(version: Version, folder: String) {
            self.version = version
            self.folder = folder
        }

        /// Finds the controller.
        ///
        /// - Parameters:
        ///   - mounts: `/proc/self/mountinfo`.
        ///   - membership: `/proc/self/cgroup`.
        ///   - exists: whether a folder is there.
        ///   - delegates: whether the groups in a folder of version 2 have limits.
        init?(
            mounts: String, membership: String, exists: (String) -> Bool = Self.exists,
            delegates: (String) -> Bool = Self.delegates
        ) {
            let mounts = mounts.split(separator: "\n").compactMap(Mount.init)
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
                folder = (folder as NSString).deletingLastPathComponent
            }
            guard delegates(folder) else { return nil }
            version = .two
            self.folder = folder
        }

        /// This process's own.
        static var own: Self? {
            guard let mounts = try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8),
                let own = try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)
            else { return nil }
            return Self(mounts: mounts, membership: own)
        }

        private static func exists(_ folder: String) -> Bool {
            FileManager.default.fileExists(atPath: folder)
        }

        private static func delegates(_ folder: String) -> Bool {
            let path = "\(folder)/cgroup.subtree_control"
            return (try? String(contentsOfFile: path, encoding: .utf8))?
                .split(whereSeparator: \.isWhitespace).contains("memory") ?? false
        }

        /// A line of `/proc/self/mountinfo`.
        private struct Mount {
            let root: String
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

            /// Where a group lies; a mount may show a part of the tree only.
            func folder(of group: String) -> String {
                let within = root != "/" && group.hasPrefix(root)
                let path = within ? String(group.dropFirst(root.count)) : group
                return path == "/" || path.isEmpty ? point : point + path
            }
        }
    }

    /// A control group of this rig's, in which there is no memory to be had.
    struct MemoryGroup: Sendable {
        private let controller: MemoryController
        private let path: String

        private static let prefix = "rig-"
        /// Tells the groups of this process apart.
        private static let numbers = Atomic(0)

        /// Makes a group whose limit is nothing.
        ///
        /// - Parameter controller: where to make it.
        /// - Throws: ``RigError`` with exit code 77 when that is not allowed.
        init(in controller: MemoryController) throws(RigError) {
            self.controller = controller
            let number = Self.numbers.add(1, ordering: .relaxed).newValue
            path = "\(controller.folder)/\(Self.prefix)\(getpid())-\(number)"
            // Of a rig that had the same process id, and is gone.
            rmdir(path)
            guard mkdir(path, 0o755) == 0 else { throw MemoryGroups.refusal("cannot make \(path)") }
            guard write("0", to: controller.version.limit), deaths != nil else {
                remove()
                throw MemoryGroups.refusal("cannot limit the memory of \(path)")
            }
        }

        /// Moves a process into the group; what it uses already stays where it was counted.
        func add(_ process: pid_t) -> Bool { write("\(process)", to: "cgroup.procs") }

        /// How many of the group's processes the kernel has killed for want of memory; nil when it
        /// does not say.
        var deaths: Int? {
            let events = "\(path)/\(controller.version.events)"
            guard let text = try? String(contentsOfFile: events, encoding: .utf8) else {
                return nil
            }
            let line = text.split(separator: "\n").first { $0.hasPrefix("oom_kill ") }
            return line.flatMap { Int($0.dropFirst("oom_kill ".count)) }
        }

        /// Removes the group; one that still has a process in it stays until it is swept.
        func remove() {
            for _ in 0..<200 {
                guard rmdir(path) != 0, errno == EBUSY else { return }
                Pause.seconds(0.001)
            }
        }

        /// Removes the groups in a folder that belong to rigs which are gone.
        ///
        /// - Parameters:
        ///   - controller: where to look.
        ///   - isGone: whether there is no such process any more.
        static func sweep(_ controller: MemoryController, isGone: (pid_t) -> Bool) {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: controller.folder))
            for name in names ?? [] where name.hasPrefix(prefix) {
                let number = name.dropFirst(prefix.count).prefix { $0 != "-" }
                guard let rig = pid_t(number), isGone(rig) else { continue }
                rmdir("\(controller.folder)/\(name)")
            }
        }

        private func write(_ text: String, to name: String) -> Bool {
            let file = open("\(path)/\(name)", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return false }
            defer { close(file) }
            let bytes = Array(text.utf8)
            return Glibc.write(file, bytes, bytes.count) == bytes.count
        }
    }

    /// The control groups of rigs on this machine (T9).
    package enum MemoryGroups {
        /// Refuses a run that could not be carried out, before anything of it is started.
        ///
        /// - Throws: ``RigError`` with exit code 77 when no memory can be limited here.
        package static func check() throws {
            sweep()
            try MemoryShortage.rehearse()
        }

        /// Removes what a rig that was killed together with its guardian has left behind.
        package static func sweep() {
            guard let controller = MemoryController.own else { return }
            MemoryGroup.sweep(controller) { kill($0, 0) != 0 && errno == ESRCH }
        }

        /// Removes the groups of a rig that is known to be gone.
        static func sweep(ofRig rig: pid_t) {
            guard let controller = MemoryController.own else { return }
            MemoryGroup.sweep(controller) { $0 == rig }
        }

        static func refusal(_ cause: String) -> RigError {
            RigError(
                .permission,
                "--fault oom has to limit memory by a control group: \(cause); run as root, where "
                    + "the memory controller is mounted and may be written to, or use --fault "
                    + "sigkill")
        }
    }
#endif
