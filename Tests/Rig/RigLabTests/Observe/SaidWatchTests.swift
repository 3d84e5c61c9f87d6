import Foundation
import RigModel
import Synchronization
import TestSupport
import Testing

@testable import RigLab

/// What a program has said, and how one ends that was asked to.
@Suite struct SaidWatchTests {
    @Test func aLineCountsWhenItIsWhole() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("said")
        let watch = SaidWatch(path)
        #expect(watch.lines == 0 && watch.firstLine == nil)
        try append("one\ntw", to: path)
        #expect(watch.lines == 1)
        let first = watch.firstLine
        #expect(first != nil)
        try append("o\nthree\n", to: path)
        #expect(watch.lines == 3 && watch.glance.progress == 3)
        #expect(watch.firstLine == first)
    }

    @Test func whatEarlierLaunchesHaveSaidIsNotCounted() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("said")
        try append("one\ntwo\n", to: path)
        let watch = SaidWatch(path)
        try append("three\n", to: path)
        #expect(watch.lines == 1)
    }

    @Test func aProgramThatSaysNothingHasBegunAllTheSame() {
        let watch = SaidWatch(nil)
        #expect(watch.lines == 0 && !watch.glance.received.isEmpty)
    }

    @Test func anEndThatWasAskedForCountsAsItsOwn() {
        let clock = RunClock(0)
        #expect(clock.own(.signaled(15)) == .signaled(15))
        #expect(clock.isOver)
        #expect(clock.own(.signaled(15)) == .exited(0))
        #expect(clock.own(.signaled(9)) == .exited(0))
        #expect(clock.own(.exited(3)) == .exited(0))
        #expect(clock.own(.signaled(11)) == .signaled(11))
        #expect(!RunClock(nil).isOver && !RunClock(1000).isOver)
    }

    /// A program that waited for a lock which the kill had left was asked to end after two seconds,
    /// and its end counted as its own.
    @Test func aProgramThatDoesNothingIsNotAskedToEnd() throws {
        let hasProgressed = Mutex(false)
        let clock = RunClock(0) { hasProgressed.withLock { $0 } }
        #expect(!clock.isOver && clock.own(.signaled(15)) == .signaled(15))
        hasProgressed.withLock { $0 = true }
        try blockUntil("it has rung") { clock.isOver }
        hasProgressed.withLock { $0 = false }
        #expect(clock.isOver)
    }
}
