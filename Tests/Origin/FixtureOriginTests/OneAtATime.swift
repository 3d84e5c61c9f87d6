import Testing

/// Tests that start programs, and tests that free a port and take it again.
///
/// A child process has a copy of every socket until it has executed its program. If it is started
/// while another test frees a port, that port stays taken for a moment.
@Suite(.serialized) enum OneAtATime {}
