import RigModel

extension EvidenceChecker {
    /// O4, O6: the list is the old one or the new one, every image absent or whole, until a
    /// refresh.
    static let library = EvidenceChecker(
        checker: .library, applies: { $0.workload == .offlineLibrary },
        details: { $0.evidence.tornLibrary + $0.evidence.unrefreshedLibrary },
        always: { $0.evidence.tornLibrary }, lacksEvidence: { $0.evidence.library?.killed == nil })
}

extension IterationEvidence {
    fileprivate var tornLibrary: [String] {
        guard let library, let killed = library.killed else { return [] }
        let promised = plan.policy.survives(fault)
        return [
            listDetail(
                killed.list, acknowledged: promised ? library.acknowledgedList : 0,
                // Without the page it is not known which lists were received.
                received: witness.map { _ in library.receivedList }),
            imagesDetail(killed.images),
        ].compactMap(\.self) + (promised ? absentDetail(killed, library) : [])
    }

    /// What is wrong with a list, which must be number `acknowledged` or newer; 0 for no demand.
    private func listDetail(_ list: StoredList, acknowledged: Int, received: Int?) -> String? {
        switch list {
        case .none:
            guard acknowledged > 0 else { return nil }
            return "there is no list, although list \(acknowledged) was acknowledged"
        case .unlike(let difference):
            return "the list is neither the old one nor the new one: \(difference)"
        case .generation(let generation):
            guard generation >= acknowledged else {
                return "the list is number \(generation), although number"
                    + " \(acknowledged) was acknowledged"
            }
            guard let received, generation > received else { return nil }
            return "the list is number \(generation), although only number"
                + " \(received) had been received"
        }
    }

    private func imagesDetail(_ images: [StoredImage]) -> String? {
        let torn = images.filter { $0.differingBytes > 0 }
        guard let first = torn.first else { return nil }
        return "\(torn.count) of \(images.count) images \(torn.count == 1 ? "is" : "are") neither"
            + " absent nor whole, the first image \(first.number) with \(first.length) bytes"
    }

    private func absentDetail(_ killed: LibraryAutopsy, _ library: LibraryEvidence) -> [String] {
        let there = Set(killed.images.map(\.number))
        let gone = library.acknowledgedImages.filter { !there.contains($0) }
        guard let first = gone.first else { return [] }
        return ["\(gone.count) acknowledged images are gone, the first image \(first)"]
    }

    /// After a successful relaunch: the new list, all its images, and no leftovers (B5).
    fileprivate var unrefreshedLibrary: [String] {
        guard let library, resumption?.endedWell == true else { return [] }
        guard let relaunched = library.relaunched else {
            return ["the folder cannot be read after the relaunch"]
        }
        var found: [String] = []
        let served = library.servedAfterwards
        if relaunched.list != .generation(served) {
            found.append("the list is not number \(served), which was served: \(relaunched.list)")
        }
        let whole = Set(relaunched.images.filter { $0.differingBytes == 0 }.map(\.number))
        let missing = library.imagesAfterwards.filter { !whole.contains($0) }
        if let first = missing.first {
            let count = missing.count
            found.append("\(count) images of the list are absent or torn, the first image \(first)")
        }
        if relaunched.integrityCheck != "ok" {
            found.append("the database says: \(relaunched.integrityCheck)")
        }
        if let first = relaunched.strangers.first {
            found.append("\(relaunched.strangers.count) files are left over, the first \(first)")
        }
        return found.map { "after the relaunch \($0)" }
    }
}
