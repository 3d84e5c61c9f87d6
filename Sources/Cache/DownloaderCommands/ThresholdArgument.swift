internal import ArgumentParser
internal import VideoCache

/// `--threshold`: a size, or a preset by its name (B11).
enum ThresholdArgument: ExpressibleByArgument {
    case bytes(Int)
    case disabled

    init?(argument: String) {
        let presets: [String: SavePolicy] = [
            "conservative": .conservative, "default": .default, "aggressive": .aggressive,
            "disabled": .disabled,
        ]
        if let preset = presets[argument.lowercased()] {
            self = preset.threshold.map { .bytes($0) } ?? .disabled
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
struct SizeArgument {
    let bytes: Int64
}

extension SizeArgument: ExpressibleByArgument {
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
