import Foundation
import Testing

/// `harness/setup` installs what is missing, or says exactly what to do if it cannot.
@Suite struct SetupTests {
    private let sandbox: Sandbox

    /// A complete Debian; each test breaks what it is about.
    init() throws {
        sandbox = try Sandbox()
        try sandbox.tool("swift", "echo asked >>$log; echo 'Swift version 6.3.1 (swift-6.3.1)'")
        try sandbox.tool("pkg-config", "exit 0")
        try sandbox.tool("dpkg", "exit 1")
        try sandbox.tool("apt-cache", "exit 0")
        try sandbox.tool("apt-get", "echo \"apt-get $*\" >>$log")
        try sandbox.tool("id", "echo 1000")
    }

    @Test func isSilentWhenNothingIsMissingAndAsksSwiftOnce() throws {
        for _ in 0..<2 {
            let outcome = try sandbox.run("harness/setup").exits(0)
            #expect(outcome.output + outcome.messages == "")
        }
        #expect(sandbox.log() == ["asked"])
    }

    @Test func asksAgainWhenTheCompilerIsAnother() throws {
        #expect(try sandbox.run("harness/setup").status == 0)
        try sandbox.tool("swift", "echo 'Swift version 6.0 (swift-6.0-RELEASE), another length'")
        #expect(try sandbox.run("harness/setup").status == 69)
    }

