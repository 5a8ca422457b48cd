"""How the peers are timed."""
import statistics
import time


def timed(work):
    """(what work() gives, its seconds)."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def seconds(work):
    """Seconds of one call."""
    return timed(work)[1]


def median_ms(work, budget=4):
    """Milliseconds of a call: the median of as many as fit `budget` seconds, three at least, after one not counted."""
    work()
    times, end = [], time.perf_counter() + budget
    while time.perf_counter() < end or len(times) < 3:
        times.append(seconds(work))
    return statistics.median(times) * 1e3


def by_turns(peer, ours, rounds=5):
    """(median seconds of the peer, of ours, the ratios in ascending order) of calls that take turns."""
    pairs = [(seconds(peer), seconds(ours)) for _ in range(rounds)]
    theirs, mine = zip(*pairs)
    return statistics.median(theirs), statistics.median(mine), sorted(a / b for a, b in pairs)
