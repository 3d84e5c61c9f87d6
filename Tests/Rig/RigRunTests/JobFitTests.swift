import RigModel
import Testing

@testable import RigRun

/// What iterations beside each other may share.
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
        let standard = JobFit.standard(
            worker: worker, workload: .check, fault: .sigkill, port: nil)
        #expect(standard == 1)
    }
}
