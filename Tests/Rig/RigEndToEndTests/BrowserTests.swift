import Fixture
import FixtureOrigin
import Foundation
import OriginFaults
import Testing
import TestSupport

@testable import RigLab

/// A real browser plays through the proxy, even after the proxy was killed during playback.
@Suite(
    .enabled("chromium is not installed: no real browser is tested") {
        installed("chromium") != nil
    })
struct BrowserTests {
    /// What the page reports, by requesting a resource of that name.
    private enum Event: String, CaseIterable {
        case played, seeked, back, replayed, failed, tried
    }

    /// The page has another origin than the video, as web pages usually do.
    private func page(playing url: String) -> String {
        """
        <!doctype html><meta charset="utf-8"><title>A player</title>
        <video id="video" muted></video>
        <script>
        const video = document.getElementById("video");
        const url = "\(url)";
        const tell = name => fetch("/" + name, { cache: "no-store" });
        const pause = () => new Promise(resolve => setTimeout(resolve, 50));
        const reaches = async time => {
          while (video.seeking || video.currentTime < time) await pause();
        };
        const play = async address => {
          video.src = address;
          await video.play();
          await reaches(1);
        };
        (async () => {
          await play(url);
          await tell("played");
          video.currentTime = 9;
          await reaches(9.2);
          await tell("seeked");
          video.currentTime = 3;
          await reaches(3.2);
          await tell("back");
          while (!(await tell("go")).ok) await pause();
          // The browser cannot take another address for what it has already.
          await play(url + "%23again");
          await tell("replayed");
        })().catch(() => tell("failed"));
        </script>
        """
    }

