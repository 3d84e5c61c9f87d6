internal import Foundation
internal import GRDB
package import RigModel

package enum MachineFacts {
    package static func read(folder: String) -> Manifest.Machine {
        Manifest.Machine(
            system: system, processor: processor, cores: ProcessInfo.processInfo.processorCount,
            memoryBytes: Int64(ProcessInfo.processInfo.physicalMemory),
            fileSystem: fileSystem(of: folder), host: ProcessInfo.processInfo.hostName)
    }

    /// The version of the SQLite library with which the rig reads a worker's state.
    package static var sqliteVersion: String {
        let version = try? DatabaseQueue().read {
            try String.fetchOne($0, sql: "SELECT sqlite_version()")
        }
        return version ?? "not known"
    }

    private static var system: String {
        let release = ProcessFacts.line("/etc/os-release", "PRETTY_NAME=")?
            .trimmingCharacters(in: ["\""])
        let kernel = ProcessFacts.text("/proc/sys/kernel/osrelease")?
            .trimmingCharacters(in: .whitespacesAndNewlines)
        return [release ?? ProcessInfo.processInfo.operatingSystemVersionString, kernel]
            .compactMap { $0 }.joined(separator: ", Linux ")
    }

    private static var processor: String {
        let line = ProcessFacts.line("/proc/cpuinfo", "model name")
        return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces) ?? "not known"
    }

    /// The type of the longest mount point that is a prefix of the folder's path.
    private static func fileSystem(of folder: String) -> String {
        let path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        let mounts = (ProcessFacts.text("/proc/mounts") ?? "").split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        let holding = mounts.filter { fields in
            fields.count > 2
                && (fields[1] == "/" || path == fields[1] || path.hasPrefix(fields[1] + "/"))
        }
        return holding.max { $0[1].count < $1[1].count }?[2] ?? "not known"
    }
}
