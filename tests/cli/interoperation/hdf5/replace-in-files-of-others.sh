# Replacing one dataset keeps all else of a file that others have written: chunks and filters as they are stored, types,
# links, references, dimension scales, attributes, the block in front. And twice is once. What cannot be copied is
# refused, and the file stays as it was.
python3 -c 'import h5py, numpy' 2>/dev/null || { echo "python3 has no h5py and numpy" >&2; exit 77; }
cat >theirs.py <<'PYTHON'
import h5py, numpy as np

def make(name, **how):
    with h5py.File(name, "w", **how) as file:
        file["y"] = np.arange(10000.0)
        file["z"] = np.arange(6).reshape(2, 3)
        group = file.create_group("g", track_order=True)
        for letter in "qba":
            group[letter] = letter * 3
        chunked = file.create_dataset("chunked", (100, 100), maxshape=(None, 200), chunks=(10, 20), dtype="i2",
                                      compression="gzip", shuffle=True, fletcher32=True, fillvalue=7)
        chunked[:50] = 3
        file.create_dataset("lzf", data=np.arange(1000), compression="lzf", chunks=(100,))
        file.create_dataset("texts", data=np.array(["a", "bcd", ""], object), dtype=h5py.string_dtype(), chunks=(2,),
                            maxshape=(None,), compression="gzip")
        filled = file.create_dataset("filled", (5,), dtype=h5py.string_dtype(), chunks=(2,), fillvalue="zz")
        filled[::2] = "x" * 3000
        lists = file.create_dataset("lists", (3,), dtype=h5py.vlen_dtype("i4"))
        lists[0], lists[2] = [1, 2], [3]
        file["enum"] = np.array([1, 0], h5py.enum_dtype({"a": 0, "b": 1}, basetype="i1"))
        file["complex"], file["flags"] = np.array([1 + 2j]), np.array([True, False])
        file["records"] = np.array([(1, 2.5, b"x")], [("i", "i4"), ("d", "f8"), ("s", "S3")])
        file["type"] = np.dtype([("i", "i4"), ("d", "f8")])
        for of_type in ("first", "second"):
            file.create_dataset(of_type, (3,), dtype=file["type"])
        file["references"] = np.array([file["z"].ref, file["y"].ref, group.ref, file.ref], h5py.ref_dtype)
        file["pairs"] = np.array([(file["z"].ref, 1), (file["y"].ref, 2)], [("to", h5py.ref_dtype), ("i", "i4")])
        file["z"].attrs["to"], file.attrs["to"] = chunked.ref, file["y"].ref
        file["soft"], file["nowhere"] = h5py.SoftLink("/z"), h5py.SoftLink("/no")
        file["elsewhere"] = h5py.ExternalLink("o.h5", "/x")
        file["g/hard"], file["again"] = file["z"], group
        file["null"], file["scalar"], file["é"] = h5py.Empty("f4"), 3.0, 1
        file["width"] = np.arange(3.0)
        file["width"].make_scale("the width")
        file["z"].dims[1].attach_scale(file["width"])
        layout = h5py.VirtualLayout((6,), "i8")
        layout[:3] = h5py.VirtualSource(file["z"])[0]
        file.create_virtual_dataset("virtual", layout, fillvalue=-1)
        for i in range(20):  # too many for a header
            file["z"].attrs["k%02d" % i] = "text %d" % i
        if how.get("libver") == "latest":
            file.attrs["large"] = np.zeros(70000, "u1")
    if "userblock_size" in how:
        with open(name, "r+b") as file:
            file.write(b"in front " * 20)

def value(file, x):
    if isinstance(x, h5py.Reference):
        return file[x].name
    if isinstance(x, (np.ndarray, np.void)) and x.dtype.names:
        return [value(file, x[name]) for name in x.dtype.names]
    if isinstance(x, np.ndarray):
        return x.shape, [value(file, e) for e in x.ravel()] if x.dtype == object else x.tobytes()
    return str(x.dtype) if isinstance(x, h5py.Empty) else repr(x)

def attributes(file, thing):
    return [(name, value(file, x)) for name, x in thing.attrs.items() if name not in ("history", "DIMENSION_LIST")]

