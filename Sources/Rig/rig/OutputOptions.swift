internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import RigLab
internal import RigModel
internal import RigRun

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// The options that every command has.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print nothing but results and errors.") var quiet = false

    @Flag(name: .shortAndLong, help: "Print more detail, and the tables of a run.")
    var verbose = false

    @Option(help: "Colours: always, never, or auto, which is never for a pipe or with NO_COLOR.")
    var color: ColorChoice = .auto

    func validate() throws {
        try require(!(quiet && verbose), "--quiet and --verbose contradict each other; give one.")
    }

    var console: Console {
        let isPlain = !(ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        let isTerminal = isatty(STDOUT_FILENO) == 1
        return Console(
            isQuiet: quiet, isVerbose: verbose,
            usesColor: color == .always || (color == .auto && isTerminal && !isPlain))
    }
}

/// A command whose errors are reported on its console, and which ends with an exit code.
protocol ConsoleCommand: AsyncParsableCommand {
    var output: OutputOptions { get }

    func perform(_ console: Console) async throws -> RigModel.ExitStatus
}

extension ConsoleCommand {
    func run() async throws {
        let console = output.console
        let status: RigModel.ExitStatus
        do {
            status = try await perform(console)
        } catch let failure as RigError {
            console.error(failure.message)
            status = failure.status
        } catch is Interrupted {
            console.error("interrupted; no result was kept")
            status = .interrupted
        } catch let stop as ExitCode {
            throw stop
        } catch let wrong as ValidationError {
            throw wrong
        } catch let failure {
            console.error(SystemFailure.words(failure))
            status = .failure
        }
        let written = console.outputStatus()
        let code = written == .success ? status : written
        guard code == .success else { throw ExitCode(code.rawValue) }
    }
}
