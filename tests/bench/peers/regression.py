"""nwreg beside PyTorch, statsmodels, scikit-learn and R, where they are installed: results first, then times.

    python3 regression.py NWREG [N]       N samples that are their own queries, f64
"""
import os
import shutil
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


def ours(nwreg, place, x, y, *options):
    with h5py.File(place + "/in.h5", "w") as file:
        file["x"], file["y"] = x, y
    command = [nwreg, "-x", place + "/in.h5", "-y", place + "/in.h5", *options, "-f", "-o", place + "/out.h5"]
    _, seconds = timed(lambda: subprocess.run(command, check=True, stderr=subprocess.DEVNULL))
    with h5py.File(place + "/out.h5") as file:
        return file["y"][:], seconds


def say(name, what, seconds, fit, mine, my_seconds):
    print(f"{name:14} {what:42} {seconds:9.3f} s beside {my_seconds:.3f} s, {seconds / my_seconds:7.1f} times; "
          f"results differ by {numpy.nanmax(numpy.abs(fit - mine)):.1e}")


def three_columns(nwreg, place, n):
    random = numpy.random.default_rng(1)
    x, y, h = random.random((n, 3)), random.random(n), 0.2
    direct = ["--bandwidth", str(h), "--method", "direct"]
    mine = ours(nwreg, place, x, y, *direct)
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
        fit, seconds = timed(peer)
        say("torch", f"gaussian, 3 columns, {n} samples", seconds, fit, *mine)
    except ImportError:
        print("torch is not installed")
    try:
        from statsmodels.nonparametric.kernel_regression import KernelReg
        few = min(n, 2000)
        peer = KernelReg(y[:few], x[:few], "ccc", reg_type="lc", bw=[h] * 3)
        (fit, _), seconds = timed(peer.fit)
        say("statsmodels", f"gaussian, 3 columns, {few} samples", seconds, fit,
            *ours(nwreg, place, x[:few], y[:few], *direct))
        few = min(n, 200)
        peer, seconds = timed(lambda: KernelReg(y[:few], x[:few, :1], "c", reg_type="lc", bw="cv_ls"))
        fit, _ = peer.fit()
        say("statsmodels", f"bandwidth by cv, 1 column, {few} samples", seconds, fit,
            *ours(nwreg, place, x[:few, 0], y[:few], "--bandwidth", "cv"))
    except ImportError:
        print("statsmodels is not installed")
    try:
        from sklearn.neighbors import RadiusNeighborsRegressor
        peer = RadiusNeighborsRegressor(radius=0.1).fit(x, y)
        fit, seconds = timed(lambda: peer.predict(x))
        say("scikit-learn", f"boxcar, 3 columns, {n} samples", seconds, fit,
            *ours(nwreg, place, x, y, "--kernel", "boxcar", "--bandwidth", "0.1"))
    except ImportError:
        print("scikit-learn is not installed")


def one_column_in_r(nwreg, place, n):
    if shutil.which("Rscript") is None:
        print("R is not installed")
        return
    random = numpy.random.default_rng(2)
    x = numpy.sort(random.random(n))
    y = numpy.sin(12 * x) + random.random(n)
    numpy.savetxt(place + "/xy.csv", numpy.c_[x, y], fmt="%.17g", delimiter=",")
    for what, call, options in [
        ("ksmooth, box", 'ksmooth(d$V1, d$V2, "box", 0.02, x.points = d$V1)$y',
         ["--kernel", "boxcar", "--bandwidth", "0.01"]),
        ("ksmooth, normal (cut at 4 sd)", 'ksmooth(d$V1, d$V2, "normal", 0.02, x.points = d$V1)$y',
         ["--kernel", "gaussian", "--scale-convention", "ksmooth", "--bandwidth", "0.02"]),
        ("locpoly (binned), degree 0", '{ s <- KernSmooth::locpoly(d$V1, d$V2, degree = 0, bandwidth = 0.01);'
         ' approx(s$x, s$y, d$V1)$y }', ["--bandwidth", "0.01"]),
    ]:
        script = (f'd <- read.csv("{place}/xy.csv", header = FALSE); t <- system.time(f <- {call})[[3]]; '
                  f'cat(t, "\\n"); write(f, "{place}/fit.txt", 1)')
        done = subprocess.run(["Rscript", "-e", script.replace("write(f,", "write(format(f, digits = 17),")],
                              capture_output=True, text=True)
        if done.returncode != 0:
            print(f"R              {what}: {done.stderr.strip().splitlines()[0]}")
            continue
        fit = numpy.array([float(line) if line.strip() != "NA" else numpy.nan for line in open(place + "/fit.txt")])
        say("R", f"{what}, {n} samples", float(done.stdout.split()[0]), fit, *ours(nwreg, place, x, y, *options))


def main():
    nwreg = os.path.abspath(sys.argv[1])
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    with tempfile.TemporaryDirectory() as place:
        three_columns(nwreg, place, n)
        one_column_in_r(nwreg, place, n)


if __name__ == "__main__":
    main()
