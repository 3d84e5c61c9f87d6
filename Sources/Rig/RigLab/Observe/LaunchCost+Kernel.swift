internal import CFileSystem
internal import Glibc
internal import RigModel

extension LaunchCost {
    /// The counters of a child that is dead and not reaped yet; nil if it does not die in time.
    ///
    /// They are read after the death, so that no kill waits for them. They cover all threads of the
    /// process, and the children that it has waited for.
    init?(ofDead process: pid_t, within seconds: Double) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        let ending = ProcessEnding(of: process)
        while true {
            let usage = process_usage(process)
            if usage >= 0 {
                let counters = Self.counters(ProcessFacts.text("/proc/\(process)/io") ?? "")
                self.init(
                    writtenBytes: counters["wchar"], writes: counters["syscw"].map { Int($0) },
                    processorSeconds: Double(usage) / 1e6)
                return
            }
            let left = (deadline - .now).seconds
            guard usage == -1, left > 0 else { return nil }
            ending.wait(atMost: left)
        }
    }

    /// The counters in the text of `/proc/PID/io`, by name.
    static func counters(_ text: String) -> [String: Int64] {
        var counters: [String: Int64] = [:]
        for parts in text.split(separator: "\n").map({ $0.split(separator: ":") })
        where parts.count == 2 { counters[String(parts[0])] = Int64(parts[1].drop { $0 == " " }) }
        return counters
    }
}
