import Testing

/// Runs of the built programs.
///
/// Few at a time (`harness/test` says how many): most of them wait most of their time, and a rig must
/// do its work on a machine that has other work as well.
@Suite struct EndToEndTests {}
