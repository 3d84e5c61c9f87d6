import Testing

@testable import VideoCache

/// Which answers are of one version, as relations: none depends on which of two answers came first,
/// nor on the order in which the tags of one version were seen.
@Suite("Two versions are compared alike in either order (K3, K19)")
struct VersionComparisonTests {
    private static let tags: [String?] = ["\"a\"", "\"b\"", "W/\"a\"", nil]
    private static let dates: [String?] = [
        "Fri, 01 Mar 2024 10:00:00 GMT", "Sat, 02 Mar 2024 10:00:00 GMT", nil,
    ]
    private static let lengths: [Int64?] = [1_000, 2_000, nil]

    private static let others: [[String]] = [[], ["\"b\""], ["\"c\"", "\"b\""]]

    private static let all: [ContentInformation] = {
        var all: [ContentInformation] = []
        for tag in tags {
            for date in dates {
                for length in lengths {
                    for others in Self.others
                    where tag.map({ !others.contains($0) }) ?? others.isEmpty {
                        all.append(
                            ContentInformation(
                                length: length, acceptsRanges: true, etag: tag,
                                lastModified: date, otherETags: others))
                    }
                }
            }
        }
        return all
    }()

    @Test func aContradictionIsOne() {
        for one in Self.all {
            #expect(!one.contradicts(one))
            for other in Self.all {
                #expect(one.contradicts(other) == other.contradicts(one), "\(one) \(other)")
                if one.contradicts(other) {
                    #expect(!one.isProvenSame(as: other) && !one.isConfirmed(by: other))
                }
            }
        }
    }

    @Test func whatIsProvenWithoutOtherTagsIsProvenBothWays() {
        let plain = Self.all.filter { $0.otherETags.isEmpty }
        for one in plain {
            for other in plain {
                #expect(
                    one.isProvenSame(as: other) == other.isProvenSame(as: one), "\(one) \(other)")
                // Nothing is proven by what is on one side only, or weak.
                if one.isProvenSame(as: other) {
                    #expect(one.validator != nil && one.validator == other.validator)
                }
            }
        }
    }

    @Test func theOrderOfOtherTagsDoesNotMatter() {
        for tag in ["\"x\"", "\"y\"", "\"z\"", "\"q\"", "W/\"x\""] {
            let answer = ContentInformation(length: 1_000, acceptsRanges: true, etag: tag)
            let relations = [["\"x\"", "\"y\"", "\"z\""], ["\"z\"", "\"y\"", "\"x\""]].map {
                others in
                let known = ContentInformation(
                    length: 1_000, acceptsRanges: true, etag: "\"v\"", otherETags: others)
                return [
                    known.contradicts(answer), known.isProvenSame(as: answer),
                    known.isConfirmed(by: answer), answer.contradicts(known),
                ]
            }
            #expect(relations[0] == relations[1])
            let isOne = ["\"x\"", "\"y\"", "\"z\""].contains(tag)
            #expect(relations[0] == [!isOne, isOne, isOne, !isOne], "\(tag)")
        }
    }

    /// Tags of one version join it once each, in the order in which they came, and only so many.
    @Test func eachTagJoinsOnce() {
        func answer(_ number: Int) -> ContentInformation {
            ContentInformation(length: 9, acceptsRanges: true, etag: "\"\(number)\"")
        }
        var known = answer(0)
        for number in [1, 0, 2, 1, 2, 0] { known = known.joined(with: answer(number)) }
        #expect(known.etag == "\"0\"" && known.otherETags == ["\"1\"", "\"2\""])
        #expect(known.isComparedByBytes && !known.hasIdleTags)
        for number in 3..<20 { known = known.joined(with: answer(number)) }
        #expect(known.otherETags.count == 8 && known.hasIdleTags)
        #expect(known.otherETags.last == "\"8\"")
        #expect(known.contradicts(answer(19)) && !known.contradicts(answer(8)))
    }

    /// A date that changes although the bytes are the same names no version.
    @Test(
        arguments: [
            (nil, nil, "d2", nil), (nil, nil, "d1", "d1"), (nil, nil, nil, "d1"),
            ("\"t\"", "\"t\"", "d2", "d1"), ("\"t\"", nil, "d2", nil), (nil, "\"t\"", "d2", nil),
        ] as [(String?, String?, String?, String?)])
    func aDateThatChangesIsDropped(mine: String?, theirs: String?, date: String?, left: String?) {
        let known = ContentInformation(
            length: 9, acceptsRanges: true, etag: mine, lastModified: "d1")
        let facts = ContentInformation(
            length: 9, acceptsRanges: true, etag: theirs, lastModified: date)
        #expect(known.joined(with: facts).lastModified == left)
    }
}
