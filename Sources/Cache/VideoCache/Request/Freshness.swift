/// For how long what an origin has said about a video counts, without asking it again (RFC 9111,
/// 4.2); a value, stored with the video.
///
/// The cache is a private one: its folder belongs to one user. So it stores what is `private`, and
/// answers to requests with `Authorization`. Several programs of that user may play through it, so
/// it also heeds what is said to shared caches where that makes it ask sooner: `s-maxage` counts if
/// it is the shorter one, and `proxy-revalidate` counts as `must-revalidate`.
public struct Freshness: Sendable, Hashable {
    package struct Rules: OptionSet, Sendable, Hashable {
        package let rawValue: Int64

        package init(rawValue: Int64) { self.rawValue = rawValue }

        /// To be asked before every use: `no-cache`, or a `Vary: *` (4.1).
        package static let asks = Rules(rawValue: 1)
        /// Not to be used when it is stale, whatever happens: `must-revalidate` (5.2.2.2).
        package static let neverStale = Rules(rawValue: 2)
        /// Not to be stored: `no-store` (5.2.2.5).
        package static let noStore = Rules(rawValue: 4)
    }

    /// When the answer came, in milliseconds since 1970.
    package var received: Int64
    /// How old it was then, in seconds (4.2.3).
    package var age: Int64 = 0
    /// For how many seconds it is fresh, from its beginning on; nil if the origin does not say.
    package var lifetime: Int64?
    /// For how many seconds more it may be used while the origin is asked (RFC 5861, 3).
    package var grace: Int64 = 0
    package var rules: Rules = []
    package var date: String?
    /// The fields of requests by which the origin chooses its answer, in lower case (4.1), without
    /// those that the cache sends itself.
    package var vary: Set<String> = []
}

extension Freshness {
    /// Reads a head, asked and received in milliseconds since 1970; nil if it says nothing of this.
    package init?(_ head: HTTPResponseHead, asked: Int64, received: Int64) {
        let told = ["cache-control", "expires", "age", "date", "vary"]
        guard told.contains(where: { head[$0] != nil }) else { return nil }
        let control = CacheControl(head["cache-control"])
        // Some servers part the names by blanks.
        let vary = Set(
            (head["vary"] ?? "").split { $0 == "," || $0 == " " || $0 == "\t" }
                .map { $0.lowercased() })
        var rules: Rules = []
        if control.has("no-cache") || vary.contains("*") { rules.insert(.asks) }
        if ["must-revalidate", "proxy-revalidate", "s-maxage"].contains(where: control.has) {
            rules.insert(.neverStale)
        }
        if control.has("no-store") { rules.insert(.noStore) }
        let date = head["date"].flatMap(HTTPDate.seconds).map(Int64.init)
        self.init(
            received: received, age: Self.age(head, date: date, asked: asked, received: received),
            lifetime: Self.lifetime(head, control, date: date ?? received / 1000),
            grace: control.seconds("stale-while-revalidate") ?? 0, rules: rules, date: head["date"])
        self.vary = vary.filter(Self.isName)
            .subtracting(["*", "accept-encoding", "range", "if-range", "host"])
    }

