import Testing

/// What the rig refuses before anything runs, and a part of what it says then.
@Suite struct RefusalTests {
    private let place = Workplace()

    private static let names = [
        "$CALL": "--trigger syscall --fault call-error",
        "$CUT": "--fault power-cut-torn --video-size 4MB",
        "$TWO": "--workload two-players --video-size 5MB",
    ]

    /// The words behind `rig kill-test`, with `~` for a blank in one of them.
    private static let refusals = """
        --gate violation_rate.ucb95~<~1% => needs >= 299 iterations
        --thresholds 512KB,512KB => twice
        --out  => --out
        --video-size 10 => 10
        --trigger bytes --at 11MB => --at
        --at 1MB => --trigger
        --exhaustive => --trigger syscall
        --trigger syscall --exhaustive --thresholds 256KB,1MB => one policy
        --trigger syscall --exhaustive --at 7 => --at
        --trigger syscall --at 0 => --at
        --trigger syscall --workload playback => --workload download
        --kills 0 => --kills
        --kills 1001 => --kills
        --kills 2 --workload offline-library => --kills
        --kills 2 --fault power-cut-torn => --kills
        --trigger bytes --stratify => add --trigger phase
        --trigger phase --at idle --stratify => leave one of them out
        --trigger phase --at sleeping => committing, checkpointing
        --trigger phase --at evicting => --workload playback --set capacity
        --trigger phase --at cancelling => --workload playback or switching
        --trigger phase --at evicting --workload playback => add --set capacity=SIZE
        --trigger phase --at committing --thresholds 512KB,disabled => with disabled \
        nothing is saved before a request ends
        --trigger phase --at idle --workload offline-library => use \
        connecting, receiving, committing or completing
        --error eio => --fault call-error
        --fault call-error --trigger syscall => --error
        --fault call-error --error eio => --trigger syscall
        $CALL --error slow --kills 2 => --kills
        $CALL --error short-write --kills 2 => --kills
        $CALL --error eio --at 3:after => ':after'
        $CALL --error eio --sticky twice => --sticky
        --after-fsync ext4 => --fault call-error
        $CALL --error eio --after-fsync ext4 => --error fsync-eio
        $CALL --error fsync-eio --after-fsync ntfs => --after-fsync
        $CALL --error fsync-eio --after-fsync ext4 => --durability power
        $CALL --error fsync-eio --after-fsync ext4 --kills 2 => --kills
        $CALL --error eio --workload playback => --workload download
        --fault term:soon => write --fault term:5s
        --fault term:61s => at most 60s
        --fault sigkill:5s => sigkill:5s
        --fault term --trigger phase --at committing => use --trigger bytes
        --fault term --trigger syscall => leave out --fault term
        --fault term --trigger time --at never => leave one out
        --fault disk-full --trigger syscall => or --fault call-error --error enospc
        --fault disk-full --trigger phase => use --trigger bytes or time
        --fault disk-full --kills 2 => leave one out
        --fault disk-full --workload playback => leave out --workload
        --disk ext4 --iterations 1 => add --fault power-cut or power-cut-torn
        --fault power-cut --states 2 --iterations 1 => add --fault power-cut-torn
        --states sweep --iterations 1 => add --fault power-cut-torn
        --fault power-cut-torn --states sweep:0 --iterations 1 => --states must be from 1
        --fault power-cut-torn --states sweep:many --iterations 1 => --states
        --fault power-cut --disk posix --iterations 1 => --disk ext4 or xfs
        --fault power-cut --disk btrfs --iterations 1 => --disk ext4 or xfs
        $CUT --workload playback --iterations 1 => use it with --workload download
        --workload playback --relaunch again --iterations 1 => --relaunch
        --relaunch never --iterations 1 => --relaunch
        --relaunch other --origin-fault shortened --iterations 1 => --relaunch
        --trigger bytes --at never => never
        --at never => bytes, time, phase, syscall or said
        --trigger time --at never --fault abort => no worker is killed
        --trigger time --at never --kills 2 => no worker is killed
        --trigger time --at never --gate violation_rate.ucb95~<~50% => no worker is killed
        --trigger time --at never --max-loss-percent 5 => no worker is killed
        --jobs 0 => --jobs must be from 1 to 64
        --jobs x => --jobs
        --jobs 65 => --jobs must be from 1 to 64
        --jobs 2 --port 18080 => leave out --port or --jobs
        --workload two-players => has 512KB; give two that differ
        --thresholds 256KB+1MB => add --workload two-players
        $TWO --thresholds 1MB+1MB => '1MB+1MB' is no threshold
        $TWO --thresholds 256KB+disabled => '256KB+disabled' is no threshold
        $TWO --thresholds 256KB+1MB --video x.mp4 => leave out --video
        --set colour=red => it has: capacity, retries, storage
        --set storage => storage
        --set storage=file --set storage=rows => twice
        --workload switching --video x.mp4 => leave out --video
        --workload offline-library --video x.mp4 => leave out --video
        --workload offline-library --thresholds 512KB,disabled => disabled
        --workload playback --origin-fault reset:1MB => reset
        --workload playback --set capacity=2MB => at least 8MB
        --workload playback --set capacity=8MB --thresholds disabled => disabled
        --workload playback --origin-fault change_etag:2 => at the relaunch
        --iterations 1 -- curl --cacert {ca} -o {output} {url} => add --tls
        --iterations 1 --tls --worker nginx-cache => --tls needs a worker
        --iterations 1 --tls --worker rsync --trigger time => --tls needs a worker
        """.split(separator: "\n").map(String.init)

