import RigModel

extension EvidenceChecker {
    /// B5: the database must be sound, and every stored byte must equal the origin's.
    ///
    /// After a power cut that commits need not survive (T11), a chunk with a wrong checksum is a
    /// loss: it is never served (C5). Wrong bytes with a matching checksum are always a fault.
    static let integrity = EvidenceChecker(
        checker: .integrity, needs: [.state], counts: [.any],
        details: { kill in kill.evidence.autopsy.map { kill.damage(in: $0) } ?? [] },
        lacksEvidence: { $0.evidence.autopsy == nil })
}

extension JudgedKill {
    fileprivate func damage(in autopsy: Autopsy) -> [String] {
        let mayBeTorn = !evidence.plan.policy.survives(evidence.fault)
        var details: [String?] = []
        if autopsy.integrityCheck != "ok" {
            details.append(
                "the database's integrity check says: \(autopsy.integrityCheck.prefix(200))")
        }
        let damaged = autopsy.chunks.filter(\.failsOwnChecksum)
        if !mayBeTorn, !damaged.isEmpty {
            details.append(
                "\(damaged.count) of \(autopsy.chunks.count) chunks do not match their checksum,"
                    + " at \(Wording.places(ByteRanges(damaged.map(\.range))))")
        }
        let wrong = autopsy.chunks.filter {
            $0.differingBytes > 0 && !($0.failsOwnChecksum && mayBeTorn)
        }
        if !wrong.isEmpty {
            let bytes = wrong.reduce(0) { $0 + $1.differingBytes }
            details.append(
                "\(bytes) stored bytes are unlike the video's, in \(wrong.count) of"
                    + " \(autopsy.chunks.count) chunks\(Wording.place(autopsy.firstDifference))")
        }
        let outside = ByteRanges(autopsy.chunks.map(\.range)).subtracting(figures.video)
        details.append(outside.told("are stored where the video has none"))
        return details.compactMap(\.self)
    }
}
