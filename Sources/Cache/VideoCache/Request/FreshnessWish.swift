/// How fresh a player wants what it is sent (RFC 9111, 5.2.1 and 5.4).
package struct FreshnessWish: Sendable, Hashable {
    /// The origin is to be asked in any case: `no-cache`.
    package var asks = false
    /// The greatest age, in seconds; nil for any.
    package var maxAge: Int64?
    /// For how many seconds more it is to be fresh.
    package var minFresh: Int64 = 0
    /// For how many seconds it may be stale; nil for none.
    package var maxStale: Int64?
    /// The origin is not to be asked at all: `only-if-cached`.
    package var onlyIfCached = false
    /// The names of the fields that the player has sent, in lower case; its answer may depend on them.
    package var sent: Set<String> = []

    package static let none = FreshnessWish()
    package static let asking = FreshnessWish(asks: true)

    init(asks: Bool = false) { self.asks = asks }

    /// Reads a request's header fields; `Pragma` counts where there is no `Cache-Control` (5.4).
    package init(cacheControl: String?, pragma: String?) {
        guard cacheControl != nil || pragma != nil else { return }
        let control = CacheControl(cacheControl)
        asks =
            control.has("no-cache") || (cacheControl == nil && CacheControl(pragma).has("no-cache"))
        maxAge = control.seconds("max-age")
        minFresh = control.seconds("min-fresh") ?? 0
        // Without a number, any (5.2.1.2).
        maxStale = control.hasArgument("max-stale") ? control.seconds("max-stale") : nil
        if control.has("max-stale"), maxStale == nil { maxStale = .max }
        onlyIfCached = control.has("only-if-cached")
    }
}

/// When the origin of a stored video is asked whether it is still the same.
public enum Revalidation: String, Sendable, Hashable, CaseIterable {
    /// When it is no longer fresh, as the origin has said; never, where the origin has not said.
    case stale
    /// Each time.
    case always
}
