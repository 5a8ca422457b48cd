#!/usr/bin/env python3
"""pandas.read_csv beside tconv on one core: the same numbers from the same text; results are compared first.

    tests/bench/peers/io.py BUILD [ROWS]

Needs numpy and pandas. Ours is timed as a whole process that reads the text and writes NPY to /dev/null; pandas in
memory, without its import, with float_precision="round_trip", which alone reads every digit.
"""
import io
import os
import subprocess
import sys
import tempfile

import numpy as np
import pandas

from timing import by_turns

build, rows = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 200_000
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
numbers = np.random.default_rng(1).uniform(-0.5, 0.5, (rows, 10))


with tempfile.TemporaryDirectory() as directory:
    path = f"{directory}/x.csv"
    np.save(f"{directory}/x.npy", numbers)
    subprocess.run([f"{build}/bin/tconv", f"{directory}/x.npy", "-o", path], check=True)
    size = os.path.getsize(path) / 1e6

    def package():
        return pandas.read_csv(path, float_precision="round_trip")

    def ours(out=subprocess.DEVNULL):
        return subprocess.run([f"{build}/bin/tconv", path, "-t", "1", "-O", "npy"], stdout=out, check=True).stdout

    assert (package().to_numpy() == numbers).all(), "pandas reads other numbers"
    assert (np.load(io.BytesIO(ours(subprocess.PIPE))) == numbers).all(), "tconv reads other numbers"
    print(f"{rows} rows of 10 numbers, {size:.0f} MB: both read every bit")
    theirs, mine, ratios = by_turns(package, ours)

print(f"pandas {pandas.__version__}: {size / theirs:.0f} MB/s, tconv: {size / mine:.0f} MB/s, "
      f"ratio {ratios[len(ratios) // 2]:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")