    /// False for what can be no field's name, which no request has; the text could not hold it either.
    private static func isName(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "=") }
    }

    /// The lifetime (4.2.1); an `Expires` that is no date is in the past (5.3).
    private static func lifetime(
        _ head: HTTPResponseHead, _ control: CacheControl, date: Int64
    ) -> Int64? {
        let told = [control.seconds("max-age"), control.seconds("s-maxage")].compactMap(\.self)
        if let shortest = told.min() { return shortest }
        guard let expires = head["expires"] else { return nil }
        return HTTPDate.seconds(expires).map { max(0, Int64($0) - date) } ?? 0
    }

    /// The corrected initial age (4.2.3); of several `Age` the first counts, if it is one (5.1).
    private static func age(
        _ head: HTTPResponseHead, date: Int64?, asked: Int64, received: Int64
    ) -> Int64 {
        let first = (head["age"] ?? "").split(separator: ",").first?.trimmingBlanks()
        let told = first.flatMap { CacheControl.seconds($0) } ?? 0
        let delay = max(0, received - asked) / 1000
        let apparent = date.map { max(0, received / 1000 - $0) } ?? 0
        return max(apparent, told + delay)
    }

    /// How old the answer is, in seconds (4.2.3).
    package func age(at now: Int64) -> Int64 { age + max(0, now - received) / 1000 }

    /// The value after an answer that has confirmed it: what a 304 leaves out stays (4.3.4).
    package func confirmed(by new: Freshness?, at now: Int64) -> Freshness {
        guard var new else {
            var same = self
            same.received = now
            same.age = 0
            return same
        }
        if new.lifetime == nil, new.rules.isEmpty {
            (new.lifetime, new.rules, new.grace) = (lifetime, rules, grace)
        }
        if new.vary.isEmpty { new.vary = vary }
        new.date = new.date ?? date
        return new
    }
}

extension Freshness {
    package enum Standing: Sendable, Hashable {
        /// Without asking.
        case fresh
        /// At once, if the origin is asked meanwhile.
        case graced
        /// After the origin was asked; if it cannot be, nevertheless.
        case stale
        /// After the origin was asked, and not otherwise.
        case useless
    }

    /// A clock that was set back by more than this, in milliseconds, makes every age a guess.
    private static let tolerance: Int64 = 60_000

    /// How the answer may be used now, for a player's wish (4.2, 5.2.1).
    package func standing(at now: Int64, for wish: FreshnessWish = .none) -> Standing {
        if rules.contains(.noStore) || rules.contains(.asks) { return .useless }
        // The stored answer may have been chosen for a request without these (4.1).
        if !vary.isDisjoint(with: wish.sent) { return .stale }
        let age = age(at: now)
        let isKnown = now >= received - Self.tolerance
        let left = lifetime.map { isKnown ? $0 - age : -1 } ?? .max
        let isFresh = left > 0
        if !isFresh, rules.contains(.neverStale) { return .useless }
        if wish.asks || wish.maxAge.map({ age > $0 || !isKnown || $0 == 0 }) ?? false {
            return .stale
        }
        if isFresh { return left >= wish.minFresh ? .fresh : .stale }
        if isKnown, let allowed = wish.maxStale, -left <= allowed { return .fresh }
        return isKnown && -left <= grace && grace > 0 ? .graced : .stale
    }
}

extension Freshness {
    /// As it is stored: `received=… age=… lifetime=… grace=… rules=… vary=… date=…`.
    var text: String {
        let lifetime = lifetime.map { " lifetime=\($0)" } ?? ""
        let date = date.map { " date=\($0)" } ?? ""
        let vary = vary.isEmpty ? "" : " vary=" + vary.sorted().joined(separator: ",")
        return "received=\(received) age=\(age)\(lifetime) grace=\(grace) rules=\(rules.rawValue)"
            + vary + date
    }

    init?(text: String) {
        let (facts, date): (Substring, String?) =
            if let range = text.firstRange(of: " date=") {
                (text[..<range.lowerBound], String(text[range.upperBound...]))
            } else {
                (text[...], nil)
            }
        var values: [Substring: Int64] = [:]
        var vary: Set<String> = []
        for fact in facts.split(separator: " ") {
            let sides = fact.split(separator: "=")
            if sides.count == 2, sides[0] == "vary" {
                vary = Set(sides[1].split(separator: ",").map(String.init))
                continue
            }
            guard sides.count == 2, let number = Int64(sides[1]) else { return nil }
            values[sides[0]] = number
        }
        guard let received = values["received"], let age = values["age"],
            let grace = values["grace"], let rules = values["rules"]
        else { return nil }
        self.init(
            received: received, age: age, lifetime: values["lifetime"], grace: grace,
            rules: Rules(rawValue: rules), date: date)
        self.vary = vary
    }
}
