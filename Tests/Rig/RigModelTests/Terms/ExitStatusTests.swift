import RigModel
import Testing

@Suite struct ExitStatusTests {
    @Test func theCodesAreThoseOfTheDocumentation() {
        #expect(
            RigModel.ExitStatus.allCases.map(\.rawValue) == [
                0, 64, 65, 69, 70, 77, 97, 98, 99, 130,
            ])
    }

    @Test func precedenceIsThatOfTheDocumentation() {
        let order: [RigModel.ExitStatus] = [
            .failure, .unavailable, .data, .incomplete, .gateFailed, .inconclusive, .success,
        ]
        for (rank, worse) in order.enumerated() {
            for better in order[rank...] {
                #expect(RigModel.ExitStatus.worst([worse, better]) == worse)
                #expect(RigModel.ExitStatus.worst([better, worse]) == worse)
            }
        }
        #expect(RigModel.ExitStatus.worst(order.reversed()) == .failure)
    }

    @Test func nothingIsSuccess() { #expect(RigModel.ExitStatus.worst([]) == .success) }
}
