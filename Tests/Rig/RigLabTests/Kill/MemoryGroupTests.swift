import Foundation
import Glibc
@testable import RigLab
import RigModel
import Testing

/// Where memory limits are found on different systems.
struct MemoryGroupTests {
    private static let one = """
        23 1 0:22 / /proc rw - proc proc rw
        31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
        35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory
        41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
        """
    private static let two = """
        23 1 0:22 / /proc rw - proc proc rw
        30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate
        """

    @Test func versionOneHasAGroupOfItsOwn() {
        let controller = MemoryController(
            mounts: Self.one, membership: "9:name=systemd:/\n4:cpu,memory:/jobs/7\n0::/",
            exists: { $0 == "/sys/fs/cgroup/memory/jobs/7" }, delegates: { _ in false })
        #expect(controller?.version == .one)
        #expect(controller?.folder == "/sys/fs/cgroup/memory/jobs/7")
    }

    /// In a container the mount shows a part of the tree, but the path is that of the whole
    /// tree.
    @Test func aMountMayShowAPartOfTheTree() {
        let part = Self.one.replacing("0:32 / /sys", with: "0:32 /docker/ab /sys")
        let controller = MemoryController(
            mounts: part, membership: "4:memory:/docker/ab/x", exists: { _ in true })
        #expect(controller?.folder == "/sys/fs/cgroup/memory/x")
        let hidden = MemoryController(
            mounts: part, membership: "4:memory:/elsewhere", exists: { _ in false })
        #expect(hidden?.folder == "/sys/fs/cgroup/memory")
    }

    @Test func versionTwoMakesGroupsWhereTheyAreDelegated() {
        let membership = "0::/user.slice/rig.scope/main"
        let controller = MemoryController(
            mounts: Self.two, membership: membership,
            delegates: { $0 == "/sys/fs/cgroup/user.slice/rig.scope" })
        #expect(controller?.version == .two)
        #expect(controller?.folder == "/sys/fs/cgroup/user.slice/rig.scope")
        let nowhere = MemoryController(
            mounts: Self.two, membership: membership, delegates: { _ in false })
        #expect(nowhere == nil)
    }

    @Test func aSystemWithoutControlGroupsHasNone() {
        #expect(MemoryController(mounts: "", membership: "") == nil)
        #expect(MemoryController(mounts: Self.one, membership: "x\n3:cpu:/") == nil)
    }

    @Test func aRefusalIsOfPermissionAndSaysWhatToDo() {
        let refusal = MemoryGroups.refusal("no")
        #expect(refusal.status == .permission)
        #expect(refusal.message.hasSuffix("or use --fault sigkill"))
    }

    @Test func groupsOfRigsThatAreGoneAreSwept() throws {
        guard (try? MemoryGroups.check()) != nil else { return }
        let own = try #require(MemoryController.own)
        // A parent folder of its own, so that groups of other tests are not swept.
        let folder = "\(own.folder)/test-\(UUID().uuidString)"
        try #require(mkdir(folder, 0o755) == 0)
        defer { rmdir(folder) }
        let controller = MemoryController(version: own.version, folder: folder)
        let group = try MemoryGroup(in: controller)
        #expect(group.deaths == 0)
        MemoryGroup.sweep(controller) { $0 != getpid() }
        #expect(group.deaths == 0, "a group of a living rig is its own")
        MemoryGroup.sweep(controller) { $0 == getpid() }
        #expect(group.deaths == nil)
    }
}
