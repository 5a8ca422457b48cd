"""nwreg beside PyTorch (and scikit-learn, statsmodels where they are installed): results first, then times.

    python3 regression.py NWREG [N]       Gaussian, three columns, N samples that are their own queries, f64
"""
import subprocess
import sys
import tempfile
import time

import h5py
import numpy


def timed(work):
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def main():
    nwreg = sys.argv[1]
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    random = numpy.random.default_rng(1)
    x, y, h = random.random((n, 3)), random.random(n), 0.2
    with tempfile.TemporaryDirectory() as place:
        with h5py.File(place + "/in.h5", "w") as file:
            file["x"], file["y"] = x, y
        command = [nwreg, "-x", place + "/in.h5", "-y", place + "/in.h5", "--bandwidth", str(h), "--method", "direct",
                   "-o", place + "/out.h5"]
        _, ours = timed(lambda: subprocess.run(command, check=True))
        with h5py.File(place + "/out.h5") as file:
            fit = file["y"][:]
    print(f"nwreg        {ours:8.3f} s (the whole command)")
    try:
        import torch
        keys, values = torch.tensor(x), torch.tensor(y)

        def peer():
            rows = []
            for part in keys.split(1000):
                weights = torch.exp(-torch.cdist(part, keys) ** 2 / (2 * h * h))
                rows.append(weights @ values / weights.sum(1))
            return torch.cat(rows).numpy()

        peer()
        theirs, seconds = timed(peer)
        print(f"torch        {seconds:8.3f} s, {seconds / ours:.1f} times; results differ by {abs(theirs - fit).max():.1e}")
    except ImportError:
        print("torch is not installed")
    try:
        from statsmodels.nonparametric.kernel_regression import KernelReg
        few = min(n, 2000)
        peer = KernelReg(y[:few], x[:few], "ccc", reg_type="lc", bw=[h] * 3)
        _, seconds = timed(lambda: peer.fit())
        print(f"statsmodels  {seconds:8.3f} s for {few} samples")
    except ImportError:
        print("statsmodels is not installed")


if __name__ == "__main__":
    main()
