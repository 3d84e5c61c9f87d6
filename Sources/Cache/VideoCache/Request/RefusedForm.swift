/// Which failures may mean that the origin refuses the form of a request, and not the video (K2):
/// before such a failure is reported, the whole is asked for once, without `Range` and `If-Range`.
enum RefusedForm {
    // 401 and 407 are about who asks, 404, 410 and 451 about what, 408, 425 and 429 about when.
    private static let otherReasons: Set<Int> = [401, 404, 407, 408, 410, 425, 429, 451]
    private static let passing: Set<Int> = [500, 502, 503, 504]

    /// True for a status to a range that another request of the same form will not change.
    static func isLikely(_ status: Int) -> Bool {
        (400..<600).contains(status) && !otherReasons.contains(status) && !passing.contains(status)
    }

    /// True for a failure that may pass, and is taken for a refusal once it has not passed.
    static func isPossible(_ error: any Error) -> Bool {
        switch error {
        case DownloadError.status(_, let code), DownloadError.busy(_, let code, _):
            passing.contains(code)
        default: false
        }
    }
}
