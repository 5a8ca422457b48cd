# Replacing one dataset keeps all else of a file that others have written: chunks and filters as they are stored, types,
# links, references, dimension scales, attributes, the block in front. And twice is once. What cannot be copied is
# refused, and the file stays as it was.
python3 -c 'import h5py, numpy' 2>/dev/null || { echo "python3 has no h5py and numpy" >&2; exit 77; }
cat >check.py <<'PYTHON'
import os, subprocess
import h5py, numpy as np
from h5py_files import make, contents

def replace(name, literal="2=1,2", code=0):
    """Replaces y, and returns what tconv says."""
    done = subprocess.run(["tconv", literal, "-f", "-o", name + ":/y"], capture_output=True, text=True)
    assert done.returncode == code, (name, done)
    return done.stderr

def bytes_of(name):
    with open(name, "rb") as file:
        return file.read()

def all_else_is_kept(name, **how):
    make(name, **how)
    before, size = contents(name), os.path.getsize(name)
    replace(name)
    assert contents(name) == before, [pair for pair in zip(before, contents(name)) if pair[0] != pair[1]]
    assert os.path.getsize(name) < size - 70000, (size, os.path.getsize(name))

def twice_is_once(name, literal="2=1,2"):
    replace(name, literal)
    once = bytes_of(name)
    replace(name, literal)
    assert bytes_of(name) == once, name

def is_refused(name, code, message):
    before = bytes_of(name)
    error = replace(name, code=code)
    assert message in error, error
    assert bytes_of(name) == before

for name, how in (("old", {}), ("new", {"libver": "latest"}), ("front", {"userblock_size": 1024}),
                  ("order", {"track_order": True}), ("all", {"libver": "latest", "track_order": True, "userblock_size": 512})):
    all_else_is_kept(name, **how)
    twice_is_once(name)

# A dimension scale that is replaced is the scale again, if it has the length.
with h5py.File("scale", "w") as file:
    file["y"], file["z"] = np.arange(3.0), np.ones((2, 3))
    file["y"].make_scale("width")
    file["z"].dims[1].attach_scale(file["y"])
is_refused("scale", 73, "is the dimension scale of axis 1 of z (2, 3), and the new one has shape (2,)")
twice_is_once("scale", "3=7,8,9")
with h5py.File("scale") as file:
    assert file["z"].dims[1]["width"][:].tolist() == [7, 8, 9]

# A reference to a part of a dataset cannot follow.
with h5py.File("region", "w") as file:
    file["y"] = np.arange(3.0)
    file["to"] = np.array([file["y"].regionref[1:2]], h5py.regionref_dtype)
is_refused("region", 65, "region:/to: cannot be copied: references to regions are not copied; --replace-file")

assert not [name for name in os.listdir() if name.endswith(".tmp")]
PYTHON
PYTHONPATH=$SUPPORT PYTHONDONTWRITEBYTECODE=1 python3 check.py
# A text that is not in its heap, which the library would look for, does no harm.
cp "$FIXTURES/hdf5/record-fill.h5" damaged.h5
chmod u+w damaged.h5
code=0
tconv 1=1 -f -o damaged.h5:/y 2>gone || code=$?
[ $code = 65 ]
cmp damaged.h5 "$FIXTURES/hdf5/record-fill.h5"
