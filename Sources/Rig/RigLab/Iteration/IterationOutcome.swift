package import RigModel

package struct IterationOutcome: Sendable {
    package var kills: [IterationEvidence]
    /// The files that the evidence rests on, until they are discarded.
    package let folder: IterationFolder
    package let stopwatch: IterationStopwatch
    /// How long the recoveries took that no kill ended, in seconds.
    var recoveries: [Double] = []
    /// How long the ends took that came before a kill at the end, in seconds.
    var endings: [Double] = []
}
