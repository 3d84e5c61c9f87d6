/// Where a worker is in its life, in the order of a life (spec 2).
package enum Phase: String, Sendable, Hashable, Codable, CaseIterable {
    case starting, recovering, connecting, receiving, committing, checkpointing, evicting
    case cancelling, completing, idle
}

extension Phase: CodingKeyRepresentable {}
