"""Makes the binary files of the corpus again, in the directory above: python3 make-corpus.py (h5py, hdf5plugin,
numpy, safetensors)."""
import os
import shutil
import struct

import h5py
import hdf5plugin
import numpy as np
import safetensors.numpy

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "corpus"))
for version in ("earliest", "v108"):
    with h5py.File(f"hdf5/small-{version}.h5", "w", libver=version) as f:
        f.create_dataset("q", data=np.arange(6, dtype="f4").reshape(2, 3))
        f["q"].attrs["v"] = [1.5, 2.5]
    with h5py.File(f"hdf5/kinds-{version}.h5", "w", libver=version) as f:
        f["q"] = np.arange(6, dtype="f4").reshape(2, 3)
        f["g/b"] = np.array([True, False])
        f["s"] = ["ab", "c"]
        f["q"].attrs["a"] = "text"
        f.attrs["history"] = "h" * 30
        f["g/l"] = h5py.SoftLink("/q")
        f["g/fs"] = np.array([b"ab", b"cde"])
        f["x"] = h5py.ExternalLink("other.h5", "/q")
    with h5py.File(f"hdf5/chunks-{version}.h5", "w", libver=version) as f:
        f.create_dataset("z", data=np.arange(60, dtype="f4").reshape(6, 10), chunks=(2, 4), compression="gzip", shuffle=True)
        f.create_dataset("r", data=np.arange(20, dtype=">i2"), chunks=(6,), maxshape=(None,))
        f.create_dataset("rr", data=np.arange(20, dtype=">i2").reshape(4, 5), chunks=(2, 2), maxshape=(None, None), fletcher32=True)
# Chunks that expand to other sizes than theirs, what later versions store, what lies in other files, attributes here and
# in heaps, strings, groups that are tensors, characters: tests/fixtures/hdf5 has how they are made.
for name in ("short", "later", "elsewhere", "attributes", "dense", "strings", "record-fill", "groups", "stations"):
    shutil.copy(f"../../fixtures/hdf5/{name}.h5", "hdf5")
np.save("npy/fortran.npy", np.asfortranarray(np.arange(6.0).reshape(2, 3)))
np.save("npy/words.npy", np.array(["ab", "cde"]))
with open("npy/two.npy", "wb") as f:
    np.lib.format.write_array(f, np.arange(3, dtype=">i4"), version=(2, 0))
    np.lib.format.write_array(f, np.array(True), version=(3, 0))
safetensors.numpy.save_file({"w": np.ones((2, 3), "f4"), "b": np.arange(4, dtype="i8"), "e": np.zeros((0, 2), "f4")},
                            "safetensors/small.safetensors", metadata={"format": "np"})
# What a dtype that is not read looks like: tests/cli/interoperation/unknown-dtypes.sh has such files, too.
with open("safetensors/unknown-dtype.safetensors", "wb") as f:
    header = b'{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F8_E5M2","shape":[3],"data_offsets":[4,7]}}'
    f.write(len(header).to_bytes(8, "little") + header + bytes(7))
for version in ("earliest", "v108"):
    with h5py.File(f"hdf5/odd-{version}.h5", "w", libver=version) as f:
        f["t"] = np.dtype("f4")
        f.create_dataset("committed", data=np.arange(3.0), dtype=f["t"])
        f.create_dataset("filled", shape=(3,), dtype=h5py.string_dtype(), fillvalue="f")
        f.create_dataset("growing", data=["q", "rr"], maxshape=(None,), dtype=h5py.string_dtype())
        f["records"] = np.zeros(2, dtype=[("a", "f4"), ("b", "i4", (2,))])
        f.create_dataset("colours", data=np.array([1, 2]), dtype=h5py.enum_dtype({"RED": 1, "GREEN": 2}, "i4"))
        f["loop"] = f["/"]
# Every index of chunks, as HDF5 1.10 and 2.0 write it.
numbers = np.arange(30, dtype="i2").reshape(6, 5)
for version in ("v110", "v200"):
    with h5py.File(f"hdf5/indices-{version}.h5", "w", libver=(version, version)) as f:
        for name, chunks, most in (
            ("single", (6, 5), None),
            ("fixed", (2, 2), None),
            ("paged", (1, 1), (6, 200)),
            ("first", (1, 1), (None, 5)),
            ("both", (2, 2), (None, None)),
        ):
            for compression in (None, "lzf"):
                f.create_dataset(f"{name}-{compression}", numbers.shape, "i2", chunks=chunks, maxshape=most, compression=compression)
                f[f"{name}-{compression}"][1:5, 1:3] = numbers[1:5, 1:3]
        f.create_dataset("words", data=["q", "rr"], maxshape=(None,), dtype=h5py.string_dtype(), compression="gzip")
        f["z"] = np.array([1 + 2j])
# The first chunk of each dataset in filters.h5 that went through one filter, as hdf5_filters.cpp takes it.
os.makedirs("hdf5_filters", exist_ok=True)
with h5py.File("../../fixtures/hdf5/filters.h5") as f:
    for name, dataset in f.items():
        filters = dataset.id.get_create_plist()
        if filters.get_nfilters() != 1:
            continue
        number, _, values, _ = filters.get_filter(0)
        _, chunk = dataset.id.read_direct_chunk((0,) * dataset.ndim)
        with open(f"hdf5_filters/{name}", "wb") as out:
            out.write(struct.pack(f"<HB{len(values)}I", number, len(values), *values) + chunk)
