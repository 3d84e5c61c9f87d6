internal import OriginFaults

extension OriginFault {
    enum Action {
        case connection((inout ToxicPlan) -> Void)
        case resource((inout Resource) -> Void)
        /// Changes an answer; nil where it cannot strike, which is not counted.
        case answer((Exchange) -> ResponsePlan?)
        /// Serves another version, or from another server, as `FaultSchedule` or the rig chooses.
        case choice
    }

    var action: Action {
        switch kind {
        case .latency: .connection { $0.latency += delay }
        case .bandwidth:
            .connection { $0.bytesPerSecond = min($0.bytesPerSecond ?? .infinity, Double(amount)) }
        case .slowClose: .connection { $0.closeDelay += delay }
        case .resetPeer: .connection { $0.end(after: amount, delay: delay, isReset: true) }
        case .slicer: .connection { $0.sliceSize = min($0.sliceSize ?? .max, Int(amount)) }
        case .limitData: .connection { $0.end(after: amount, delay: delay, isReset: false) }
        case .changeETag, .changed, .shortened, .longer, .edges: .choice
        case .weakETag: .resource { $0.etag = "W/\($0.etag)" }
        case .noValidators:
            .resource {
                $0.hidesTag = true
                $0.lastModified = nil
            }
        case .lastModifiedOnly: .resource { $0.hidesTag = true }
        case .encode: .resource { $0.encode() }
        case .slow:
            .resource { $0.bytesPerSecond = min($0.bytesPerSecond ?? .infinity, Double(amount)) }
        case .ignoreRange: .answer { $0.withoutRanges(for: [206, 416]) }
        case .earlyRange: .answer { $0.withRange(.word("earlier")) }
        case .wrongContentRange: .answer { $0.withRange(argument) }
        case .unknownTotal: .answer { $0.withoutTotal() }
        case .ignoreIfRange: .answer { $0.anew(without: \.ifRange, for: [200]) }
        case .refuseIfRange: .answer { $0.anew(without: \.range, for: [206]) }
        case .always416:
            .answer {
                ResponsePlan(status: 416, headers: ["Content-Range": "bytes */\($0.length)"])
            }
        case .notModified: .answer { $0.notModified() }
        case .multipart: .answer { $0.multipart() }
        case .noLength: .answer { $0.withoutLength() }
        case .truncate: .answer { $0.breakingOff(after: amount, by: .close) }
        case .reset: .answer { $0.breakingOff(after: amount, by: .reset) }
        case .silent: .answer { $0.breakingOff(after: amount, by: .silence) }
        case .overlong: .answer { $0.overlong(by: amount) }
        case .redirect: .answer { $0.request.hop < Int(amount) ? $0.redirect : nil }
        case .redirectLoop: .answer { $0.redirect }
        case .moved: .answer { $0.moved() }
        case .refuseHead: .answer { $0.refusingHead() }
        case .status: .answer { _ in ResponsePlan(status: Int(amount)) }
        }
    }

    /// The answer so far as changed by this fault; nil where it cannot strike.
    func strike(
        _ plan: ResponsePlan, of request: RequestFacts, with served: Resource
    ) -> ResponsePlan? {
        guard case .answer(let change) = action else { return nil }
        if let needed = kind.facts.needs, !request.has(needed) { return nil }
        return change(Exchange(plan: plan, request: request, served: served))
    }
}

extension RequestFacts {
    /// True when the request has what a fault of ranges needs.
    fileprivate func has(_ needed: OriginFault.Needs) -> Bool {
        method == "GET" && range != nil && (needed == .range || ifRange != nil)
    }
}
