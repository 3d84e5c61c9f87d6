import RigModel
import RigVerdict
import Testing

/// S2, S3: the remainder of an ended request is saved, however small it is.
///
/// A worker passed that dropped the 300 KB of every request that the player cancelled: they are
/// less than a threshold of 512 KB.
@Suite struct EndedRequestTests {
    /// A request that a player cancelled before the kill, and how much of it was saved.
    private func scene(acknowledged: Int64, stored: Bool = false) -> Scene {
        Scene.playback.with {
            let start: Int64 = 8 << 20
            $0.witnessed.append(.ended(start, got: 300_000, saved: acknowledged))
            $0.witnessed[1] = .running(0, got: Scene.saved, saved: Scene.saved)
            if stored { $0.chunks.append(.sound(start..<start + 300_000)) }
        }
    }

    private func details(_ scene: Scene) -> [String] {
        scene.judged.findings.filter { $0.checker == .bound }.map(\.detail)
    }

    @Test func aRemainderThatIsDroppedIsFoundBelowTheBoundToo() {
        #expect(
            details(scene(acknowledged: 0)) == [
                "300000 bytes of requests that had ended were never saved, at 8388608..<8688608"
            ])
        #expect(
            details(scene(acknowledged: 299_999)) == [
                "1 byte of requests that had ended were never saved, at 8688607..<8688608"
            ])
    }

    @Test func aRemainderThatIsThereIsNot() {
        #expect(details(scene(acknowledged: 0, stored: true)) == [])
        #expect(details(scene(acknowledged: 300_000, stored: true)) == [])
    }

    @Test func aRequestThatStillRunsMayLoseIt() {
        let running = scene(acknowledged: 0).with {
            $0.witnessed[2] = .running(8 << 20, got: 300_000)
        }
        #expect(details(running) == [])
    }
}
