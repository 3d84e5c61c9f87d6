internal import Foundation
internal import RigLab
internal import RigModel
internal import RigRun

/// A page, or a badge, in a file named by the user.
enum PageFile {
    /// What a file is that may be written over: what the rig writes there.
    enum Kind {
        case page, badge, badgeJSON

        fileprivate var words: String { self == .page ? "page" : "badge" }

        fileprivate var beginning: String {
            switch self {
            case .page: "<!doctype html"
            case .badge:
                #"<?xml version="1.0" encoding="utf-8"?>"# + "\n"
                    + #"<svg xmlns="http://www.w3.org/2000/svg""#
            case .badgeJSON: "{\n  \"schemaversion\": 1,\n  \"label\""
            }
        }
    }

    /// Rejects a file with other content, which could not be recreated after being overwritten.
    static func check(_ path: String, is kind: Kind = .page, option: String) throws {
        let file = NamedFile(path)
        guard file.kind != .folder, !path.isEmpty, !path.hasSuffix("/") else {
            throw RigError.usage(
                "'\(path)' is no file that a \(kind.words) could be in; name one with \(option)")
        }
        guard file.kind == .plain else { return }
        let handle = FileHandle(forReadingAtPath: file.path)
        defer { try? handle?.close() }
        let beginning = kind.beginning
        let start = try? handle?.read(upToCount: beginning.utf8.count) ?? Data()
        // An empty file has nothing to lose.
        if let start, start.isEmpty { return }
        guard let start,
            String(decoding: start, as: UTF8.self).lowercased().utf8.elementsEqual(beginning.utf8)
        else {
            throw RigError.usage(
                "\(path) is there already, and is no \(kind.words) that could be written again: name "
                    + "another file with \(option)")
        }
    }

    /// Writes the text: atomically, unless it goes into what is no plain file.
    static func write(
        _ text: String, to path: String, is kind: Kind = .page, option: String
    ) throws {
        try check(path, is: kind, option: option)
        let file = NamedFile(path)
        do {
            try file.write(text)
        } catch {
            let name = file.kind == .standardOutput ? file.path : path
            throw RigError.failure(
                "cannot write \(name): \(SystemFailure(error)), or name another file with "
                    + option)
        }
    }
}
