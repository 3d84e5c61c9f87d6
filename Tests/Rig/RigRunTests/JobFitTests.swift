import Foundation
import RigModel
import Testing

@testable import RigRun

struct JobFitTests {
    private func warning(jobs: Int, check: ProgramCheck?) -> String? {
        let worker = WorkerProfile(
            name: "server.sh", command: ["server.sh", "{dir}"], check: check)
        return JobFit(jobs: jobs, worker: worker, port: nil).warning
    }

    /// With two jobs both clients of a right server with a fixed port spoke to one of its instances,
    /// and it was blamed.
    @Test func programsThatMayShareAPortAreWarnedOf() {
        let check = ProgramCheck("test -d {dir}")
        #expect(warning(jobs: 2, check: check)?.contains("needs --jobs 1") == true)
        #expect(warning(jobs: 1, check: check) == nil)
        #expect(warning(jobs: 2, check: nil) == nil)
        let worker = WorkerProfile(name: "server.sh", command: ["server.sh"], check: check)
        #expect(JobFit.standard(for: RunSpec(workload: .check), worker: worker) == 1)
    }

    /// Iterations that do not disturb each other are made one per core.
    @Test func aProgramOfOnesOwnHasAsManyAsThereAreCores() {
        func standard(
            server: WorkerServer? = nil, isDocumented: Bool = false, completed: String = "{output}",
            workload: Workload = .download, fault: Fault = .sigkill, port: UInt16? = nil
        ) -> Int {
            var spec = RunSpec(fault: fault, workload: workload)
            spec.port = port
            return JobFit.standard(
                for: spec,
                worker: WorkerProfile(
                    name: "curl", command: ["curl", "-C", "-", "-o", "{output}", "{url}"],
                    server: server, completed: completed, isDocumented: isDocumented))
        }
        let cores = min(ProcessInfo.processInfo.activeProcessorCount, JobFit.most)
        #expect(standard() == cores)
        #expect(standard(fault: .powerCutTorn) == 1 && standard(fault: .powerCut) == 1)
        #expect(standard(fault: .oom) == 1)
        #expect(standard(server: WorkerServer(command: ["nginx"])) == 1)
        #expect(standard(isDocumented: true) == 1)
        #expect(standard(workload: .playback) == 1)
        // What they would share.
        #expect(standard(port: 8000) == 1)
        #expect(standard(completed: "/tmp/video") == 1)
    }
}
