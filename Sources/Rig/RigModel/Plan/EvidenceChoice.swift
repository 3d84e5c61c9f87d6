/// Of which rows that did not pass the worker's state is kept.
package enum EvidenceChoice: String, Sendable, Hashable, Codable, CaseIterable {
    /// Of the first three of each kind of failure.
    case first
    /// Of all.
    case all
}
