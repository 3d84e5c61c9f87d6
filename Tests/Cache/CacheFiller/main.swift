// Fills a cache until it is killed, for tests: `CacheFiller FOLDER LAYOUT CAPACITY SEED`. Writes a
// byte to standard output after each operation, so that the test can time its kill.
//
// For harness/conformance/cache-states it fills a cache while it is recorded, and looks at what power
// cuts have left of it (`Life.swift`, `Check.swift`).
internal import Foundation
internal import VideoCache

func fail(_ message: String, _ code: Int32) -> Never {
    FileHandle.standardError.write(Data("\(message)\n".utf8))
    exit(code)
}

func fillUntilKilled(_ words: [String]) throws {
    guard words.count == 4, let layout = StorageLayout(rawValue: words[1]),
        let capacity = Int64(words[2]), let seed = UInt64(words[3])
    else { fail("CacheFiller FOLDER rows|file CAPACITY SEED", 64) }
    let store = try SQLiteChunkStore(folder: words[0], layout: layout, capacity: capacity)
    var filler = Filler(store: store, generator: Generator(state: seed))
    while true {
        do {
            try filler.step()
        } catch CacheError.replaced {
            // Another process replaced this video first.
        }
        FileHandle.standardOutput.write(Data(".".utf8))
    }
}

/// Closes inherited sockets of tests that run in parallel: their clients would never see EOF.
for descriptor in Int32(3)..<1024 { close(descriptor) }
let words = Array(CommandLine.arguments.dropFirst())
do {
    switch words.first {
    case "live": try Life(words.dropFirst()).live()
    case "check":
        var check = try Check(words.dropFirst())
        try check.run()
    default: try fillUntilKilled(words)
    }
} catch {
    fail("CacheFiller: \(error)", 70)
}
