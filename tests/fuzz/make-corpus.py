"""Makes the binary files of the corpus again, in the directory above: python3 make-corpus.py (h5py, numpy, safetensors)."""
import os
import shutil

import h5py
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
# in heaps, strings: tests/fixtures/hdf5 has how they are made.
for name in ("short", "later", "elsewhere", "attributes", "dense", "strings"):
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
