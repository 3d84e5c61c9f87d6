import Foundation
package import RigModel

/// What a number of events among independent trials says about their rate.
package enum Binomial {
    /// The probability of at most so many events: 0 below 0 of them, 1 from `trials` on.
    package static func cumulative(_ events: Int, of trials: Int, rate: Double) -> Double {
        if events < 0 { return 0 }
        if events >= trials { return 1 }
        return IncompleteBeta.regularised(
            1 - rate, complement: rate, a: Double(trials - events), b: Double(events + 1))
    }

    /// The exact (Clopper–Pearson) one-sided upper bound of the rate, 0 to 1; nil without trials.
    ///
    /// 0 events in 100 trials bound the rate at 2.95 %, with the default confidence of 95 %.
    package static func upperBound(events: Int, trials: Int, confidence: Double = 0.95) -> Double? {
        guard trials > 0, (0...trials).contains(events) else { return nil }
        if events == trials { return 1 }
        if events == 0 { return -expm1(log(1 - confidence) / Double(trials)) }
        return IncompleteBeta.inverse(confidence, a: Double(events + 1), b: Double(trials - events))
    }

    /// The exact (Clopper–Pearson) two-sided interval of the rate, 0 to 1; nil without trials.
    package static func interval(
        events: Int, trials: Int, confidence: Double = 0.95
    ) -> ConfidenceInterval? {
        let tail = (1 - confidence) / 2
        guard let high = upperBound(events: events, trials: trials, confidence: 1 - tail) else {
            return nil
        }
        return ConfidenceInterval(low: lower(events, trials, tail: tail), high: high)
    }

    /// The rate at which this many events, or more, have a probability of only `tail`; 1 − the
    /// upper bound of the misses would lose ten digits at a rate of one in a million.
    private static func lower(_ events: Int, _ trials: Int, tail: Double) -> Double {
        if events == 0 { return 0 }
        if events == trials { return exp(log(tail) / Double(trials)) }
        return IncompleteBeta.inverse(tail, a: Double(events), b: Double(trials - events + 1))
    }

    /// The fewest trials without an event that bound its rate below this; nil if none below 1e15.
    ///
    /// 299 trials are needed for 1 %, 2,995 for 0.1 %.
    package static func trialsNeeded(toBoundBelow rate: Double, confidence: Double = 0.95) -> Int? {
        guard rate > 0 else { return nil }
        guard rate < 1 else { return 1 }
        let needed = (log(1 - confidence) / log1p(-rate)).rounded(.up)
        guard needed < 1e15 else { return nil }
        // Rounding may have put the quotient on the wrong side of a whole number.
        var trials = max(1, Int(needed) - 1)
        while let bound = upperBound(events: 0, trials: trials, confidence: confidence),
            bound >= rate
        {
            trials += 1
        }
        return trials
    }
}
