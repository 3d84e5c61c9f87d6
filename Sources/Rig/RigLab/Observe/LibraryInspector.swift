internal import Fixture
internal import Foundation
internal import GRDB
internal import RigModel

/// Inspects a copy of a library's folder with the rig's own SQL, and compares it with what the
/// origin served.
struct LibraryInspector {
    let library: WorkerProfile.Library
    let addresses: LibraryAddresses
    /// The images' bytes, by number.
    let pictures: [MemoryVideo]
    /// The generations that the origin has served.
    let generations: ClosedRange<Int>

    func inspect(copy folder: String) throws -> LibraryAutopsy {
        let (integrity, list) = try readList("\(folder)/\(library.database)")
        let (images, strangers) = try readImages("\(folder)/\(library.images)")
        return LibraryAutopsy(
            integrityCheck: integrity, list: list, images: images, strangers: strangers)
    }

    // MARK: The list

    private func readList(_ path: String) throws -> (String, StoredList) {
        let reading = try CopiedDatabase.read(path) { database -> (String, StoredList) in
            let complaints = try String.fetchAll(database, sql: "PRAGMA integrity_check")
            return (complaints.joined(separator: ", "), try storedList(database))
        }
        return switch reading {
        case .nothing: ("ok", .none)
        case .damaged(let complaint): (complaint, .none)
        case .value(let found): found
        }
    }

    private func storedList(_ database: Database) throws -> StoredList {
        let isThere = try Row.fetchOne(database, sql: library.presence) != nil
        let found = try Row.fetchAll(database, sql: library.list).map(ListedVideo.init)
        guard isThere else {
            return found.isEmpty
                ? .none : .unlike("\(found.count) videos without a list that they belong to")
        }
        for generation in generations.reversed() where found == expected(generation) {
            return .generation(generation)
        }
        return .unlike(difference(of: found))
    }

    private func expected(_ generation: Int) -> [ListedVideo] {
        addresses.plan.list(generation).map {
            ListedVideo(
                id: $0.id, title: $0.title, description: $0.description, url: addresses.video($0),
                thumbnailURL: $0.image.map(addresses.image), duration: $0.duration)
        }
    }

    /// Which lists the found videos come from.
    private func difference(of found: [ListedVideo]) -> String {
        guard !found.isEmpty else { return "a list without a video" }
        let parts = generations.compactMap { generation -> String? in
            let expected = expected(generation)
            let count = found.count { expected.contains($0) }
            return count == 0 ? nil : "\(count) of the \(expected.count) of list \(generation)"
        }
        let origin = parts.isEmpty ? "none that was ever served" : parts.joined(separator: ", ")
        return "\(found.count) videos: \(origin)"
    }

    // MARK: The images

    private func readImages(_ folder: String) throws -> ([StoredImage], [String]) {
        let files = FileManager.default
        guard files.fileExists(atPath: folder) else { return ([], []) }
        let names = Set(try files.contentsOfDirectory(atPath: folder))
        var known: Set<String> = []
        var images: [StoredImage] = []
        for (number, picture) in pictures.enumerated() {
            let name = addresses.imageFile(number)
            known.insert(name)
            let path = "\(folder)/\(name)"
            guard names.contains(name), let length = path.fileSize,
                let found = try FileComparison.compare(file: path, with: picture)
            else { continue }
            images.append(
                StoredImage(number: number, length: length, differingBytes: found.differingBytes))
        }
        return (images, names.subtracting(known).sorted())
    }
}

/// One row of the list, with every field that is compared.
private struct ListedVideo: Hashable {
    var id: String?
    var title: String?
    var description: String?
    var url: String?
    var thumbnailURL: String?
    var duration: Double?
}

extension ListedVideo {
    /// Reads a row; a field of a wrong type is nil, and so differs from what was served.
    init(_ row: Row) {
        id = String.fromDatabaseValue(row["id"])
        title = String.fromDatabaseValue(row["title"])
        description = String.fromDatabaseValue(row["description"])
        url = String.fromDatabaseValue(row["url"])
        thumbnailURL = String.fromDatabaseValue(row["thumbnail_url"])
        duration = Double.fromDatabaseValue(row["duration"])
    }
}