    @Test func withoutSwiftSaysWhatToInstall() throws {
        try sandbox.removeTool("swift")
        let outcome = try sandbox.run("harness/setup").exits(69)
        #expect(
            outcome.messages == """
                harness/setup: no Swift toolchain found; install Swift 6.2 or newer from \
                https://swift.org/install\n
                """)
    }

    @Test(
        arguments: [
            ("Swift version 6.1.2 (swift-6.1.2-RELEASE)", 69, "Swift 6.1 is too old"),
            ("Swift version 5.10 (swift-5.10-RELEASE)", 69, "Swift 5.10 is too old"),
            ("swift: broken", 69, "does not tell its version"),
            ("Apple Swift version 6.2 (swiftlang-6.2.0.1)", 0, ""),
            ("Swift version 6.10-dev", 0, ""), ("Swift version 7.0", 0, ""),
        ] as [(String, Int32, String)])
    func comparesVersionsAsNumbers(version: String, status: Int32, message: String) throws {
        try sandbox.tool("swift", "echo '\(version)'")
        let outcome = try sandbox.run("harness/setup").exits(status)
        #expect(outcome.messages.isEmpty == message.isEmpty)
        #expect(message.isEmpty || outcome.messages.contains(message))
    }

    @Test(arguments: [nil, "exit 1"])
    func withoutRightsNamesTheExactCommand(sudo: String?) throws {
        try sandbox.tool("pkg-config", "[[ $2 == libcurl ]]")
        if let sudo { try sandbox.tool("sudo", sudo) }
        let outcome = try sandbox.run("harness/setup").exits(77)
        #expect(
            outcome.messages == """
                harness/setup: missing: libsqlite3-dev libxxhash-dev libssl-dev; no right to install \
                them. Run: sudo apt-get install -y libsqlite3-dev libxxhash-dev libssl-dev\n
                """)
        #expect(sandbox.log() == ["asked"])
    }

    @Test func installsOnlyWhatIsMissing() throws {
        try sandbox.tool("pkg-config", "[[ $2 == libcurl ]] || [[ -e $log.installed ]]")
        try sandbox.tool("sudo", "[[ $2 == true ]] || \"${@:2}\"")
        try sandbox.tool("apt-get", "echo \"apt-get $*\" >>$log; touch $log.installed")
        let outcome = try sandbox.run("harness/setup").exits(0)
        #expect(outcome.output == "")
        let packages = "libsqlite3-dev libxxhash-dev libssl-dev"
        #expect(outcome.messages == "harness/setup: installing \(packages)\n")
        #expect(
            sandbox.log() == [
                "asked",
                "apt-get -qq -y install --no-install-recommends \(packages)",
            ])
    }

    @Test func installsPkgConfigItselfAndUpdatesListsThatAreEmpty() throws {
        try sandbox.removeTool("pkg-config")
        try sandbox.tool("id", "echo 0")
        try sandbox.tool("apt-cache", "exit 1")
        try sandbox.tool(
            "apt-get",
            """
            echo "$3" >>$log
            [[ $3 == update ]] || { cd "${0%/*}"; ln -s "$(readlink -f env)" pkg-config; }
            """)
        // The pkg-config installed here is a link to `env`, so setup still finds nothing and
        // reports it.
        let outcome = try sandbox.run("harness/setup")
        #expect(sandbox.log() == ["asked", "update", "install"])
        #expect(outcome.status == 69)
        #expect(outcome.messages.contains("is installed but is not found"))
    }

    @Test func triesAgainWithFreshListsWhenTheMirrorHasMovedOn() throws {
        try sandbox.tool("pkg-config", "[[ -e $log.updated ]]")
        try sandbox.tool("id", "echo 0")
        try sandbox.tool(
            "apt-get",
            """
            echo "$3" >>$log
            if [[ $3 == update ]]; then touch $log.updated; fi
            [[ -e $log.updated ]]
            """)
        #expect(try sandbox.run("harness/setup").status == 0)
        #expect(sandbox.log() == ["asked", "install", "update", "install"])
    }

    @Test func showsTheInstallersMessagesWhenItFails() throws {
        try sandbox.tool("pkg-config", "exit 1")
        try sandbox.tool("id", "echo 0")
        try sandbox.tool("apt-get", "echo 'E: no space left'; exit 100")
        try sandbox.run("harness/setup")
            .exits(69).says("E: no space left").says("Try: sudo apt-get install -y libsqlite3-dev")
    }

    @Test func onAnUnknownSystemNamesTheLibraries() throws {
        try sandbox.tool("pkg-config", "exit 1")
        try sandbox.removeTool("apt-get")
        let outcome = try sandbox.run("harness/setup").exits(69)
        for name in ["SQLite", "libcurl", "xxHash", "pkg-config"] {
            #expect(outcome.messages.contains(name))
        }
    }

    /// The examples with Redis, vim and zip were passed over where `.ci/run` had installed all it
    /// needs.
    @Test(arguments: [
        ("shellcheck", "shellcheck"), ("xmllint", "libxml2-utils"), ("cc", "gcc"), ("zip", "zip"),
    ])
    func installsTheTestToolsOnlyWhenAsked(program: String, package: String) throws {
        #expect(try sandbox.run("harness/setup").status == 0)
        try installTestTools(but: program)
        let outcome = try sandbox.run("harness/setup", ["--test-tools"]).exits(77)
        #expect(outcome.messages.hasSuffix("Run: sudo apt-get install -y \(package)\n"))
    }

    /// A missing browser must not fail the setup: it is installed if apt offers it.
    @Test(
        arguments: [
            ("exit 0", 0), ("exit 100", 0), ("echo 'Package: chromium'; echo 'Depends: snapd'", 0),
            ("echo 'Package: chromium'", 77),
        ] as [(String, Int32)])
    func aBrowserIsWantedOnlyWhereItCanBeHad(aptCache: String, status: Int32) throws {
        try installTestTools()
        try sandbox.tool("apt-cache", aptCache)
        let outcome = try sandbox.run("harness/setup", ["--test-tools"]).exits(status)
        #expect(outcome.messages.hasSuffix("install -y chromium\n") == (status != 0))
    }

    @Test func installsTheWorkersOnlyWhenAsked() throws {
        #expect(try sandbox.run("harness/setup").status == 0)
        try sandbox.tool(["curl", "nginx", "rsync", "squid", "wget"], "exit 0")
        let outcome = try sandbox.run("harness/setup", ["--workers"])
        let others = """
            axel gallery-dl httrack lftp rclone wget2 yt-dlp python3-parfive python3-pooch \
            python3-pip nodejs
            """
        let packages = "aria2 \(others)"
        #expect(outcome.status == 77)
        #expect(outcome.messages.hasSuffix("Run: sudo apt-get install -y \(packages)\n"))
        try installTestTools()
        let both = try sandbox.run("harness/setup", ["--workers", "--test-tools"])
        #expect(both.messages.hasSuffix("Run: sudo apt-get install -y \(others)\n"))
    }

    /// Debian's packages start their servers unless `policy-rc.d` forbids it.
    ///
    /// An administrator's own `policy-rc.d` stays unchanged.
    @Test(arguments: [nil, "exit 104"])
    func startsNoServerThatItInstalls(policy: String?) throws {
        let path = "debian/usr/sbin/policy-rc.d"
        try sandbox.write("", to: "debian/usr/sbin/other")
        if let policy { try sandbox.write("#!/bin/sh\n\(policy)\n", to: path) }
        let there = [
            "aria2c", "axel", "curl", "gallery-dl", "httrack", "lftp", "nginx", "parfive", "rclone",
            "squid", "wget", "wget2", "yt-dlp",
        ]
        try sandbox.tool(there, "exit 0")
        try sandbox.tool("id", "echo 0")
        try sandbox.tool("pkg-config", "[[ $2 == xxhash ]]")
        try sandbox.tool("apt-get", #"echo "$(<"$DPKG_ROOT/usr/sbin/policy-rc.d")" >>$log; exit 1"#)
        _ = try sandbox.run(
            "harness/setup", ["--workers"],
            environment: ["DPKG_ROOT=\(sandbox.root.appendingPathComponent("debian").path)"])
        #expect(sandbox.log().contains(policy ?? "exit 101"))
        let kept = FileManager.default.fileExists(
            atPath: sandbox.root.appendingPathComponent(path).path)
        #expect(kept == (policy != nil))
    }

    /// Installs all test tools except for one.
    private func installTestTools(but missing: String? = nil) throws {
        let names = [
            "apache2", "aria2c", "caddy", "cc", "curl", "ffmpeg", "go", "hyperfine", "jq",
            "lighttpd", "mandoc", "mkfs.btrfs", "mkfs.ext4", "mkfs.xfs", "nginx", "python3",
            "redis-server", "rsync", "shellcheck", "sqlite3", "squid", "strace", "time",
            "varnishd", "vim", "wget", "wrk", "xmllint", "zip",
        ]
        try sandbox.tool(names.filter { $0 != missing }, "exit 0")
    }

    /// Puts all that is installed into the sandbox.
    private func prepareInstallation() throws {
        try sandbox.tool(
            ["rig", "downloader", "downloader-with-bugs"],
            """
            case $1 in
            --help)
                printf '\\nExit codes: 0 it went\\nwell; 64 and 65 it did not.\\n\\n'
                printf 'SUBCOMMANDS:\\n  kill-test     Kill.\\n'
                ;;
            *) echo "$1 $2" ;;
            esac
            """)
        for path in ["CHANGELOG.md", "LICENSE", "README.md", "docs/kills.md"] {
            try sandbox.write("text of \(path)", to: path)
        }
        try sandbox.tool("cc", ": >\"${!#}\"")
        try sandbox.write("", to: ".build/harness/manual/release/generate-manual")
        try sandbox.tool(
            "made",
            """
            page=${!#}/$(basename "$1")
            printf '.Xr rig.kill-test 1 ,\\n.Xr rig.trace 1\\n.Ex -std rig\\n' >"$page.1"
            for name in kill-test trace; do
                printf '.Nm "rig %s"\\n.Nd "Kill."\\n.Nm\\n' "$name" >"$page.$name.1"
            done
            """)
        try sandbox.provide(["basename", "date", "mv"])
        let tool = sandbox.root.appendingPathComponent(".build/harness/manual/release")
        try FileManager.default.removeItem(at: tool.appendingPathComponent("generate-manual"))
        try FileManager.default.createSymbolicLink(
            atPath: tool.appendingPathComponent("generate-manual").path,
            withDestinationPath: sandbox.tools.appendingPathComponent("made").path)
    }

    /// Installs programs, completions and man pages; only subcommands in the help get a page, and
    /// every page lists the exit codes.
    @Test func installsBelowAFolder() throws {
        try prepareInstallation()
        let prefix = sandbox.root.appendingPathComponent("prefix")
        try sandbox.run(
            "harness/setup", ["--install", prefix.path],
            environment: ["RIG_BINARIES=\(sandbox.tools.path)"]
        ).exits(0)
        let files = FileManager.default.enumerator(atPath: prefix.path)?.compactMap {
            $0 as? String
        }
        let share = "share/bash-completion/completions"
        for name in [
            "bin/rig", "bin/rig-confine", "bin/downloader", "\(share)/rig",
            "share/zsh/site-functions/_rig",
            "share/fish/vendor_completions.d/rig.fish", "share/man/man1/rig.1",
            "share/man/man1/rig-kill-test.1", "share/man/man1/downloader.1",
            "share/rig/LICENSE", "share/rig/docs/kills.md", "share/rig/harness/ci/shell/gate.sh",
            // What the help of --json names.
            "share/rig/harness/ci/README.md",
            "share/rig/harness/stores/store_lmdb.py", "share/rig/harness/witness/rig_witness.h",
            "share/rig/harness/examples/any-program/notes-in-place.py",
            "share/rig/harness/examples/after-a-finding/save.c",
        ] {
            #expect(files?.contains(name) == true, "\(name)")
        }
        #expect(files?.contains { $0.contains("trace") || $0.hasSuffix(".new") } == false)
        #expect(files?.contains { $0.contains("with-bugs") } == false)
        try expectProfiles(below: prefix)
        #expect(
            try sandbox.text("prefix/share/man/man1/rig.1") == """
                .Xr rig-kill-test 1 ,
                .Bl -tag -width indent
                .It 0
                it went well
                .It 64 and 65
                it did not
                .El

                """)
        // `apropos rig` found nothing: lexgrog reads no name with a blank.
        #expect(
            try sandbox.text("prefix/share/man/man1/rig-kill-test.1")
                == ".Nm rig-kill-test\n.Nd Kill\n.Nm \"rig kill-test\"\n")
    }

    /// The list of what is installed names files of the checkout, and one may be renamed.
    @Test func aFileOfTheListThatIsMissingIsSaid() throws {
        try prepareInstallation()
        try FileManager.default.removeItem(at: sandbox.root.appendingPathComponent("LICENSE"))
        try sandbox.run(
            "harness/setup", ["--install", sandbox.root.appendingPathComponent("prefix").path],
            environment: ["RIG_BINARIES=\(sandbox.tools.path)"]
        ).exits(70).says("LICENSE")
    }

    /// Installed profiles work from any folder; those of what only a checkout can build are left out.
    private func expectProfiles(below prefix: URL) throws {
        let harness = prefix.appendingPathComponent("share/rig/harness")
        let folder = harness.appendingPathComponent("stores/profiles")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count > 20 && !names.contains("rocksdb.yml") && !names.contains("zodb.yml"))
        for name in names {
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            #expect(text.contains(" \(harness.path)/stores/store_"), "\(name)")
            #expect(!text.contains(" harness/") && !text.contains(".build"), "\(name)")
        }
        // What calls harness/rig in a checkout calls it here.
        #expect(
            try FileManager.default.destinationOfSymbolicLink(
                atPath: harness.appendingPathComponent("rig").path) == "../../../bin/rig")
    }

    /// Where a file system lists the newest first, the link was to be made before its folder (70).
    @Test func aLinkMayComeFirst() throws {
        try sandbox.provide(["mv"])
        try sandbox.tool(
            "place",
            """
            set -euo pipefail
            source "$root/harness/lib/install.sh"
            mkdir -p "$root/staged/harness"
            ln -s ../rig "$root/staged/harness/rig"
            put_in_place "$root/staged" "$root/installed"
            """)
        try sandbox.run("../tools/place").exits(0)
        let link = sandbox.root.appendingPathComponent("installed/harness/rig").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "../rig")
    }
}
