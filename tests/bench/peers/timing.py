"""How the peers are timed."""
import statistics
import subprocess
import time


def timed(work):
    """(what work() gives, its seconds)."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def seconds(work):
    """Seconds of one call."""
    return timed(work)[1]


class OnRequest:
    """A program of ours that runs its work once for each line that it reads, and answers with the seconds."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self):
        self.process.stdin.write("run\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def rested(run):
    """The seconds of a run after a pause: threads of the other side that wait awake would take a part of the machine."""
    time.sleep(0.25)
    return run()


def spread_of(ratios):
    """Half the distance of the quartiles of ratios in ascending order."""
    return (ratios[-len(ratios) // 4] - ratios[len(ratios) // 4]) / 2


def table_of_turns(name, ours, peers, rounds=9):
    """Rows of a table in Markdown: `ours` (which gives the seconds of a run) and all `peers` (functions to time, by
    name) take turns, so that what else the machine does falls on all alike; the first round is not counted."""
    runs = [lambda peer=peer: seconds(peer) for peer in peers.values()]
    times = [[rested(run) for run in (ours, *runs)] for _ in range(rounds + 1)][1:]
    mine = statistics.median(t[0] for t in times) * 1e3
    for at, peer in enumerate(peers, 1):
        ratios = sorted(t[at] / t[0] for t in times)
        theirs = statistics.median(t[at] for t in times) * 1e3
        print(f"| {name} | {mine:.1f} ms | {peer} | {theirs:.1f} ms | {statistics.median(ratios):.2f} +- "
              f"{spread_of(ratios):.2f} |", flush=True)


def by_turns(peer, ours, rounds=5):
    """(median seconds of the peer, of ours, the ratios in ascending order) of calls that take turns."""
    pairs = [(seconds(peer), seconds(ours)) for _ in range(rounds)]
    theirs, mine = zip(*pairs)
    return statistics.median(theirs), statistics.median(mine), sorted(a / b for a, b in pairs)