def told(name):
    """All that is in a file but y and the history."""
    out = []
    with h5py.File(name) as file:
        with open(name, "rb") as raw:
            out.append(raw.read(file.userblock_size))
        seen = {}
        def walk(group, path):
            out.append((path, attributes(file, group), group.id.get_create_plist().get_link_creation_order()))
            for name in group:
                link, full = group.get(name, getlink=True), path + "/" + name
                if full == "/y":
                    continue
                if not isinstance(link, h5py.HardLink):
                    out.append((full, link.path, getattr(link, "filename", "")))
                    continue
                thing = group[name]
                if thing in seen:
                    out.append((full, "is", seen[thing]))
                    continue
                seen[thing] = full
                if isinstance(thing, h5py.Group):
                    walk(thing, full)
                    continue
                out.append((full, str(thing.dtype), attributes(file, thing)))
                if isinstance(thing, h5py.Dataset):
                    plan = thing.id.get_create_plist()
                    out.append((thing.shape, thing.maxshape, thing.chunks, thing.id.get_type().committed(),
                                [plan.get_filter(i)[::2] for i in range(plan.get_nfilters())], plan.get_layout(),
                                thing.is_virtual and [s.dset_name for s in thing.virtual_sources()],
                                None if thing.dtype.hasobject else repr(thing.fillvalue),
                                [[scale.name for scale in axis.values()] for axis in thing.dims] if thing.shape else 0,
                                thing.shape is not None and value(file, np.asarray(thing[()]))))
        walk(file, "")
    return out
PYTHON
cat >check.py <<'PYTHON'
import os, subprocess
from theirs import make, told

def replace(name, shape="2=1,2", code=0):
    done = subprocess.run(["tconv", shape, "-f", "-o", name + ":/y"], capture_output=True, text=True)
    assert done.returncode == code, (name, done)
    return done.stderr

def bytes_of(name):
    with open(name, "rb") as file:
        return file.read()

for name, how in (("old", {}), ("new", {"libver": "latest"}), ("front", {"userblock_size": 1024}),
                  ("order", {"track_order": True}), ("all", {"libver": "latest", "track_order": True, "userblock_size": 512})):
    make(name, **how)
    before, size = told(name), os.path.getsize(name)
    replace(name)
    assert told(name) == before, [pair for pair in zip(before, told(name)) if pair[0] != pair[1]]
    assert os.path.getsize(name) < size - 70000, (size, os.path.getsize(name))
    once = bytes_of(name)
    replace(name)
    assert bytes_of(name) == once, name

# A scale that is replaced is the scale again, if it has the length.
import h5py, numpy as np
with h5py.File("scale", "w") as file:
    file["y"], file["z"] = np.arange(3.0), np.ones((2, 3))
    file["y"].make_scale("width")
    file["z"].dims[1].attach_scale(file["y"])
before = bytes_of("scale")
assert "is the dimension scale of axis 1 of z (2, 3), and the new one has shape (2,)" in replace("scale", code=73)
assert bytes_of("scale") == before
replace("scale", "3=7,8,9")
once = bytes_of("scale")
replace("scale", "3=7,8,9")
assert bytes_of("scale") == once
with h5py.File("scale") as file:
    assert file["z"].dims[1]["width"][:].tolist() == [7, 8, 9]

# A part of a dataset as a reference cannot follow.
with h5py.File("region", "w") as file:
    file["y"] = np.arange(3.0)
    file["to"] = np.array([file["y"].regionref[1:2]], h5py.regionref_dtype)
before = bytes_of("region")
error = replace("region", code=65)
assert "region:/to: cannot be copied: references to regions are not copied; --replace-file" in error, error
assert bytes_of("region") == before
assert not [name for name in os.listdir() if name.endswith(".tmp")]
PYTHON
python3 check.py
# A text that is not in its heap, which the library would look for, does no harm.
cp "$FIXTURES/hdf5/record-fill.h5" damaged.h5
chmod u+w damaged.h5
code=0
tconv 1=1 -f -o damaged.h5:/y 2>gone || code=$?
[ $code = 65 ]
cmp damaged.h5 "$FIXTURES/hdf5/record-fill.h5"
