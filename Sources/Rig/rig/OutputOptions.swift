internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import RigLab
internal import RigModel
internal import RigRun

/// When colours are used.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// The options that every command has.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print nothing but results and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print more detail, and the tables of a run.")
    var verbose = false

    @Option(help: "Colours: always, never, or auto, which is never for a pipe or with NO_COLOR.")
    var color: ColorChoice = .auto

    func validate() throws {
        guard !(quiet && verbose) else {
            throw ValidationError("--quiet and --verbose contradict each other; give one.")
        }
    }

    var console: Console {
        let isPlain = !(ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        let isTerminal = isatty(STDOUT_FILENO) == 1
        return Console(
            isQuiet: quiet, isVerbose: verbose,
            usesColor: color == .always || (color == .auto && isTerminal && !isPlain))
    }
}

extension Console {
    /// Runs a command's body; an error is reported, and thrown as the exit code of the process.
    func guarded(_ body: () async throws -> ExitStatus) async throws {
        let status: ExitStatus
        do {
            status = try await body()
        } catch let failure as RigError {
            error(failure.message)
            status = failure.status
        } catch is Interrupted {
            error("interrupted; no result was kept")
            status = .interrupted
        } catch let stop as ExitCode {
            throw stop
        } catch let wrong as ValidationError {
            throw wrong
        } catch let failure {
            error(SystemFailure.words(failure))
            status = .failure
        }
        let output = outputStatus()
        let code = output == .success ? status : output
        guard code == .success else { throw ExitCode(code.rawValue) }
    }
}
