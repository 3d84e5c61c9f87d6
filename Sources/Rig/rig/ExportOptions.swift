internal import ArgumentParser

/// Exports of a judged run for other programs.
struct ExportOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Also write the run's figures as OpenMetrics, for Prometheus and its like.",
            valueName: "file"), completion: .file())
    var exportOpenmetrics: String?

    /// True when no export is requested.
    var isEmpty: Bool { exportOpenmetrics == nil }
}
