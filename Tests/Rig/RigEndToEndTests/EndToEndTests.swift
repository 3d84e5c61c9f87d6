import Testing

/// Runs of the built programs.
///
/// Only a few run in parallel (`harness/test` says how many): most of them mostly wait, and a rig
/// must work on a machine that is busy with other work.
@Suite struct EndToEndTests {}
