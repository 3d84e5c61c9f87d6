internal import ArgumentParser
internal import VideoCache

/// `--threshold`: a size, or a preset by its name (B11).
enum ThresholdArgument: ExpressibleByArgument {
    case bytes(Int)
    case disabled

    init?(argument: String) {
        if let preset = SavePolicy.preset(argument) {
            self = preset.threshold.map { .bytes($0) } ?? .disabled
        } else if let bytes = size(argument) {
            self = .bytes(bytes)
        } else {
            return nil
        }
    }

    var defaultValueDescription: String {
        switch self {
        case .disabled: "disabled"
        case .bytes(let bytes): "\(bytes >> 10)KB"
        }
    }

    /// The policy with this threshold; `allowingSmall` also accepts those for experiments.
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
