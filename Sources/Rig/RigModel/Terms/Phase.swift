/// A phase of a worker, in the order in which a worker goes through them (spec 2).
package enum Phase: String, Sendable, Hashable, Codable, CodingKeyRepresentable, CaseIterable {
    case starting, recovering, connecting, receiving, committing, checkpointing, evicting
    case cancelling, completing, idle
}
