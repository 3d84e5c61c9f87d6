#!/usr/bin/env python3
"""Writes the values that SciPyTests compares with: python3 make-values.py, beside this file.

Made with SciPy 1.17.1 and NumPy 2.4.6. Neither is needed to build, to test or to use the project:
the values are committed. Numbers are written with all their digits.
"""
import csv
import itertools
import pathlib

import numpy
import scipy
from scipy import special, stats

FOLDER = pathlib.Path(__file__).parent
MASK = (1 << 64) - 1


def write(name, header, rows):
    with open(FOLDER / name, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        for row in rows:
            writer.writerow(repr(float(cell)) if isinstance(cell, float) else cell for cell in row)


def events(trials):
    some = {0, 1, 2, 3, 7, trials // 100, trials // 10, trials // 2, trials - 3, trials - 1, trials}
    return sorted(k for k in some if 0 <= k <= trials)


def inverse(p, a, b):
    """The x of I_x(a, b) = p. SciPy's inverse alone stops up to 1e-8 off in p for some great a and
    b (p = 0.975, a = 1000, b = 500000), which its own I_x shows; Newton's steps mend that."""
    x = special.betaincinv(a, b, p)
    for _ in range(3):
        slope = stats.beta.pdf(x, a, b)
        step = (special.betainc(a, b, x) - p) / slope if slope > 0 else 0.0
        x = x - step if abs(step) < 1e-6 * x else x
    return float(x)


def clopper_pearson():
    """Bounds of a rate: k events in n trials."""
    sizes = [1, 2, 3, 5, 10, 20, 59, 100, 298, 299, 1000, 2995, 10_000, 100_000, 1_000_000]
    for n, confidence in itertools.product(sizes, [0.5, 0.9, 0.95, 0.99, 0.999]):
        tail = (1 - confidence) / 2
        for k in events(n):
            upper = 1.0 if k == n else inverse(confidence, k + 1, n - k)
            low = 0.0 if k == 0 else inverse(tail, k, n - k + 1)
            high = 1.0 if k == n else inverse(1 - tail, k + 1, n - k)
            # The same by another name, which finds roots to fewer digits: a check of this script.
            exact = stats.binomtest(k, n).proportion_ci(confidence, "exact")
            numpy.testing.assert_allclose([exact.low, exact.high], [low, high], rtol=1e-6, atol=1e-11)
            yield k, n, confidence, upper, low, high


SHAPES = [0.5, 1, 2, 7, 15, 16, 50, 1_000, 99_999, 500_000, 1_000_000]


def incomplete_beta():
    """I_x(a, b), over the whole of x, and around the mean where it rises."""
    for a, b in itertools.product(SHAPES, SHAPES):
        mean = a / (a + b)
        width = (mean * (1 - mean) / (a + b + 1)) ** 0.5
        places = [0.0, 1e-9, 1e-6, 0.01, 0.3, 0.5, 0.97, 1.0]
        places += [mean + step * width for step in (-6, -3, -1, 0, 0.5, 2, 5)]
        for x in places:
            if 0 <= x <= 1:
                value = special.betainc(a, b, x)
                # Below, doubles have no digits to compare any more.
                if value == 0 or value > 1e-290:
                    yield x, float(a), float(b), float(value)


def inverse_beta():
    """The x of I_x(a, b) = p."""
    for a, b in itertools.product(SHAPES, SHAPES):
        for p in (1e-9, 0.001, 0.025, 0.05, 0.5, 0.95, 0.975, 0.999999):
            x = inverse(p, a, b)
            if 1e-290 < x:
                yield p, float(a), float(b), x


def binomial():
    """P(at most k events in n trials)."""
    for n in (1, 2, 10, 100, 1000, 100_000, 1_000_000):
        for rate in (1e-9, 1e-6, 0.001, 0.025, 0.3, 0.5, 0.9, 0.99, 0.999999):
            centre = int(n * rate)
            some = {-1, 0, 1, centre - int(centre**0.5), centre, centre + int(centre**0.5), n - 1, n}
            for k in sorted(some):
                value = float(stats.binom.cdf(k, n, rate))
                if value == 0 or value > 1e-290:
                    yield k, n, rate, value


def trials_needed():
    """The fewest trials without an event whose upper bound lies below a rate."""
    rates = [0.99, 0.951, 0.95, 0.5, 0.1, 0.05, 0.02952, 0.0295, 0.01, 0.005, 0.001, 1e-4, 1e-5]
    for rate, confidence in itertools.product(rates, [0.9, 0.95, 0.99]):
        low, high = 0, 1
        while stats.beta.ppf(confidence, 1, high) >= rate:
            high *= 2
        while high - low > 1:
            middle = (low + high) // 2
            if stats.beta.ppf(confidence, 1, middle) < rate:
                high = middle
            else:
                low = middle
        yield rate, confidence, high


def percentile_ranks():
    """Ranks of the order statistics around a percentile with at most 2.5 % of error on each side:
    the last l with P(B <= l - 1) <= 0.025, the first u with P(B >= u) <= 0.025; 0 for none."""
    for n in (1, 2, 5, 6, 9, 25, 59, 100, 299, 367, 368, 1000, 9999, 100_000, 1_000_000):
        for percent in (50, 90, 95, 99):
            ranks = numpy.arange(1, n + 1)
            below = ranks[stats.binom.cdf(ranks - 1, n, percent / 100) <= 0.025]
            above = ranks[stats.binom.sf(ranks - 1, n, percent / 100) <= 0.025]
            yield n, percent, below.max(initial=0), above.min() if len(above) else 0


class SplitMix64:
    """Steele, Lea and Flood 2014: the generator whose draws the project's bootstrap takes."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        mixed = self.state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        return mixed ^ (mixed >> 31)


def lost(n):
    return numpy.array([float(i * 7_919 % 524_288) for i in range(1, n + 1)])


def received(n):
    return numpy.array([float(i * 104_729 % 10_485_760 + 1) for i in range(1, n + 1)])


def bootstrap():
    """Percentile intervals over the resamples that the seed gives: the very same draws, the rest
    is NumPy's. (scipy.stats.bootstrap draws otherwise: its 100,000 resamples give 0.035748 to
    0.048815 and 193,662 to 250,291 for the row of 100.)"""
    for n, seed in ((2, 7), (3, 1), (20, 0), (100, 0x5EED0FB00757A9), (399, 12345)):
        random = SplitMix64(seed)
        tops, bottoms = lost(n), received(n)
        drawn = numpy.array([[(random.next() >> 32) * n >> 32 for _ in range(n)] for _ in range(2000)])
        ratios = tops[drawn].sum(axis=1) / bottoms[drawn].sum(axis=1)
        means = tops[drawn].mean(axis=1)
        ends = [
            float(numpy.percentile(values, percent, method="inverted_cdf"))
            for values in (ratios, means)
            for percent in (2.5, 97.5)
        ]
        yield (n, str(seed), *ends)


def samples():
    """What is said of a sample."""
    for n in (1, 2, 3, 5, 10, 20, 99, 100, 101, 299, 1000, 99_999):
        values = lost(n) / 3
        ranks = [float(numpy.percentile(values, p, method="inverted_cdf")) for p in (90, 95, 99)]
        yield (n, float(values.mean()), float(numpy.median(values)), *ranks)


def lumpy(n, seed, shift=0.0, zeros=3, step=4096):
    """Numbers as a kill test has them: some 0, the others multiples of a step."""
    random = SplitMix64(seed)
    values = []
    for _ in range(n):
        draw = random.next() >> 33
        values.append(0.0 if draw % 7 < zeros else float(draw // 7 % 41 - 20 + shift) * step)
    return numpy.array(values)


def smooth(n, seed, shift=0.0):
    """Numbers of which no two are equal: 53 random bits each."""
    random = SplitMix64(seed)
    return numpy.array([(random.next() >> 11) * 2.0**-53 - 0.5 + shift for _ in range(n)])


def joined(values):
    return "|".join(repr(float(value)) for value in values)


def wilcoxon():
    """Wilcoxon's signed-rank test. Every choice of signs is counted up to 50 differences other than
    0: by SciPy's exact distribution where no two are equal, else by its permutation test, for as
    many as that can do. Above, and in the column approximate, the normal distribution."""
    cases = [smooth(n, n, shift) for n in (1, 2, 5, 6, 13, 30, 50, 51, 200) for shift in (0, 0.1, 0.4)]
    cases += [
        lumpy(n, n, shift, zeros)
        for n in (1, 3, 6, 9, 13, 17, 60, 300, 1000) for shift in (0, 2, 8) for zeros in (0, 3)
    ]
    cases += [numpy.array([1.0] * 7), numpy.array([2.0, -2.0] * 4), numpy.array([0.0] * 9)]
    for values in cases:
        kept = values[values != 0]
        approximate = exact = 1.0
        if len(kept):
            approximate = float(stats.wilcoxon(kept, method="asymptotic").pvalue)
            if len(kept) > 50:
                exact = approximate
            elif len(set(abs(kept))) == len(kept):
                exact = float(stats.wilcoxon(kept, method="exact").pvalue)
            elif len(kept) <= 18:
                every = stats.PermutationMethod(n_resamples=2 ** len(kept), batch=1 << 14)
                exact = float(stats.wilcoxon(kept, method=every).pvalue)
            else:
                continue
            # What SciPy takes by itself is the same where it counts, too.
            if len(kept) <= 13 or len(set(abs(kept))) == len(kept):
                numpy.testing.assert_allclose(stats.wilcoxon(kept).pvalue, exact, rtol=1e-12)
        yield joined(values), exact, approximate


def mann_whitney():
    """The Mann-Whitney U test as SciPy takes it by itself."""
    sizes = [(1, 1), (1, 5), (3, 3), (3, 40), (8, 8), (8, 30), (9, 9), (20, 9), (60, 50), (5, 400)]
    for (n, m), shift in itertools.product(sizes, (0.0, 0.2, 0.9)):
        yield mann_whitney_row(smooth(n, n), smooth(m, 1000 + m, shift))
        yield mann_whitney_row(lumpy(n, n), lumpy(m, 1000 + m, 20 * shift))


def mann_whitney_row(first, second):
    same = len(set(first) | set(second)) == 1
    value = 1.0 if same else stats.mannwhitneyu(first, second).pvalue
    return joined(first), joined(second), float(value)


def holm():
    """Holm's step-down correction, which SciPy has not."""
    for n in (1, 2, 3, 6, 18, 60):
        for seed in (n, n + 100):
            random = SplitMix64(seed)
            values = [((random.next() >> 11) * 2.0**-53) ** 4 for _ in range(n)]
            if n > 2:
                values[1] = values[0]
            order = numpy.argsort(values, kind="stable")
            steps = (n - numpy.arange(n)) * numpy.array(values)[order]
            result = numpy.empty(n)
            result[order] = numpy.minimum(1, numpy.maximum.accumulate(steps))
            yield joined(values), joined(result)


def differences():
    """Percentile intervals of differences, over the very draws that the seed gives: one per row of
    the base and, without pairs, then one per row of the other."""
    figures = {
        "mean": lambda v, d: v.mean(axis=1),
        "median": lambda v, d: numpy.median(v, axis=1),
        "p95": lambda v, d: numpy.percentile(v, 95, axis=1, method="inverted_cdf"),
        "ratio": lambda v, d: v.sum(axis=1) / d.sum(axis=1),
    }
    for n, m, paired, seed in ((2, 2, True, 7), (21, 21, True, 1), (100, 100, True, 0x5EED),
                               (2, 3, False, 7), (30, 21, False, 1), (99, 120, False, 0x5EED)):
        random = SplitMix64(seed)
        firsts, seconds = [], []
        for _ in range(2000):
            firsts.append([(random.next() >> 32) * n >> 32 for _ in range(n)])
            seconds.append(
                firsts[-1] if paired else [(random.next() >> 32) * m >> 32 for _ in range(m)])
        base, other = lost(n), lost(m)[::-1] * 1.25 + 1
        for name, figure in figures.items():
            a = figure(base[numpy.array(firsts)], received(n)[numpy.array(firsts)])
            b = figure(other[numpy.array(seconds)], received(m)[numpy.array(seconds)])
            ends = [
                float(numpy.percentile(values, percent, method="inverted_cdf"))
                for values in (b - a, b / a - 1)
                for percent in (2.5, 97.5)
            ]
            yield (n, m, "yes" if paired else "no", str(seed), name, *ends)


if __name__ == "__main__":
    assert scipy.__version__ == "1.17.1", "the committed values are SciPy 1.17.1's"
    write(
        "clopper-pearson.csv", ["events", "trials", "confidence", "upper", "low", "high"],
        clopper_pearson())
    write("incomplete-beta.csv", ["x", "a", "b", "value"], incomplete_beta())
    write("inverse-beta.csv", ["value", "a", "b", "x"], inverse_beta())
    write("binomial-cumulative.csv", ["events", "trials", "rate", "value"], binomial())
    write("trials-needed.csv", ["rate", "confidence", "trials"], trials_needed())
    write("percentile-ranks.csv", ["count", "percent", "low", "high"], percentile_ranks())
    write(
        "bootstrap.csv", ["count", "seed", "ratio_low", "ratio_high", "mean_low", "mean_high"],
        bootstrap())
    write("samples.csv", ["count", "mean", "median", "p90", "p95", "p99"], samples())
    write("wilcoxon.csv", ["differences", "value", "approximate"], wilcoxon())
    write("mann-whitney.csv", ["first", "second", "value"], mann_whitney())
    write("holm.csv", ["values", "adjusted"], holm())
    write(
        "bootstrap-difference.csv",
        ["base", "other", "paired", "seed", "figure", "low", "high", "relative_low", "relative_high"],
        differences())
