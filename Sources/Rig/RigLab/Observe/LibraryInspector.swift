internal import Fixture
internal import Foundation
internal import GRDB
internal import RigModel

/// Compares a copy of a library's folder, read with the rig's own SQL, with what was served.
struct LibraryInspector {
    let library: WorkerProfile.Library
    let addresses: LibraryAddresses
    /// The images' bytes, by number.
    let pictures: [MemoryVideo]
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
        for generation in generations.reversed() where found == addresses.videos(generation) {
            return .generation(generation)
        }
        return .unlike(difference(of: found))
    }

    /// Which lists the found videos come from.
    private func difference(of found: [ListedVideo]) -> String {
        guard !found.isEmpty else { return "a list without a video" }
        let parts = generations.compactMap { generation -> String? in
            let expected = addresses.videos(generation)
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
        let known = pictures.indices.map(addresses.imageFile)
        let images = try zip(known, pictures).enumerated().compactMap { number, image in
            try FileComparison.compare(file: "\(folder)/\(image.0)", with: image.1).map {
                StoredImage(number: number, length: $0.length, differingBytes: $0.differingBytes)
            }
        }
        return (images, names.subtracting(known).sorted())
    }
}

extension ListedVideo {
    /// Reads a row; a field of a wrong type is nil, and so differs from what was served.
    fileprivate init(_ row: Row) {
        id = String.fromDatabaseValue(row["id"])
        title = String.fromDatabaseValue(row["title"])
        description = String.fromDatabaseValue(row["description"])
        url = String.fromDatabaseValue(row["url"])
        thumbnailURL = String.fromDatabaseValue(row["thumbnail_url"])
        duration = Double.fromDatabaseValue(row["duration"])
    }
}
