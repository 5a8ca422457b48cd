#!/usr/bin/env python3
"""nwreg beside PyTorch, KeOps, statsmodels, scikit-learn and R, where they are installed: results first, then times.

    tests/bench/peers/regression.py NWREG [N]       N samples that are their own queries, f64, 2 threads

Needs numpy and h5py; of the rest whatever is there: torch, pykeops, statsmodels, scikit-learn from PyPI, R with
KernSmooth, locfit and np. Of nwreg the whole command is timed, HDF5 to HDF5; of the peers the computing alone, after a first
call. Where a peer is given fewer queries or samples, the line says so and nwreg gets the same.
"""
import os
import shutil
import subprocess
import sys
import tempfile

THREADS = "2"
os.environ.setdefault("OMP_NUM_THREADS", THREADS)

import h5py
import numpy

from timing import timed


def ours(nwreg, place, x, y, *options, q=None):
    with h5py.File(place + "/in.h5", "w") as file:
        file["x"], file["y"] = x, y
        if q is not None:
            file["q"] = q
    command = [nwreg, "-x", place + "/in.h5", "-y", place + "/in.h5", *options, "-t", THREADS, "-f", "-o",
               place + "/out.h5", "--no-history"]
    if q is not None:
        command += ["-q", place + "/in.h5"]
    _, seconds = timed(lambda: subprocess.run(command, check=True, stderr=subprocess.DEVNULL))
    with h5py.File(place + "/out.h5") as file:
        attributes = dict(file["y"].attrs)
        return file["y"][:].reshape(-1), seconds, attributes


def say(name, what, fit, seconds, mine, my_seconds):
    apart = numpy.nanmax(numpy.abs(numpy.ravel(fit) - mine))
    print(f"{name:12} {what:58} {seconds:9.3f} s beside {my_seconds:7.3f} s, {seconds / my_seconds:7.1f} times; "
          f"results differ by {apart:.1e}", flush=True)


def missing(name, error):
    print(f"{name:12} is not installed ({error})")


def torch_in_space(nwreg, place, x, y, h):
    import torch
    torch.set_num_threads(int(THREADS))
    few = min(len(x), 2000)
    keys, values = torch.tensor(x), torch.tensor(y)

    def peer():
        rows = []
        for part in keys[:few].split(500):
            weights = torch.exp(-torch.cdist(part, keys) ** 2 / (2 * h * h))
            rows.append(weights @ values / weights.sum(1))
        return torch.cat(rows).numpy()

    peer()
    fit, seconds = timed(peer)
    mine, my_seconds, _ = ours(nwreg, place, x, y, "--bandwidth", str(h), "--method", "direct")
    scale = len(x) / few
    say("torch", f"gaussian, 3 columns, {len(x)} samples" + (f", {few} queries x {scale:g}" if scale > 1 else ""), fit,
        seconds * scale, mine[:few], my_seconds)


def keops_in_space(nwreg, place, x, y, h):
    from pykeops.numpy import LazyTensor
    queries, keys, values = x[:, None, :], x[None, :, :], y[None, :, None]

    def peer():
        q, k, v = LazyTensor(queries.copy()), LazyTensor(keys.copy()), LazyTensor(values.copy())
        weights = (-((q - k) ** 2).sum(-1) / (2 * h * h)).exp()
        return (weights * v).sum(1) / weights.sum(1)

    peer()
    fit, seconds = timed(peer)
    mine, my_seconds, _ = ours(nwreg, place, x, y, "--bandwidth", str(h), "--method", "direct")
    say("KeOps", f"gaussian, 3 columns, {len(x)} samples", fit, seconds, mine, my_seconds)


