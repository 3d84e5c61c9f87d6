import Foundation
import Testing

/// A page in a real browser, which does as told there (Page/browse.py).
struct PageInBrowser {
    /// Whether this machine has a browser, and what speaks to it.
    static var isPossible: Bool { installed("chromium") != nil && installed("python3") != nil }

    /// The browser's answers to the steps.
    private(set) var values: [Any?] = []
    private(set) var requests: [String] = []
    /// Its error messages.
    private(set) var complaints: [String] = []

    static func open(
        _ page: String, in place: Workplace, _ steps: [[String: Any]]
    ) async throws -> Self {
        let lines = try steps.map {
            String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self)
        }
        try lines.joined(separator: "\n").save(as: "steps", in: place)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Page/browse.py").path
        let outcome = try await Programs.run(
            try #require(installed("python3")),
            [
                script, try #require(installed("chromium")), place.path("profile"), page,
                place.path("steps"),
            ], in: place.url, exits: 0)
        var answers = Self()
        for line in outcome.output.split(separator: "\n") {
            let answer = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            guard let requests = answer["requests"] as? [String] else {
                answers.values.append(answer["value"])
                continue
            }
            answers.requests = requests
            answers.complaints = try #require(answer["complaints"] as? [String])
        }
        return answers
    }
}
