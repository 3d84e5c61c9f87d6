enum PeakMemory {
    /// The peak of the resident bytes so far; nil when the process is gone.
    static func bytes(of process: Int32) -> Int64? {
        guard
            let line = ProcessFacts.text("/proc/\(process)/status")?.split(separator: "\n")
                .first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first
        else { return nil }
        return Int64(kilobytes).map { $0 << 10 }
    }
}
