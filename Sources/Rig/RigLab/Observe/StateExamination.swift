internal import Fixture
internal import RigModel

extension WorkerProfile {
    /// Inspects a copy of the worker's state, as its profile says.
    ///
    /// - Parameters:
    ///   - copy: what a kill has left; only a shared-memory file is added to it.
    ///   - fileName: the last part of the video's address.
    ///   - video: what every byte is compared with.
    ///   - url: the address by which the worker knows the video.
    /// - Returns: what was found, or why that is not known; neither for a worker whose state is not
    ///   inspected.
    func examine(
        copy: StateCopy, fileName: String, video: any VideoSource, url: String
    ) -> (Autopsy?, String?) {
        guard let inspection else { return (nil, nil) }
        let state = CopiedState(
            folder: copy.folder, outputName: completesInPlace ? fileName : nil)
        do {
            switch inspection {
            case .database(let database):
                let inspector = StateInspector(inspection: database, video: video, url: url)
                return (try inspector.inspect(state), nil)
            case .file(let file):
                let inspector = PartialFileInspector(
                    file: file, completed: completed, video: video, url: url)
                return (try inspector.inspect(state), nil)
            }
        } catch {
            return (nil, "\(error)")
        }
    }
}
