import Foundation
import Testing

/// `harness/reference` makes a row from each program's two runs, and a table of the rows.
@Suite struct ReferenceScriptTests {
    private let sandbox: Sandbox

    /// A fake rig that writes the requested runs.
    ///
    /// Curl loses little and stitches, wget breaks its bound, little is known of rsync, too little
    /// for a bound of `rsync-inplace`, and squid cannot be run.
    init() throws {
        sandbox = try Sandbox()
        try sandbox.buildsRig(Self.rig)
        try sandbox.tool("df", "echo; echo '/dev/a 9 1 9000000 9% /'")
        for (name, version) in [
            ("curl", "curl 7.88.1 (x86_64) libcurl/7.88.1"), ("wget", "GNU Wget 1.21.3 built"),
            ("rsync", "rsync  version 3.2.7  protocol version 31"), ("squid", "Version 5.7"),
        ] {
            try sandbox.tool(name, "echo '\(version)'")
        }
    }

    private static let rig = """
        [[ $1 == --version ]] && { echo 0.1.0; exit; }
        while (($# > 0)); do
            case $1 in --worker) worker=$2 ;; --out) out=$2 ;; esac
            [[ $1 != --origin-fault ]] || changed=true
            shift
        done
        [[ $worker != squid ]] || { echo "rig: squid needs a rest" >&2; exit 69; }
        mkdir "$out"
        loss=0.5,4096 refetched=7000 bound=4096 ok=true corrupt=0 reason= checkers= not_judged=
        case $worker in
        wget) loss=1,8192 ok=false reason='"bound: lost 8192 bytes, 4096 more"' checkers=bound ;;
        rsync) loss=, refetched='' bound='' ok='' reason='not judged: loss' not_judged='durability|ledger' ;;
        rsync-inplace) bound='' ok='' not_judged='bound|durability' ;;
        esac
        if [[ -n ${changed-} && $worker == curl ]]; then
            reason='"stitched: 5 bytes, the first at 0"' checkers='bound|stitched'
        fi
        echo "kills,inconclusive,loss_percent,lost_bytes_max,bound_bytes,corrupt_bytes,refetched_bytes" \\
            >"$out/summary.csv"
        echo "50,2,$loss,$bound,$corrupt,$refetched" >>"$out/summary.csv"
        echo "bound_bytes,bound_ok,verdict,reason,seed,checkers,not_judged,attempts" \\
            >"$out/iterations.csv"
        echo "$bound,$ok,pass,$reason,1,$checkers,$not_judged,1" >>"$out/iterations.csv"
        exit 99
        """

    @Test func aRowForEachProgramWhateverIsKnownOfIt() throws {
        let outcome = try sandbox.run(
            "harness/reference", ["curl", "wget", "rsync", "rsync-inplace", "yt-dlp"]
        ).exits(0)
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(
            lines.dropFirst(2) == [
                "| `curl` | 7.88.1 | 48 | 0.5 | 4096 B | 4096 B | 7000 B | 0 B | yes | yes |",
                "| `wget` | 1.21.3 | 48 | 1 | 8192 B | 4096 B | 7000 B | 0 B | no | no |",
                "| `yt-dlp` | not installed | | | | | | | | |",
                "| `rsync` | 3.2.7 | 48 | not known | not known | none | not known | 0 B | no |"
                    + " none stated |",
                "| `rsync-inplace` | 3.2.7 | 48 | 0.5 | 4096 B | none | 7000 B | 0 B | no |"
                    + " not judged |",
            ])
        #expect(outcome.messages.contains("yt-dlp is not installed; harness/setup --workers"))
    }

    /// A program that cannot be run is reported, and does not prevent the others.
    @Test func aProfileThatCannotBeRunIsSaid() throws {
        let outcome = try sandbox.run("harness/reference", ["squid", "curl"])
            .exits(69).says("squid: rig: squid needs a rest")
        #expect(outcome.output.contains("| `curl` | 7.88.1 |"))
        #expect(!outcome.output.contains("squid"))
    }

    /// Rows of programs that were not measured now stay unchanged.
    @Test func recordsRowsAndTheTable() throws {
        let rows = "results/reference/programs.csv"
        let header = """
            program,version,kills,inconclusive,loss_percent,lost_max_bytes,refetched_bytes,\
            corrupt_bytes,stitched,bound,keeps_promise
            """
        try sandbox.write("\(header)\nwget,1.20,50,0,1,2,3,0,no,,yes\n", to: rows)
        #expect(try sandbox.run("harness/reference", ["--record", "curl"]).status == 0)
        #expect(
            try sandbox.text(rows) == """
                \(header)
                curl,7.88.1,50,2,0.5,4096,7000,0,yes,4096,yes
                wget,1.20,50,0,1,2,3,0,no,,yes

                """)
        let table = try sandbox.text("results/reference/programs.md")
        #expect(table.hasPrefix("| profile |"))
        #expect(table.contains("| `curl` | 7.88.1 |") && table.contains("| `wget` | 1.20 |"))
    }

    @Test func asksForRoom() throws {
        try sandbox.tool("df", "echo; echo '/dev/a 9 1 4000000 9% /'")
        try sandbox.run("harness/reference", ["curl"])
            .exits(69).says("less than 5 GB free; set TMPDIR")
    }
}