def statsmodels_regression(nwreg, place, x, y, h):
    from statsmodels.nonparametric.kernel_regression import KernelReg
    few = min(len(x), 2000)
    peer = KernelReg(y[:few], x[:few], "ccc", reg_type="lc", bw=[h] * 3)
    (fit, _), seconds = timed(peer.fit)
    mine, my_seconds, _ = ours(nwreg, place, x[:few], y[:few], "--bandwidth", str(h), "--method", "direct")
    say("statsmodels", f"gaussian, 3 columns, {few} samples", fit, seconds, mine, my_seconds)
    few = min(len(x), 200)
    signal = numpy.sin(6 * x[:few, 0]) + 0.3 * y[:few]
    peer, seconds = timed(lambda: KernelReg(signal, x[:few, :1], "c", reg_type="lc", bw="cv_ls"))
    fit, _ = peer.fit()
    mine, my_seconds, chosen = ours(nwreg, place, x[:few, 0], signal, "--bandwidth", "cv")
    say("statsmodels", f"width by cv, {few} samples: {peer.bw[0]:.7g}, nwreg {float(chosen['bandwidth']):.7g}", fit,
        seconds, mine, my_seconds)


def scikit_learn_in_reach(nwreg, place, x, y, h):
    from sklearn.neighbors import KNeighborsRegressor, RadiusNeighborsRegressor
    radius = 0.1
    peer = RadiusNeighborsRegressor(radius=radius, n_jobs=int(THREADS)).fit(x, y)
    fit, seconds = timed(lambda: peer.predict(x))
    mine, my_seconds, _ = ours(nwreg, place, x, y, "--kernel", "boxcar", "--bandwidth", str(radius))
    say("scikit-learn", f"boxcar, 3 columns, {len(x)} samples", fit, seconds, mine, my_seconds)
    peer = KNeighborsRegressor(20, n_jobs=int(THREADS)).fit(x, y)
    fit, seconds = timed(lambda: peer.predict(x))
    mine, my_seconds, _ = ours(nwreg, place, x, y, "--kernel", "boxcar", "--bandwidth", "knn:20")
    say("scikit-learn", f"20 nearest neighbours, 3 columns, {len(x)} samples", fit, seconds, mine, my_seconds)


def on_line(random, n):
    x = numpy.sort(random.random(n))
    return x, numpy.sin(12 * x) + random.random(n)


def statsmodels_on_line(nwreg, place, n):
    from statsmodels.nonparametric.kernel_regression import KernelReg
    from statsmodels.nonparametric.smoothers_lowess import lowess
    x, y = on_line(numpy.random.default_rng(3), n)
    fit, seconds = timed(lambda: lowess(y, x, frac=0.05, it=0, delta=0, is_sorted=True, return_sorted=False))
    mine, my_seconds, _ = ours(nwreg, place, x, y, "--kernel", "tricube", "--bandwidth", "knn:5%", "--degree", "1")
    say("statsmodels", f"lowess, span 5 %, not robust, {n} samples", fit, seconds, mine, my_seconds)
    few = min(n, 2000)
    x, y = on_line(numpy.random.default_rng(4), few)
    (fit, _), seconds = timed(KernelReg(y, x, "c", reg_type="ll", bw=[0.02]).fit)
    mine, my_seconds, _ = ours(nwreg, place, x, y, "--bandwidth", "0.02", "--degree", "1")
    say("statsmodels", f"gaussian, degree 1, {few} samples", fit, seconds, mine, my_seconds)


