internal import ArgumentParser
internal import Foundation
internal import VideoCache

/// Where a command writes a video to: `-` is the standard output.
struct OutputFile: ExpressibleByArgument {
    let name: String

    init(argument: String) { name = argument }

    /// What it names now; throws ``CacheError`` for a folder, or a path that leads nowhere.
    var place: OutputPlace {
        get throws {
            // The name that systems give to it, which may lead through /proc.
            ["-", "/dev/stdout"].contains(name) ? .standardOutput : try .of(name)
        }
    }

    /// Throws if the output is one of the cache's own files: a rename would destroy the cache.
    func check(besideCache cache: String) throws {
        let path: String
        switch try? place {
        case .file(let target)?: path = target
        // A folder may be the cache's own, too. What else cannot be written is said when it is.
        case nil: path = self.name
        case .stream?, .standardOutput?: return
        }
        let file = URL(fileURLWithPath: path)
        let place = file.deletingLastPathComponent().resolvingSymlinksInPath().path
        let folder = URL(fileURLWithPath: cache).resolvingSymlinksInPath()
        let data = folder.appendingPathComponent("data").resolvingSymlinksInPath().path
        let name = file.lastPathComponent.lowercased()
        let isDatabase =
            place == folder.path
            && (name.hasPrefix("cache.sqlite") || ["data", "proxy-key"].contains(name))
        guard isDatabase || place == data || place.hasPrefix(data + "/") else { return }
        throw ValidationError("\(self.name) belongs to the cache itself; choose another file.")
    }
}
