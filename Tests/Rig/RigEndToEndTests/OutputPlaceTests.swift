import Foundation
import Testing
import TestSupport

/// What `--output` names does not have to be a plain file.
///
/// Everything was replaced by a plain file: as root, `export --output /dev/null` took the device
/// away from the whole machine. A pipe was replaced as well, and its reader waited for ever.
@Suite struct OutputPlaceTests {
    /// Runs the body with a served video, and the same video as a file.
    private func withVideo(
        _ body: @Sendable (_ url: String, _ place: Workplace, _ video: Data) async throws -> Void
    ) async throws {
        let place = Workplace()
        try await serving(["--video-size", "1MB"], in: place) { url in
            try await curl("-s", "-o", "direct", url, in: place, exits: 0)
            try await body(url, place, try place.data("direct"))
        }
    }

    /// Runs a script whose `$@` is a command that writes the video, without its output's name.
    private func write(
        _ command: String, _ url: String, storage: String, in place: Workplace, _ script: String
    ) async throws -> Programs.Outcome {
        let form = command == "fetch" ? ["--quiet", "--storage", storage] : []
        if command == "export" {
            try await downloader(
                "fetch", url, "--cache", "cache", "--storage", storage, in: place, exits: 0)
        }
        return try await Programs.run(
            "/bin/sh",
            ["-c", script, "sh", Programs.downloader, command, url, "--cache", "cache"] + form,
            in: place.url)
    }

    private static let long = String(repeating: "å", count: 126) + ".mp"

    /// A script, and the file in which the video has to be afterwards.
    private static let places: [(script: String, file: String)] = [
        ("mkfifo out; cat out >got & \"$@\" --output out && wait $! && test -p out", "got"),
        ("\"$@\" --output - >got", "got"), ("\"$@\" --output - | cat >got", "got"),
        ("\"$@\" --output /dev/stdout | cat >got", "got"),
        ("\"$@\" --output /dev/fd/3 3>got", "got"),
        ("ln -s /dev/fd/3 link; \"$@\" --output link 3>got && test -h link", "got"),
        // An open file is written into, where it is.
        (
            "echo old >a; \"$@\" --output /dev/fd/3 3>>a && grep -q old a && tail -c +5 a >got",
            "got"
        ),
        ("echo old >got; ln -s got link; \"$@\" --output link && test -h link", "got"),
        ("mkdir sub; ln -s ../got sub/b; ln -s sub/b a; \"$@\" --output a && test -h a", "got"),
        ("ln -s got link; \"$@\" --output link && test -h link", "got"),
        ("\"$@\" --output \(long)", long),
        ("mkdir sub; chmod 333 sub; \"$@\" --output sub/got", "sub/got"),
        ("\"$@\" --output ./-", "-"),
    ]

