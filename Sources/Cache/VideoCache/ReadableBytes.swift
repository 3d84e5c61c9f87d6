/// A readable number of bytes: `512.0 KB`, `24.9 MB`; 1 KB = 1024 bytes.
package func readable(_ bytes: Int64) -> String {
    let units = ["bytes", "KB", "MB", "GB", "TB"]
    var value = Double(bytes)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
        value /= 1024
        unit += 1
    }
    return unit == 0 ? "\(bytes) bytes" : "\((value * 10).rounded() / 10) \(units[unit])"
}

/// Parses `524288`, `512KB`, `1MB` or `1GB`; 1 KB = 1024 bytes.
package func size(_ text: String) -> Int? {
    let upper = text.uppercased()
    let units = [("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30), ("B", 1), ("", 1)]
    guard let (suffix, factor) = units.first(where: { upper.hasSuffix($0.0) }),
        let number = Int(upper.dropLast(suffix.count)), number >= 0
    else { return nil }
    let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
    return overflow ? nil : bytes
}
