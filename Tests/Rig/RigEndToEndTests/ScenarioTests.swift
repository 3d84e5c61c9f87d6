import Fixture
import Foundation
import OriginFaults
import RigModel
import Testing
import TestSupport
import Witness

/// The documents' scenarios T1–T10 and T12, each named by its id.
///
/// They use a real server, a real `downloader`, a player that closes after an exact number of
/// bytes, and real signals. What is left on disk is read from a copy with the
/// tests' own SQL, and compared with the video byte by byte.
///
/// A silent origin sends an exact number of bytes and then nothing, so the received
/// bytes are known exactly. Elsewhere the worker's witness page reports them.
///
/// The documents' six edge cases carry their numbers: 1 cancelled at once (T6), 2 overlapping
/// requests for one range (C7), 3 killed while a save runs (B5), 4 five videos in two seconds
/// (T5), 5 the cache is full (C6), 6 less than a threshold left at the end (T7).
@Suite struct ScenarioTests {}

extension ScenarioTests {
    /// Five videos are opened one after the other, each left after fewer bytes than the one before.
    ///
    /// What arrives after a cancel is saved too (S3), and less than a threshold.
    @Test(arguments: Stage.file)
    func edge4WhatArrivesAfterTheCancelIsSavedToo(storage: String) async throws {
        let stage = try Stage(storage)
        let amounts: [Int64] = [1 << 20, 200 << 10, 100 << 10, 50 << 10, 300 << 10]
        // So long that no worker has all of it before a cancel is noticed.
        let videos = try (1...5).map { try scenarioVideo($0, length: 8 << 20) }
        let (urls, end) = try await ScenarioOrigin.run(videos, bytesPerSecond: 8e6) { origin in
            let end = try await stage.proxy(endingWith: SIGKILL) { launch in
                for (index, url) in origin.urls.enumerated() {
                    let seen = try await launch.player.take(url, count: amounts[index])
                    try seen.expect(videos[index], from: 0, count: amounts[index])
                }
                try await launch.allRequestsEnded()
            }
            return (origin.urls, end)
        }
        let state = try stage.state()
        for (index, url) in urls.enumerated() {
            let received = end.witness.received(of: url)
            #expect(received.count >= amounts[index])
            #expect(received.count < videos[index].length)
            try state.expect(received.ranges, of: url, as: videos[index])
        }
    }

    /// The player disconnects before its first byte: nothing is left running, or stored.
    ///
    /// The origin has not even answered the probe, or it has, and the bytes are on their way: for
    /// five seconds. On a machine with twenty times its load, a test that looked for the second
    /// request missed one of two seconds.
    ///
    /// Where the second request begins before the connection of the probe is free again, it has one
    /// of its own, which may come and go between two looks; that of the probe stays for the next
    /// request. So the end of the request is waited for, and each answer may leave one connection.
    @Test(
        arguments: Nightly.pairs(
            [(.silent(after: 1), 1), (.late, 2)] as [(OriginFault, UInt64)], Stage.storages))
    func edge1CancellingBeforeTheFirstByteIsClean(
        origin: (OriginFault, UInt64), storage: String
    ) async throws {
        let (fault, requests) = origin
        try await Stage.withVideo(
            storage, 6, length: 1 << 20, faults: [fault]
        ) { stage, video, origin, url in
            let port = origin.port
            let end = try await stage.proxy { launch in
                try await launch.player.leave(url) {
                    try connections(to: port) > 0 && launch.witness.requestsBegun >= requests
                }
                // A request is counted before it is in the page.
                try await eventually("the last request has ended") {
                    launch.witness.records.contains { $0.ordinal == requests && !$0.isActive }
                }
                try await launch.allRequestsEnded()
                try await eventually("the origin is left") {
                    try connections(to: port) < requests
                }
            }
            #expect(end.outcome.exitCode == 143, "\(end.outcome.complaint)")
            #expect(end.outcome.complaint == "")
            #expect(end.witness.requestsBegun == requests)
            // The answer to the probe is dropped, and nothing else has come.
            try stage.state().expect([], of: url, as: video)
        }
    }

    /// 1.3 MB are two thresholds and a remainder: three commits, and no more.
    @Test(arguments: Nightly.pairs(["fetch", "proxy"], Stage.storages))
    func edge6TheRemainderIsSavedAtCompletion(command: String, storage: String) async throws {
        let stage = try Stage(storage)
        let video = try scenarioVideo(7, length: 1324 << 10)
        let url = try await ScenarioOrigin.run([video]) { origin in
            let url = origin.urls[0]
            if command == "fetch" {
                try await stage.downloader("fetch", "--url", url, "--storage", storage).exits(0)
            } else {
                // A kill, so that the completion has saved the remainder, and not an orderly end.
                let end = try await stage.proxy(endingWith: SIGKILL) { launch in
                    try await launch.player.take(url).expect(video, from: 0, count: video.length)
                    try await launch.allRequestsEnded()
                }
                #expect(end.witness.commits == 3)
            }
            return url
        }
        let state = try stage.state()
        try state.expect([0..<video.length], of: url, as: video)
        #expect(state.chunks[url]?.count == 3)
        try state.expectCommits(of: url)
    }

    /// The system asks the process to end: the remainder is saved first.
    @Test(
        arguments: Nightly.pairs(
            [("fetch", SIGTERM), ("proxy", SIGINT), ("proxy", SIGTERM), ("fetch", SIGINT)]
                as [(String, Int32)], Stage.storages))
    func t12BeingAskedToEndSavesTheRemainder(
        asked: (String, Int32), storage: String
    ) async throws {
        let (stage, (command, signal)) = (try Stage(storage), asked)
        let video = try scenarioVideo(12, length: 2 << 20)
        let amount: Int64 = 900_001
        let url = try await ScenarioOrigin.run(
            [video], faults: [.silent(after: amount)]
        ) { origin in
            let url = origin.urls[0]
            let outcome: Programs.Outcome
            if command == "fetch" {
                let page = stage.place.path("page")
                let witness = try WitnessReader(path: page)
                outcome = try await downloader.end(
                    ["fetch", url, "--cache", "cache", "--storage", storage], in: stage.place,
                    environment: ["RIG_WITNESS": page], by: signal, exits: 128 + signal,
                    once: "all that was sent is received"
                ) { witness.received(of: url).count >= amount }
            } else {
                outcome = try await stage.proxy(endingWith: nil) { launch in
                    async let seen = launch.player.take(url)
                    try await launch.received(amount, of: url)
                    launch.proxy.send(signal)
                    let answer = try await seen
                    #expect(answer.isCut)
                    try answer.expectPrefix(of: video)
                }.outcome
            }
            #expect(outcome.exitCode == 128 + signal, "\(outcome.complaint)")
            return url
        }
        try stage.state().expect([0..<amount], of: url, as: video)
    }
}
