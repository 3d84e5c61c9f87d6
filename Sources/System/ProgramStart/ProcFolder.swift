internal import Foundation

/// The folder in which the kernel describes processes (`proc(5)`).
package enum ProcFolder {
    /// Whether a process finds itself there: the library that runs Swift's tasks looks there for
    /// its threads every second, and ends the program by a signal if it finds none.
    package static var isMounted: Bool {
        #if os(Linux)
            access("/proc/self/stat", R_OK) == 0
        #else
            true
        #endif
    }

    package struct Missing: Error, CustomStringConvertible {
        private let program: String

        package init(program: String) { self.program = program }

        package var description: String {
            "/proc is not mounted, and \(program) cannot run without it; mount it (mount -t proc "
                + "proc /proc)"
        }
    }
}
