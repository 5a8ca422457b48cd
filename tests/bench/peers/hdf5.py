"""Do h5py, netCDF4, PyTables, pandas, anndata and mat73 (which reads MATLAB's files) open what tconv compresses and copies?
python3 hdf5.py BUILD/bin (needs also hdf5plugin)."""
import os
import subprocess
import sys
import tempfile

import anndata
import h5py
import hdf5plugin  # registers Zstandard
import mat73
import netCDF4
import numpy as np
import pandas
import tables

os.environ["PATH"] = os.path.abspath(sys.argv[1]) + ":" + os.environ["PATH"]
work = tempfile.TemporaryDirectory()
os.chdir(work.name)


def run(command):
    subprocess.run("tconv " + command, shell=True, check=True)


random = np.random.default_rng(0)
x = random.integers(0, 50, (300, 400, 3)).astype("f4")
noise = random.random((200, 300))
with h5py.File("in.h5", "w") as f:
    f["x"], f["time"], f["noise"] = x, np.arange(300.0), noise

for method in ("gzip", "gzip=9", "zstd", "zstd=19", "lzf"):
    for more in ("", "--shuffle", "--chunks 7,33,2", "--shuffle --chunks 300,1,3"):
        run(f"in.h5 --compress {method} {more} -f -o out.h5")
        with h5py.File("out.h5") as f:
            assert (f["x"][()] == x).all() and (f["noise"][()] == noise).all() and f["x"].chunks, (method, more)

with netCDF4.Dataset("a.nc", "w") as f:
    for name, extent in (("time", None), ("lat", 4), ("lon", 5)):
        f.createDimension(name, extent)
    f.createVariable("time", "f8", ("time",))[:] = np.arange(2000, 2010)
    f.createVariable("lat", "f4", ("lat",))[:] = [60, 20, -20, -60]
    f.createVariable("t2m", "f4", ("time", "lat", "lon"), zlib=True)[:] = np.arange(200).reshape(10, 4, 5)
run("a.nc -O h5 --compress gzip --shuffle -f -o copy.nc")
with netCDF4.Dataset("copy.nc") as f:
    assert f["t2m"].dimensions == ("time", "lat", "lon") and f["lat"].dimensions == ("lat",)
    assert (f["t2m"][:] == np.arange(200).reshape(10, 4, 5)).all()
with netCDF4.Dataset("copy.nc", "a") as f:
    assert f.dimensions["time"].isunlimited() and not f.dimensions["lat"].isunlimited()
    f["t2m"][10:12] = 7
with netCDF4.Dataset("copy.nc") as f:
    assert f["t2m"].shape == (12, 4, 5) and (f["t2m"][10:] == 7).all() and f["t2m"][9, 3, 4] == 199
run("in.h5:/time -f -o named.h5")
run("in.h5:/x --dims time,row,column -A -o named.h5")
with netCDF4.Dataset("named.h5") as f:
    assert f["x"].dimensions == ("time", "row", "column") and (f["x"][:] == x).all()

run("in.h5:/x --compress gzip -f -o array.h5")
with tables.open_file("array.h5") as f:
    assert (f.root.x[:] == x).all()
with tables.open_file("rows.h5", "w") as f:
    f.create_earray("/", "rows", obj=noise)
run("rows.h5 -f -o rows-copy.h5")
with tables.open_file("rows-copy.h5", "a") as f:
    f.root.rows.append(noise[:3])
    assert (f.root.rows[:] == np.concatenate([noise, noise[:3]])).all()
frame = pandas.DataFrame({"a": [1, 2, 3], "b": [0.5, 1, 2]})
frame.to_hdf("frame.h5", key="k", format="fixed")
run("frame.h5 --compress gzip -f -o frame-copy.h5")
assert pandas.read_hdf("frame-copy.h5", "k").equals(frame)
cells = anndata.AnnData(random.random((50, 7)).astype("f4"))
cells.obs["group"] = pandas.Categorical(list("ab") * 25)
cells.write_h5ad("a.h5ad")
run("a.h5ad -O h5 --compress gzip --shuffle -f -o copy.h5ad")
copy = anndata.read_h5ad("copy.h5ad")
assert (copy.X == cells.X).all() and (copy.obs["group"] == cells.obs["group"]).all()
with h5py.File("a.mat", "w", userblock_size=512) as f:
    for name, kind, values in (("m", "double", noise), ("t", "char", np.array([[104], [105]], "u2"))):
        f[name] = values
        f[name].attrs["MATLAB_class"] = np.bytes_(kind)
        if kind == "char":
            f[name].attrs["MATLAB_int_decode"] = np.int32(2)
run("a.mat -O h5 -f -o copy.mat")
copy = mat73.loadmat("copy.mat")
assert (copy["m"] == noise.T).all() and copy["t"] == "hi"
with h5py.File("copy.mat") as f:
    assert f.userblock_size == 512 and f["t"].attrs.get_id("MATLAB_class").get_type().get_size() == 4
print("all are read")
