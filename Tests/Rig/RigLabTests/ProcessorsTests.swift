import Testing

@testable import RigLab

/// A container of two processors on a machine of 64 had 64 jobs.
@Suite struct ProcessorsTests {
    private static let one = """
        31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755
        35 31 0:32 / /sys/fs/cgroup/cpu,cpuacct rw,relatime - cgroup cgroup rw,cpu,cpuacct
        41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw
        """
    private static let two =
        "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate"

    private func usable(
        of count: Int = 64, _ mounts: String, _ membership: String, _ files: [String: String]
    ) -> Int {
        Processors.limited(count, mounts: mounts, membership: membership) { files[$0] }
    }

    @Test(arguments: [
        ("200000 100000\n", 2), ("150000 100000", 2), ("20000 100000", 1), ("max 100000", 64),
        ("9900000 100000", 64), ("0 0", 64), ("", 64), ("x y", 64),
        ("9223372036854775807 1", 64),
    ])
    func aLimitIsRoundedUp(text: String, jobs: Int) {
        // A container sees its own group as the root.
        #expect(usable(Self.two, "0::/", ["/sys/fs/cgroup/cpu.max": text]) == jobs)
        #expect(usable(of: 1, Self.two, "0::/", ["/sys/fs/cgroup/cpu.max": text]) == 1)
    }

    @Test func thatOfAGroupAboveCounts() {
        let files = [
            "/sys/fs/cgroup/pod/cpu.max": "300000 100000",
            "/sys/fs/cgroup/pod/box/cpu.max": "max 100000",
        ]
        #expect(usable(Self.two, "0::/pod/box", files) == 3)
        #expect(usable(Self.two, "0::/pod", files) == 3)
        #expect(usable(Self.two, "0::/", files) == 64)
    }

    @Test func versionOneHasTwoFiles() {
        let folder = "/sys/fs/cgroup/cpu,cpuacct"
        func files(_ quota: String, in group: String) -> [String: String] {
            [
                "\(folder)\(group)/cpu.cfs_quota_us": quota,
                "\(folder)\(group)/cpu.cfs_period_us": "100000\n",
            ]
        }
        let membership = "4:memory:/\n3:cpu,cpuacct:/docker/ab\n0::/"
        #expect(usable(Self.one, membership, files("400000\n", in: "/docker/ab")) == 4)
        #expect(usable(Self.one, membership, files("-1\n", in: "/docker/ab")) == 64)
        // The mount shows only the container's part of the tree.
        let part = Self.one.replacing("0:32 / /sys", with: "0:32 /docker/ab /sys")
        #expect(usable(part, membership, files("100000\n", in: "")) == 1)
        #expect(usable(Self.one, "3:cpuset:/docker/ab", files("1\n", in: "/docker/ab")) == 64)
    }

    @Test func thisMachineHasOneAtLeast() {
        #expect(usable("", "", [:]) == 64)
        #expect(Processors.usable >= 1)
    }
}
