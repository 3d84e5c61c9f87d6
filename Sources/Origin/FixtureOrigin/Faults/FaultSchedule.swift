internal import OriginFaults

/// Decides which faults apply to a mount's next answer, and counts requests and strikes.
struct FaultSchedule: Sendable {
    private let original: Resource
    private let changed: Resource
    private let changesAfter: Int?
    private let faults: [OriginFault]
    private var strikes: [Int]
    private var isOver = false
    private let sequence: (@Sendable (Int) -> Resource)?
    private var requests = 0

    /// The schedule before any request; a sequence gives each, from 1, its own resource.
    init(
        _ faults: [OriginFault], of resource: Resource,
        sequence: (@Sendable (Int) -> Resource)? = nil
    ) {
        self.sequence = sequence
        let base = faults.contains { $0.kind == .lastModifiedOnly } ? resource.dated : resource
        original = base.spoiled(by: faults)
        changed = base.changed.spoiled(by: faults)
        changesAfter = faults.filter { $0.kind == .changeETag }.map { Int($0.amount) }.min()
        self.faults = faults
        strikes = Array(repeating: 0, count: faults.count)
    }

    /// The rate of all bodies together, in bytes a second; nil for unlimited.
    var bytesPerSecond: Double? { original.bytesPerSecond }
    mutating func end() { isOver = true }

    /// Takes back strikes of which the client has seen nothing.
    mutating func giveBack(_ struck: [OriginFault]) {
        for fault in struck {
            guard let index = faults.firstIndex(of: fault), strikes[index] > 0 else { continue }
            strikes[index] -= 1
        }
    }

    /// Plans the answer to the next request, and counts the faults that strike it.
    mutating func answer(
        _ request: RequestFacts
    ) -> (plan: ResponsePlan, representation: Resource, strikes: [OriginFault]) {
        let isChanged = changesAfter.map { requests >= $0 } ?? false
        let served =
            sequence.map { $0(requests + 1).spoiled(by: faults) }
            ?? (isChanged ? changed : original)
        let representation = served.fromEdge(requests, faults)
        requests += 1
        var plan = ResponsePlan(answering: request, with: representation)
        var striking: [OriginFault] = []
        for (index, fault) in faults.enumerated() {
            guard !isOver, strikes[index] < fault.times ?? .max,
                let struck = fault.strike(plan, of: request, with: representation)
            else { continue }
            strikes[index] += 1
            striking.append(fault)
            plan = struck
        }
        return (plan, representation, striking)
    }
}
