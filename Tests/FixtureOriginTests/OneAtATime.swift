import Testing

/// Tests that start programs, and tests that free a port and take it again.
///
/// A child process has a copy of every socket until it has become its program. One that is started
/// while another test frees a port keeps that port taken, for a moment.
@Suite(.serialized) enum OneAtATime {}