    @Test(arguments: Nightly.pairs(["fetch", "export"], ["file", "rows"]))
    func theVideoGoesWhereTheNameLeads(command: String, storage: String) async throws {
        try await withVideo { url, place, video in
            for (script, file) in Self.places {
                let outcome = try await write(command, url, storage: storage, in: place, script)
                #expect(outcome.exitCode == 0, "\(script): \(outcome.complaint)")
                #expect(
                    FileManager.default.contents(atPath: place.path(file)) == video, "\(script)"
                )
                try await Programs.run(
                    "/bin/sh", ["-c", "rm -rf out got link sub a -- - \(Self.long)"],
                    in: place.url, exits: 0)
                let left = try FileManager.default.contentsOfDirectory(atPath: place.url.path)
                #expect(!left.contains { $0.hasSuffix(".partial") }, "\(left)")
            }
        }
    }

    /// A script, how it ends, and what is said.
    private static let failures: [(script: String, code: Int32, says: String)] = [
        ("\"$@\" --output /dev/full", 74, "No space left"),
        ("\"$@\" --output - >/dev/full", 74, "No space left"),
        ("\"$@\" --output - >&-", 74, "standard output"),
        // The reader goes away in the middle.
        ("mkfifo out; head -c 9 out >&2 & \"$@\" --output out", 74, "Broken pipe"),
        ("mkdir sub; \"$@\" --output sub", 73, "directory"),
        ("\"$@\" --output nothing/", 73, "directory"),
        ("ln -s link link; \"$@\" --output link", 73, "link"),
        ("\"$@\" --output x\(long)\(long)", 73, "too long"),
        ("\"$@\" --output /dev/fd/3 3<cache", 73, "directory"),
        ("echo old >a; \"$@\" --output /dev/fd/3 3<a", 74, "Bad file descriptor"),
        // As another word, it led elsewhere.
        ("\"$@\" --output \"$(printf 'a\\351')\"", 64, "UTF-8"),
        ("ln -s cache/cache.sqlite link; \"$@\" --output link", 64, "cache itself"),
        ("ln -s cache/data/new link; \"$@\" --output link", 64, "cache itself"),
    ]

    @Test(arguments: ["fetch", "export"])
    func whatCannotBeWrittenIsSaid(command: String) async throws {
        try await withVideo { url, place, _ in
            for (script, code, says) in Self.failures {
                let outcome = try await write(command, url, storage: "rows", in: place, script)
                #expect(outcome.exitCode == code, "\(script): \(outcome.complaint)")
                #expect(outcome.complaint.contains(says), "\(script): \(outcome.complaint)")
                try await Programs.run(
                    "/bin/sh", ["-c", "rm -rf out sub link a"], in: place.url, exits: 0)
            }
        }
    }

    /// The disk was to be checked, and it was the limit.
    @Test(arguments: [
        "ulimit -f 1000; \"$@\" --output - >got",
        "head -c 600000 /dev/zero >got; ulimit -f 1000; \"$1\" status --cache cache >>got",
    ])
    func aLimitOfFileSizeIsNamed(script: String) async throws {
        try await withVideo { url, place, _ in
            try await write("export", url, storage: "file", in: place, script)
                .exits(74).complains("standard output has reached the limit of a file's")
        }
    }

    @Test(
        .enabled(if: geteuid() == 0, "making a device needs root"), arguments: ["fetch", "export"])
    func aDeviceStaysADevice(command: String) async throws {
        try await withVideo { url, place, _ in
            try await write(
                command, url, storage: "file", in: place,
                "mknod null c 1 3 && ln -s null link && \"$@\" --output null && "
                    + "\"$@\" --output link && test -c null && test -h link"
            ).exits(0)
        }
    }

    /// A signal ends the wait for a reader that does not come.
    @Test func aFetchThatNothingReadsCanBeEnded() async throws {
        try await withVideo { url, place, _ in
            #expect(mkfifo(place.path("out"), 0o600) == 0)
            try await downloader.end(
                ["fetch", url, "--cache", "cache", "--output", "out", "--quiet"], in: place,
                by: SIGTERM, exits: 143, once: "the video is cached"
            ) { try await place.cachedBytes() == 1_048_576 }
        }
    }

    /// The pages and figures of the rig, which it replaced as well or refused.
    @Test func theRigWritesWhereTheNameLeads() async throws {
        let place = Workplace()
        let run = try await place.killTest(
            "--iterations", "1", "--video-size", "1MB", "--seed", "4")
        #expect([0, 98].contains(run.exitCode), "\(run.complaint)")
        let scripts = [
            "\"$@\" report run --out - >page", "\"$@\" report run --out /dev/stdout >page",
            "mkfifo out; cat out >page & \"$@\" report run --out out && wait $! && test -p out",
            "ln -s page link; \"$@\" report run --out link && test -h link",
            "\"$@\" report run --out \(Self.long) && mv \(Self.long) page",
            "\"$@\" compare run run --html - >page",
            "ln -s page link; \"$@\" compare run run --html link && test -h link",
        ]
        for script in scripts {
            try await Programs.run(
                "/bin/sh", ["-c", script, "sh", Programs.rig], in: place.url, exits: 0)
            #expect(try place.text("page").lowercased().hasPrefix("<!doctype html"), "\(script)")
            try await Programs.run(
                "/bin/sh", ["-c", "rm -f out link page"], in: place.url, exits: 0)
        }
        try await rig("report", "run", "--out", "/dev/full", in: place, exits: 70)
    }
}
