internal import ArgumentParser
internal import Foundation

/// The file that a command writes a video to.
enum OutputFile {
    /// Throws if the output is one of the cache's own files: a rename would destroy the cache.
    static func check(_ output: String, besideCache cache: String) throws {
        let file = URL(fileURLWithPath: output)
        let place = file.deletingLastPathComponent().resolvingSymlinksInPath().path
        let folder = URL(fileURLWithPath: cache).resolvingSymlinksInPath()
        let data = folder.appendingPathComponent("data").resolvingSymlinksInPath().path
        let name = file.lastPathComponent.lowercased()
        let isDatabase =
            place == folder.path
            && (name.hasPrefix("cache.sqlite") || ["data", "proxy-key"].contains(name))
        guard isDatabase || place == data || place.hasPrefix(data + "/") else { return }
        throw ValidationError("\(output) belongs to the cache itself; choose another file.")
    }
}