    /// Runs a browser that opens a page, and ends it when the body returns.
    private func browse(
        _ page: String, in place: Workplace, _ body: @Sendable () async throws -> Void
    ) async throws {
        try await Programs.run(
            try #require(installed("chromium")),
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                "--mute-audio", "--no-first-run", "--no-proxy-server",
                "--disable-background-networking", "--disable-component-update",
                "--autoplay-policy=no-user-gesture-required",
                "--host-resolver-rules=MAP evil.example 127.0.0.1",
                "--user-data-dir=\(place.path("profile"))", page,
            ], in: place.url
        ) { browser in
            do {
                try await body()
            } catch {
                kill(browser, SIGKILL)
                throw error
            }
            #expect(kill(browser, SIGTERM) == 0)
        }
    }

    /// The start of a video of 10 MB, before a box that players skip.
    enum Head: CaseIterable {
        /// The clip of a fixture, which a browser reads at once.
        case clip
        /// A film that a browser reads in parts.
        case film

        /// The video, and how many of its bytes are to be played.
        func video(in place: Workplace) async throws -> (any VideoSource, played: Int64) {
            let length = 10 << 20
            guard self == .film else {
                return (try FixtureVideo(seed: 5, length: Int64(length)), FixtureVideo.clipLength)
            }
            let path = try await Film.make(.first, in: place)
            let film = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
            let rest = length - film.count
            let header = withUnsafeBytes(of: UInt32(rest).bigEndian) { Array($0) }
            let box = header + Array("free".utf8) + [UInt8](repeating: 1, count: rest - 8)
            return (MemoryVideo(film + box), Int64(film.count))
        }
    }

    /// The played part is at the start of the video, and the origin stops sending soon after it.
    ///
    /// So the download is active the whole time that the browser plays. Each answer stops by
    /// itself. It used to be one hold over a total number of bytes; once in some hundred runs the
    /// browser's request for the film's end, which reads ahead the rest of the video, used up the
    /// bytes that its start needed.
    @Test(arguments: installed("ffmpeg") == nil ? [.clip] : Head.allCases)
    func playsSeeksAndPlaysAgainAfterAKillWithTheOriginGone(head: Head) async throws {
        let place = Workplace()
        let (video, played) = try await head.video(in: place)
        let enough = played + 600 << 10
        try await withOrigin { origin in
            try await withOrigin { pages in
                let mount = origin.mount(
                    Resource(source: video), at: "/video.mp4",
                    faults: [OriginFault(.silent, .bytes(enough))])
                try await ProxyProcess.run(
                    in: place, ["--threshold", "256KB"], endingWith: nil
                ) { proxy in
                    let page = page(playing: try proxy.address(of: mount.url))
                    let start = pages.mount(
                        Resource(source: MemoryVideo(Array(page.utf8)), contentType: "text/html"),
                        at: "/page.html")
                    let told = events(on: pages)
                    try await browse(start.url, in: place) {
                        try await wait(for: .played, told)
                        try await wait(for: .seeked, told)
                        try await wait(for: .back, told)
                        try await eventually("what is played is saved, and more under way") {
                            try isSaved(played, by: proxy)
                                && mount.ledger.contains { $0.state == .running }
                        }
                        try await proxy.end()
                        _ = try await StoppedOrigin.stop(origin)
                        try await playAgain(on: proxy.port, in: place, pages, told)
                    }
                }
            }
        }
    }

    /// A page, and whether the proxy does what it asks for.
    struct Asking {
        /// The page's host; for a browser, `localhost` is another site than 127.0.0.1.
        let host: String
        let knowsTheKey: Bool
        let isHeard: Bool
    }

    /// A page of another site made the proxy fetch addresses of the user's network.
    @Test(arguments: [
        Asking(host: "evil.example", knowsTheKey: true, isHeard: false),
        Asking(host: "127.0.0.1", knowsTheKey: false, isHeard: false),
        Asking(host: "localhost", knowsTheKey: true, isHeard: true),
    ])
    func aPageOfAnotherSiteMakesTheProxyFetchNothing(asking: Asking) async throws {
        let place = Workplace()
        _ = try await withOrigin { pages in
            try await ProxyProcess.run(in: place) { proxy in
                let inside = pages.mount(Resource(source: MemoryVideo([1, 2])), at: "/inside")
                let key = try #require(URL(string: proxy.address)).path
                let address = try proxy.address(of: inside.url)
                let asked = asking.knowsTheKey ? address : address.replacing(key + "/", with: "/")
                let start = pages.mount(
                    Resource(
                        source: MemoryVideo(Array(Self.page(asking: asked).utf8)),
                        contentType: "text/html"),
                    at: "/page.html")
                let told = events(on: pages)
                let page = start.url.replacing("127.0.0.1", with: asking.host)
                try await browse(page, in: place) { try await wait(for: .tried, told) }
                #expect(inside.ledger.isEmpty != asking.isHeard)
            }
        }
    }

    /// A page that asks in each way in which a page can without being allowed to read.
    private static func page(asking url: String) -> String {
        """
        <!doctype html><meta charset="utf-8"><title>A page</title>
        <script>
        const load = (kind, event) => new Promise(resolve => {
          const element = document.createElement(kind);
          element[event] = element.onerror = resolve;
          element.src = "\(url)";
          document.documentElement.append(element);
        });
        (async () => {
          await fetch("\(url)", { mode: "no-cors" }).catch(() => {});
          await load("img", "onload");
          await load("video", "onloadeddata");
          await load("iframe", "onload");
          await fetch("/tried", { cache: "no-store" });
        })();
        </script>
        """
    }

    private func isSaved(_ count: Int64, by proxy: ProxyProcess) throws -> Bool {
        try proxy.status().videos.contains { video in
            video.ranges.contains { $0.offset == 0 && $0.length >= count }
        }
    }

    /// Relaunches the proxy on the killed one's port, offline, and lets the page continue.
    private func playAgain(
        on port: String, in place: Workplace, _ pages: FixtureOrigin, _ told: [Event: Mount]
    ) async throws {
        let outcome = try await ProxyProcess.run(in: place, ["--port", port]) { relaunched in
            #expect(relaunched.port == port)
            _ = pages.mount(Resource(source: MemoryVideo([1])), at: "/go")
            try await wait(for: .replayed, told)
        }
        #expect(outcome.exitCode == 143, "\(outcome.complaint)")
    }

    private func events(on pages: FixtureOrigin) -> [Event: Mount] {
        Dictionary(
            uniqueKeysWithValues: Event.allCases.map {
                ($0, pages.mount(Resource(source: MemoryVideo([1])), at: "/\($0.rawValue)"))
            })
    }

    private func wait(for event: Event, _ told: [Event: Mount]) async throws {
        try await eventually("the page tells that it has \(event.rawValue)") {
            if told[.failed]?.ledger.isEmpty == false {
                throw NeverHappened(what: "\(event.rawValue): the page tells of a failure")
            }
            return told[event]?.ledger.isEmpty == false
        }
    }
}
