# numpy and h5py read what we write, and we read what they write.
python3 -c 'import h5py, numpy' 2>/dev/null || { echo "python3 has no h5py and numpy" >&2; exit 77; }
tconv 2x3xf32=1,2,3,4,5,6 -o ours.h5:/enc/q
tconv 2x3xf16=1,2,3,4,5,6 -A -o ours.h5:/half
tconv 3xbool=1,0,1 -A -o ours.h5:/flags
tconv str=Smith,Satō -A -o ours.h5:/names
tconv 2x3xf32=1,2,3,4,5,6 -o ours.npy
python3 - <<'PYTHON'
import h5py, numpy as np
x = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
with h5py.File("ours.h5") as f:
    assert f["enc/q"].dtype == np.float32 and (f["enc/q"][:] == x).all()
    assert f["half"].dtype == np.float16 and (f["half"][:] == x).all()
    assert (f["flags"][:] == [True, False, True]).all(), f["flags"][:]
    assert [n.decode() if isinstance(n, bytes) else n for n in f["names"][:]] == ["Smith", "Satō"]
    assert "tconv" in f.attrs["history"]
assert (np.load("ours.npy") == x).all()
with h5py.File("theirs.h5", "w", libver=("v108", "v110")) as f:
    f.create_dataset("a/chunked", data=np.arange(1000.0).reshape(10, 100), chunks=(3, 7), compression="gzip")
    f.create_dataset("big", data=x.astype(">f8"))
    f.create_dataset("half", data=x.astype("f2"))
    f.create_dataset("flags", data=np.array([True, False, True]))
    f.create_dataset("names", data=["Smith", "Satō"])
    f["big"].attrs["units"] = "m"
np.save("fortran.npy", np.asfortranarray(x.astype(">i4")))
np.save("bool.npy", np.array([[True], [False]]))
PYTHON
tconv --list theirs.h5
tdiff theirs.h5:/a/chunked[3,7:9] 2=307,308
tdiff theirs.h5:/big 2x3=1,2,3,4,5,6
tdiff theirs.h5:/half 2x3=1,2,3,4,5,6
tdiff theirs.h5:/flags 3=1,0,1
tdiff theirs.h5:/names str=Smith,Satō
tdiff fortran.npy 2x3=1,2,3,4,5,6
tdiff bool.npy 2x1=1,0
cat theirs.h5 | tdiff -:/big theirs.h5:/big
