#!/usr/bin/env python3
"""The `tokenizers` package beside tokenize on one core: same tokenizer.json, same lines; results are compared first.

    tests/bench/peers/tokenization.py MODEL TEXT BUILD

Needs tokenizers. Ours is timed as a whole process (start, loading, reading, printing), the package in memory, without
loading: encode_batch_fast, which leaves offsets out as we do.
"""
import os
import subprocess
import sys

os.environ["TOKENIZERS_PARALLELISM"] = "false"
from tokenizers import Tokenizer, __version__  # noqa: E402  (the variable above is read by the package)

from timing import by_turns  # noqa: E402

model, text, build = sys.argv[1:4]
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
tokenizer = Tokenizer.from_file(f"{model}/tokenizer.json")
with open(text, encoding="utf-8", newline="\n") as file:
    lines = file.read().rstrip("\n").split("\n")
size = os.path.getsize(text) / 1e6


def ours():
    return subprocess.run([f"{build}/bin/tokenize", "-m", model, "-t", "1", text], stdout=subprocess.PIPE, check=True).stdout


def package():
    return tokenizer.encode_batch_fast(lines)


theirs = [" ".join(map(str, encoding.ids)) for encoding in package()]
same = sum(a == b for a, b in zip(theirs, ours().decode().rstrip("\n").split("\n")))
print(f"{same} of {len(lines)} lines have the same ids")

seconds, our_seconds, ratios = by_turns(package, ours)
print(f"tokenizers {__version__}: {size / seconds:.2f} MB/s, tokenize: {size / our_seconds:.2f} MB/s, "
      f"ratio {ratios[len(ratios) // 2]:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})")
