internal import GRDB
internal import RigModel

/// What an inspection of a copy of the worker's state has shown.
enum StateExamination {
    case found(Autopsy)
    /// The profile's query does not fit the database: a table, or a column, is not there.
    ///
    /// A worker that is new to its folder leaves that, too, so after a kill it says nothing. When
    /// the work is done, nothing is kept.
    case unfit(String)
    /// The rig could not read it.
    case failed(String)

    init(_ inspect: () throws -> Autopsy) {
        do {
            self = .found(try inspect())
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            self = .unfit("\(error)")
        } catch {
            self = .failed("\(error)")
        }
    }

    var autopsy: Autopsy? { if case .found(let autopsy) = self { autopsy } else { nil } }

    /// True unless the rig's own reading failed.
    var isOfTheWorker: Bool { if case .failed = self { false } else { true } }

    var complaint: String? {
        switch self {
        case .found: nil
        case .unfit(let complaint), .failed(let complaint): complaint
        }
    }
}

extension WorkerProfile {
    /// Inspects a copy of a worker's state as its profile says; nil for one that is not inspected.
    func examine(
        copy: StateCopy, fileName: String, in space: PositionSpace
    ) -> StateExamination? {
        guard let inspection else { return nil }
        let state = CopiedState(folder: copy.folder, outputName: completesInPlace ? fileName : nil)
        return StateExamination {
            switch inspection {
            case .database(let database):
                try StateInspector(inspection: database, space: space).inspect(state)
            case .file(let file):
                try PartialFileInspector(
                    file: file, completed: completed, video: space.parts[0].source,
                    url: space.parts[0].url
                ).inspect(state)
            }
        }
    }
}
