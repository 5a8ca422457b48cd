"""How the peers are timed."""
import statistics
import time


def median_ms(work, seconds=4):
    """Milliseconds of a call: the median of as many as fit the time, three at least, after one that is not counted."""
    work()
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3