def in_r(nwreg, place, n):
    if shutil.which("Rscript") is None:
        return missing("R", "no Rscript")
    random = numpy.random.default_rng(2)
    box = ["--kernel", "boxcar", "--bandwidth", "0.01"]
    nearest = ["--kernel", "tricube", "--bandwidth", "knn:5%"]
    normal = ["--kernel", "gaussian", "--scale-convention", "ksmooth", "--bandwidth", "0.02"]
    for what, n, call, options in [
        ("ksmooth, box", n, 'ksmooth(d$V1, d$V2, "box", 0.02, x.points = d$V1)$y', box),
        ("ksmooth, normal (cut at 4 sd)", n, 'ksmooth(d$V1, d$V2, "normal", 0.02, x.points = d$V1)$y', normal),
        ("locpoly (binned), degree 0", n, '{ s <- KernSmooth::locpoly(d$V1, d$V2, degree = 0, bandwidth = 0.01);'
         ' approx(s$x, s$y, d$V1)$y }', ["--bandwidth", "0.01"]),
        ("locpoly (binned), degree 1", n, '{ s <- KernSmooth::locpoly(d$V1, d$V2, degree = 1,'
         ' bandwidth = 0.01); approx(s$x, s$y, d$V1)$y }', ["--bandwidth", "0.01", "--degree", "1"]),
        ("loess (direct), degree 1, span 5 %", n, 'predict(loess(V2 ~ V1, d, span = 0.05, degree = 1, control ='
         ' loess.control(surface = "direct", statistics = "none")), d)', nearest + ["--degree", "1"]),
        ("loess (direct), degree 2, span 5 %", n, 'predict(loess(V2 ~ V1, d, span = 0.05, degree = 2, control ='
         ' loess.control(surface = "direct", statistics = "none")), d)', nearest + ["--degree", "2"]),
        ("lowess, span 5 %, not robust", n, 'lowess(d$V1, d$V2, 0.05, iter = 0, delta = 0)$y',
         nearest + ["--degree", "1"]),
        ("lowess, span 5 %, 3 robust fits", n, 'lowess(d$V1, d$V2, 0.05, iter = 3, delta = 0)$y',
         nearest + ["--degree", "1", "--robust", "3"]),
        ("locfit, tricube, degree 1", n, '{ library(locfit); fitted(locfit(V2 ~ lp(V1, deg = 1, h = 0.05), d,'
         ' kern = "tcub", ev = dat())) }', ["--kernel", "tricube", "--bandwidth", "0.05", "--degree", "1"]),
        ("locfit, tricube, degree 2", n, '{ library(locfit); fitted(locfit(V2 ~ lp(V1, deg = 2, h = 0.05), d,'
         ' kern = "tcub", ev = dat())) }', ["--kernel", "tricube", "--bandwidth", "0.05", "--degree", "2"]),
        ("np, npreg", min(n, 2000), 'fitted(np::npreg(np::npregbw(bws = 0.01, xdat = d$V1,'
         ' ydat = d$V2, bandwidth.compute = FALSE)))', ["--bandwidth", "0.01"]),
        ("np, npregbw by cv", min(n, 300), 'fitted(np::npreg(np::npregbw(xdat = d$V1, ydat = d$V2)))',
         ["--bandwidth", "cv"]),
    ]:
        x, y = on_line(random, n)
        numpy.savetxt(place + "/xy.csv", numpy.c_[x, y], fmt="%.17g", delimiter=",")
        script = (f'd <- read.csv("{place}/xy.csv", header = FALSE); f <- {call}; t <- system.time(f <- {call})[[3]]; '
                  f'cat(t, "\\n"); write(format(f, digits = 17), "{place}/fit.txt", 1)')
        done = subprocess.run(["Rscript", "-e", script], capture_output=True, text=True)
        if done.returncode != 0:
            print(f"{'R':12} {what}: {done.stderr.strip().splitlines()[0]}")
            continue
        fit = numpy.array([float(line) if line.strip() != "NA" else numpy.nan for line in open(place + "/fit.txt")])
        mine, my_seconds, _ = ours(nwreg, place, x, y, *options)
        say("R", f"{what}, {n} samples", fit, float(done.stdout.split()[-1]), mine, my_seconds)


def main():
    nwreg = os.path.abspath(sys.argv[1])
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 20000
    random = numpy.random.default_rng(1)
    x, y, h = random.random((n, 3)), random.random(n), 0.2
    with tempfile.TemporaryDirectory() as place:
        for peer in (torch_in_space, keops_in_space, statsmodels_regression, scikit_learn_in_reach):
            try:
                peer(nwreg, place, x, y, h)
            except ImportError as error:
                missing(peer.__name__.split("_")[0], error)
        try:
            statsmodels_on_line(nwreg, place, n)
        except ImportError as error:
            missing("statsmodels", error)
        in_r(nwreg, place, n)


if __name__ == "__main__":
    main()