    /// The words behind `rig`; whether a gate of a part can hold depends on the whole plan.
    private static let others = """
        self-check --bugs no-such-bug => no-such-bug
        self-check --workload playback => --workload
        self-check --gate violations~==~0 => --gate
        self-check --set capacity=8MB => leave it out
        self-check --iterations 0 => --iterations must be from 1
        verify-claims --iterations 5 => --iterations
        verify-claims --set a=1 --set a=2 => name each once
        serve --origin-fault changed => sets in when a killed worker
        serve --origin-fault shortened => use change_etag
        kill-test --origin-fault changed --origin-fault shortened => two new versions of one video
        kill-test --workload playback --origin-fault changed => --workload download
        kill-test --origin-fault change_etag => --origin-fault changed
        serve --origin-fault latency => latency:TIME
        kill-test --origin-fault encode => cannot be judged
        kill-test --origin-fault change_etag:3 => cannot be judged
        kill-test --origin-fault ignore_range:1 => cannot be judged
        self-check --worker curl => 'planted_bugs'
        verify-claims --worker curl => the documents promise
        kill-test --partition slice:1/2 => --partition needs --seed
        kill-test --partition slice:3/2 --seed 1 => slice:3/2
        kill-test --partition slice:1/2 --seed 1 --trigger syscall => would count the calls
        kill-test --partition slice:1/2 --seed 1 --trigger syscall --exhaustive => would count \
        the calls
        kill-test --partition slice:1/2 --seed 1 --video http://127.0.0.1:1/v => --partition \
        needs --out
        kill-test --partition slice:1/2 --seed 1 --iterations 20 --gate violation_rate.ucb95~<~1% \
        => needs >= 299 iterations
        """.split(separator: "\n").map(String.init)

    @Test(arguments: refusals)
    func whatCannotBeIsRefused(refusal: String) async throws {
        let (words, says) = Self.read(refusal)
        try await place.killTest(words, exits: 64, complains: says)
        #expect(!place.has("run"))
    }

    @Test(arguments: others)
    func whatACommandDoesNotTakeIsRefused(refusal: String) async throws {
        let (words, says) = Self.read(refusal)
        try await rig(words, in: place, exits: 64, complains: says)
        #expect(!place.has("results"))
    }

    private static func read(_ refusal: String) -> (words: [String], says: String) {
        let parts = refusal.split(separator: " => ").map(String.init)
        let words = names.reduce(parts[0]) { $0.replacing($1.key, with: $1.value) }
            .split(separator: " ", omittingEmptySubsequences: false)
        return (words.map { String($0.replacing("~", with: " ")) }, parts[1])
    }
}
