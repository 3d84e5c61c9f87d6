import Testing

/// Runs of the built programs, one at a time: kills by the clock need a machine to themselves.
@Suite(.serialized) struct EndToEndTests {}
