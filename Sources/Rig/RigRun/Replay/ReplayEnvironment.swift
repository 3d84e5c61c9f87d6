internal import Foundation
internal import RigLab
internal import RigModel

/// The programs, the video and the scratch folder with which a kill of a stored run is made again.
struct ReplayEnvironment {
    let programs: Programs
    let video: ReferenceVideo
    private let manifest: Manifest
    private let folder: RunFolder
    /// A unique name, to avoid conflicts with the run's files and other replays.
    private let scratchName: String
    private let console: Console

    /// Checks everything that can be checked before anything is started.
    init(_ manifest: Manifest, in folder: RunFolder, for purpose: String, console: Console) throws {
        (self.manifest, self.folder, self.console) = (manifest, folder, console)
        programs = try Programs.find(from: manifest.otherWorkingDirectory)
        scratchName =
            "\(RunFolder.scratchPrefix)-\(purpose)-\(ProcessInfo.processInfo.processIdentifier)"
        try RunEnvironment.check(manifest.fault, leaving: manifest.crashModel)
        try manifest.checkEnvironment(of: programs.installed(manifest.storedProfile))
        video = try .stored(manifest.video, folder: folder, fixtureSeed: VideoSettings.fixtureSeed)
    }

    /// Runs a body in the run's environment, with a scratch folder that is removed afterwards.
    func with<Value>(
        do body: (RunEnvironment, _ scratch: String) async throws -> Value
    ) async throws -> Value {
        let interruption = Interruption()
        let signals = Signals(interruption: interruption)
        defer { withExtendedLifetime(signals) {} }
        let scratch = try folder.makeScratch(scratchName)
        defer { folder.removeScratch(scratchName) }
        return try await RunEnvironment.with(
            manifest, mark: "\(manifest.runID)-\(scratchName)", programs: programs,
            scratch: scratch, interruption: interruption, console: console
        ) { environment in
            defer { console.redraw("") }
            return try await body(environment, scratch)
        }
    }
}
