internal import Fixture
internal import Foundation
internal import RigModel

/// The source of a worker that speaks no HTTP: a program of the profile that serves the video from
/// a folder as long as the worker runs, and is never the target of a fault.
extension WorkerRun {
    /// Performs work while the worker's source is running; at once where it has none.
    func fed<Value: Sendable>(
        traces: ProcessReaper, _ work: () async throws -> Value
    ) async throws -> Value {
        guard let source = context.settings.worker.source else { return try await work() }
        let stage = ServedStage()
        var readiness = readiness(of: source)
        readiness.role = "source"
        async let ending = serve(source, on: stage, once: readiness, traces: traces)
        guard await onOwnThread({ stage.waitUntilOpen() }) else {
            throw failure(try await ending ?? "its source did not answer")
        }
        let result = await Result(of: work)
        stage.close(leaving: 0)
        let problem = try await ending
        let value = try result.get()
        if let problem { throw failure(problem) }
        return value
    }

    /// Runs the source until it has to stop; nil when all went well, else what went wrong.
    private func serve(
        _ source: WorkerServer, on stage: ServedStage, once readiness: ServerReadiness,
        traces: ProcessReaper
    ) async throws -> String? {
        // Without this, the caller would wait forever for a source that cannot be launched.
        defer { stage.close(leaving: 0) }
        return try await start(confined(source.command), traces: traces) { process in
            if let problem = readiness.wait(for: process) {
                process.kill()
                return problem
            }
            stage.open()
            while process.isAlive {
                if stage.isClosed {
                    process.kill()
                    return nil
                }
                Pause.seconds(0.001)
            }
            return "its source ended by itself while the worker was at work"
        }.observed
    }

    private func failure(_ problem: String) -> RigError {
        let log = WorkerLog.ending(folder.log)
        return folder.loss
            ?? RigError.unavailable(
                "the worker \(context.settings.worker.name) cannot be fed: \(problem)\(log); run the "
                    + "source in the foreground, on {port}")
    }

    /// Writes a version of the video where the source serves it; throws exit code 70 without room.
    func place(_ video: any VideoSource) throws {
        guard let folder = values.source else { return }
        let file = URL(fileURLWithPath: folder + values.path)
        try SystemFailure.explained("cannot write \(file.path)") {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? FileManager.default.removeItem(at: file)
            _ = FileManager.default.createFile(atPath: file.path, contents: nil)
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            let step: Int64 = 1 << 20
            for start in stride(from: 0, to: video.length, by: Int(step)) {
                let window = Int64(start)..<min(Int64(start) + step, video.length)
                try handle.write(contentsOf: Data(try video.bytes(in: window)))
            }
        }
    }
}
