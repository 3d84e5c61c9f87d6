internal import ArgumentParser
internal import VideoCache

/// `--threshold`: a size, or `disabled`.
enum ThresholdArgument: ExpressibleByArgument {
    case bytes(Int)
    case disabled

    init?(argument: String) {
        if argument.lowercased() == "disabled" {
            self = .disabled
        } else if let bytes = size(argument) {
            self = .bytes(bytes)
        } else {
            return nil
        }
    }

    /// The value as written on the command line.
    var defaultValueDescription: String {
        switch self {
        case .disabled: "disabled"
        case .bytes(let bytes): "\(bytes >> 10)KB"
        }
    }

    /// The policy with this threshold.
    ///
    /// - Parameter allowingSmall: also accepts thresholds for experiments.
    /// - Returns: the policy.
    /// - Throws: `ValidationError`.
    func policy(allowingSmall: Bool) throws -> SavePolicy {
        switch self {
        case .disabled: return .disabled
        case .bytes(let bytes):
            do {
                return try SavePolicy(threshold: bytes, allowingSmall: allowingSmall)
            } catch {
                throw ValidationError("\(error)")
            }
        }
    }
}

/// `--capacity`, `--memory` and `--reserve`: a size.
struct SizeArgument: ExpressibleByArgument {
    let bytes: Int64

    init(bytes: Int64) {
        self.bytes = bytes
    }

    init?(argument: String) {
        guard let bytes = size(argument) else { return nil }
        self.init(bytes: Int64(bytes))
    }

    var defaultValueDescription: String { "\(bytes >> 20)MB" }
}

/// Parses `524288`, `512KB`, `1MB` or `1GB`; 1 KB = 1024 bytes.
private func size(_ text: String) -> Int? {
    let upper = text.uppercased()
    let units = [("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30), ("B", 1), ("", 1)]
    guard let (suffix, factor) = units.first(where: { upper.hasSuffix($0.0) }),
        let number = Int(upper.dropLast(suffix.count)), number >= 0
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : bytes
}

/// A readable number of bytes: `512.0 KB`, `24.9 MB`.
func readable(_ bytes: Int64) -> String {
    let units = ["bytes", "KB", "MB", "GB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
        value /= 1024
        unit += 1
    }
    if unit == 0 { return "\(bytes) bytes" }
    return "\((value * 10).rounded() / 10) \(units[unit])"
}
