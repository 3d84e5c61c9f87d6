import RigModel
import Testing

@testable import RigLab

/// In whatever order iterations end, they are returned in the plan's order.
@Suite struct PlanOrderTests {
    private struct Failure: Error, Equatable {
        let index: Int
    }

    /// The course of a plan that several jobs carried out, in an order that a seed draws.
    private struct Course {
        /// In the order in which iterations ended.
        var finished: [Int] = []
        /// In the order in which they were returned.
        var given: [Int] = []
        var failure: Failure?
        /// The most iterations that were begun and not yet returned.
        var mostAhead = 0
        /// Iterations that were begun although an earlier one was known to have failed.
        var begunInVain: [Int] = []
    }

    private func course(
        count: Int, jobs: Int, lead: Int, failing: Set<Int> = [], seed: UInt64
    ) -> Course {
        var random = SplitMix64(seed: seed)
        var order = PlanOrder<Int>(count: count, lead: lead)
        var underWay: [Int] = []
        var course = Course()
        while true {
            while underWay.count < jobs, let index = order.begin() {
                if course.finished.contains(where: { failing.contains($0) && $0 < index }) {
                    course.begunInVain.append(index)
                }
                underWay.append(index)
                course.mostAhead = max(course.mostAhead, index + 1 - course.given.count)
            }
            guard !underWay.isEmpty else { return course }
            let index = underWay.remove(at: Int(random.next() % UInt64(underWay.count)))
            course.finished.append(index)
            order.finish(
                index,
                with: failing.contains(index) ? .failure(Failure(index: index)) : .success(index))
            while let result = order.next() {
                switch result {
                case .success(let index): course.given.append(index)
                case .failure(let error): course.failure = error as? Failure
                }
            }
        }
    }

    @Test(arguments: [1, 2, 3, 8], [1, 2, 3, 4, 5] as [UInt64])
    func everyIterationComesOutInItsPlace(jobs: Int, seed: UInt64) {
        let course = course(count: 200, jobs: jobs, lead: 4 * jobs, seed: seed)
        #expect(course.given == Array(0..<200))
        #expect(course.failure == nil)
        #expect(course.mostAhead <= 4 * jobs)
        // With several jobs the ends came in another order; otherwise the test would prove nothing.
        #expect((course.finished == course.given) == (jobs == 1))
    }

    @Test(arguments: [1, 2, 3, 8], [1, 2, 3, 4, 5] as [UInt64])
    func theFirstFailureOfThePlanEndsIt(jobs: Int, seed: UInt64) {
        let failing: Set = [40, 41, 42, 47, 120]
        let course = course(count: 200, jobs: jobs, lead: 4 * jobs, failing: failing, seed: seed)
        #expect(course.given == Array(0..<40))
        #expect(course.failure == Failure(index: 40))
        #expect(course.begunInVain.isEmpty)
        #expect(course.finished.allSatisfy { $0 < 40 + 4 * jobs })
    }

    /// The iterations that an order begins, at most this many.
    private func begun(_ order: inout PlanOrder<Int>, atMost count: Int) -> [Int] {
        var begun: [Int] = []
        while begun.count < count, let index = order.begin() { begun.append(index) }
        return begun
    }

    /// What an order returns now, and the failure that ended it.
    private func given(_ order: inout PlanOrder<Int>) -> (outcomes: [Int], failure: Failure?) {
        var outcomes: [Int] = []
        while let result = order.next() {
            switch result {
            case .success(let outcome): outcomes.append(outcome)
            case .failure(let error): return (outcomes, error as? Failure)
            }
        }
        return (outcomes, nil)
    }

    /// A failure that is known early does not drop the iterations planned before it.
    @Test func whatComesBeforeAFailureStillCounts() {
        var order = PlanOrder<Int>(count: 9, lead: 4)
        let first = begun(&order, atMost: 3)
        #expect(first == [0, 1, 2])
        order.finish(2, with: .failure(Failure(index: 2)))
        let early = given(&order)
        #expect(early.outcomes.isEmpty && early.failure == nil)
        #expect(order.end == 2)
        order.finish(1, with: .success(1))
        order.finish(0, with: .success(0))
        let all = given(&order)
        #expect(all.outcomes == [0, 1])
        #expect(all.failure == Failure(index: 2))
        let more = begun(&order, atMost: 9)
        #expect(more.isEmpty)
        let rest = given(&order)
        #expect(rest.outcomes.isEmpty)
    }

    /// During one slow iteration the others get no further ahead than the lead.
    @Test func noJobIsFurtherAheadThanTheLead() {
        var order = PlanOrder<Int>(count: 100, lead: 3)
        let first = begun(&order, atMost: 100)
        #expect(first == [0, 1, 2])
        for index in 1..<3 { order.finish(index, with: .success(index)) }
        let ahead = begun(&order, atMost: 100)
        #expect(ahead.isEmpty)
        order.finish(0, with: .success(0))
        let all = given(&order)
        #expect(all.outcomes == [0, 1, 2])
        let next = begun(&order, atMost: 1)
        #expect(next == [3])
    }

    @Test func aPlanOfNothingIsOver() {
        var order = PlanOrder<Int>(count: 0, lead: 1)
        let begun = begun(&order, atMost: 1)
        let given = given(&order)
        #expect(begun.isEmpty && given.outcomes.isEmpty && given.failure == nil)
    }
}

/// Interrupting a part does not interrupt the whole.
@Suite struct InterruptionTests {
    @Test func theWholeEndsItsParts() {
        let whole = Interruption()
        let parts = [Interruption(within: whole), Interruption(within: whole)]
        #expect(!parts[0].isRaised)
        parts[0].raise()
        #expect(parts[0].isRaised)
        #expect(!parts[1].isRaised)
        #expect(!whole.isRaised)
        whole.raise()
        #expect(parts.allSatisfy { $0.isRaised })
    }
}

/// Parallel iterations never share a port.
@Suite struct FreePortTests {
    @Test func everybodyHasAnotherOne() async throws {
        let ports = (0..<200).map { _ in FreePort() }
        let picked = try await withThrowingTaskGroup(of: UInt16.self) { group in
            for port in ports { group.addTask { try port.pick() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(picked).count == 200)
    }
}
