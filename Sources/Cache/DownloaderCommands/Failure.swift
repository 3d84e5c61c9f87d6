internal import ArgumentParser
internal import Foundation
internal import OfflineLibrary
internal import PlaybackProxy
internal import ProgramStart
internal import VideoCache
internal import Witness

/// The exit codes of failures, as in sysexits.h.
enum Failure {
    static let data: Int32 = 65
    static let absent: Int32 = 66
    static let unavailable: Int32 = 69
    static let software: Int32 = 70
    static let cannotCreate: Int32 = 73
    static let inputOutput: Int32 = 74
    static let temporary: Int32 = 75

    static func exitCode(for error: any Error) -> Int32 {
        switch error {
        case let error as CacheError: exitCode(for: error)
        case let error as LibraryError: exitCode(for: error)
        case LibraryListError.absent: absent
        case LibraryListError.expired: data
        case is DownloadError, is TransportError, is FeedError, is ImagesMissing, is ProxyError:
            unavailable
        case is ProcFolder.Missing: unavailable
        case is WitnessError: cannotCreate
        default: software
        }
    }

    private static func exitCode(for error: CacheError) -> Int32 {
        switch error {
        case .thresholdTooSmall, .thresholdTooLarge, .otherStorage:
            ExitCode.validationFailure.rawValue
        case .absent, .unknownVideo: absent
        case .cannotCreate, .readOnly: cannotCreate
        case .notACache, .otherSchema, .incomplete, .lengthUnknown, .damaged: data
        case .diskFull, .diskLow, .fileTooLarge, .noRoom, .inputOutput: inputOutput
        case .busy, .replaced, .moved: temporary
        case .closed: software
        }
    }

    private static func exitCode(for error: LibraryError) -> Int32 {
        switch error {
        case .absent: absent
        case .notALibrary, .newerSchema, .listExists, .unstorable: data
        case .diskFull: inputOutput
        case .files(let error): exitCode(for: error)
        case .closed: software
        }
    }

    /// Runs a command's work; reports a failure as one line on standard error and an exit code.
    static func reporting(_ work: () throws -> Void) throws {
        StandardStreams.protect()
        do {
            try work()
        } catch let error where error is ExitCode || error is ValidationError {
            throw error
        } catch {
            StandardError.write("downloader: \(error)\n")
            throw ExitCode(exitCode(for: error))
        }
    }
}

extension Result where Failure == any Error {
    /// The value after a close, whose error counts where there is none before it.
    func closing(_ close: () throws -> Void) throws -> Success {
        do {
            try close()
        } catch {
            _ = try get()
            throw error
        }
        return try get()
    }
}

/// Writes messages for people; results go to standard output.
enum StandardError {
    static func write(_ text: String) { draw(text.shown(keeping: "\n")) }

    /// Writes a text of this program's alone, which may steer the terminal.
    static func draw(_ text: String) {
        // If nothing reads the message, the work must continue.
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }
}

enum StandardStreams {
    /// Protects the work from a reader that goes away, a limit of file size, and closed streams:
    /// else SIGPIPE or SIGXFSZ would kill it with its remainder unsaved, and the next opened file
    /// would get a closed stream's number, and its messages.
    static func protect() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Read only, so that writing to it fails, as with a closed stream.
        while case let stream = open("/dev/null", O_RDONLY), stream >= 0 {
            if stream > STDERR_FILENO {
                close(stream)
                return
            }
        }
    }

    /// Writes a result and a line break; a reader that has gone away has read all it wanted.
    static func writeResult(_ text: String) throws {
        let output = try ExportStream(path: nil, cancellation: Cancellation())
        do {
            try Array((text + "\n").utf8).withUnsafeBytes { try output.write($0, at: 0) }
        } catch CacheError.inputOutput(_, _, EPIPE) {
            return
        }
    }
}

extension String {
    /// The text without the characters, but one, that could steer a terminal.
    func shown(keeping kept: Unicode.Scalar? = nil) -> String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { scalar -> Unicode.Scalar in
                    let steers = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
                    return steers && scalar != kept ? "?" : scalar
                }))
    }
}

extension Encodable {
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
