import Foundation
import Testing

/// What bash offers for the values of options, by the script that the rig generates.
@Suite struct CompletionTests {
    private let place = Workplace()

    init() throws {
        try "profiles: {default: {}, nightly: {iterations: 9}}\n".save(as: "rig.yml", in: place)
        try "profiles: {ci: {}}\n".save(as: "other.yml", in: place)
        try place.makeFolder("results/one")
    }

    /// What bash offers in the place of the last word of each line.
    private func expect(
        _ program: String, offers lines: KeyValuePairs<String, [String]>
    ) async throws {
        let script = try await Programs.run(
            program, ["--generate-completion-script", "bash"], in: place.url, exits: 0)
        try script.output.save(as: "completion", in: place)
        let name = (program as NSString).lastPathComponent
        for (line, offered) in lines {
            let outcome = try await Programs.run(
                "/bin/bash",
                [
                    "-c",
                    """
                    source ./completion
                    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"
                    COMP_POINT=${#COMP_LINE}
                    _\(name) "$1" "${!#}" "${@:$#-1:1}"
                    printf '%s\\n' "${COMPREPLY[@]}"
                    """, "bash", program,
                ] + line.split(separator: " ").map(String.init), in: place.url)
            let words = outcome.output.split(separator: "\n").map(String.init)
            #expect(words.sorted() == offered, "\(line)")
        }
    }

    @Test func valuesAreOffered() async throws {
        try await expect(
            Programs.rig,
            offers: [
                "kill-test --worker wg": ["wget", "wget2"],
                "workers check cu": ["curl", "curl-unbuffered"],
                "kill-test --worker oth": ["other.yml"], "plan --at comp": ["completing"],
                "kill-test --trigger p": ["phase"], "kill-test --fault seg": ["segv"],
                "kill-test --workload p": ["playback"],
                "serve --origin-fault lim": ["limit_data"], "kill-test --profile n": ["nightly"],
                "kill-test --config other.yml --profile c": ["ci"], "judge res": ["results"],
                "judge results/o": ["results/one"],
            ])
        try await expect(
            Programs.downloader,
            offers: ["fetch --durability po": ["power"], "fetch --cache res": ["results"]])
    }
}
