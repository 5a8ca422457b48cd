#!/usr/bin/python3
"""Random HDF5 files of h5py, netCDF4 and PyTables: tconv must read the bits that the HDF5 library reads, or refuse them
by name. A check by hand, not of tests/run.sh: it needs python3-h5py, python3-netcdf4 and python3-tables.

    tests/support/hdf5-compare.py FIRST COUNT [FOLDER]

makes the files FIRST, FIRST + 1 ... in FOLDER (a temporary one), prints what differs, and at the end counts by kind.
The number of a file is its seed: with COUNT 1 it is made again and stays in FOLDER. BIN is the folder of the tools.
Files are as new as the HDF5 of h5py: run it with the h5py of a distribution, and with the newest of PyPI, in a virtual
environment. The exit code is 1 if there is a difference.
"""
import collections
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import traceback

import h5py
import numpy as np
from h5py import h5a, h5d, h5g, h5l, h5o, h5s, h5t
from random_hdf5 import BOOL, FLOATS, HDF5_FAILS, chance, make_h5py, make_netcdf, make_pytables, order, r, record

TCONV = os.path.join(os.environ.get("BIN", os.path.join(os.path.dirname(__file__), "../../build/bin")), "tconv")
TEXT = h5t.py_create(h5py.string_dtype())
WIDE = {h5t.SGN_NONE: h5t.STD_U64LE.copy(), h5t.SGN_2: h5t.STD_I64LE.copy()}
for wide in WIDE.values():
    wide.set_size(16), wide.set_precision(128)


# What HDF5 reads

Leaf = collections.namedtuple("Leaf", "memory kind dims size")  # the type to read, what becomes of it, axes of arrays


def leaf_of(t, are_flags=False):
    """The numbers or texts that the elements are; None: neither."""
    kind, size = t.get_class(), t.get_size()
    if kind == h5t.INTEGER and size <= 8:
        out = getattr(h5t, f"STD_{'I' if t.get_sign() else 'U'}{ {1: 8, 2: 16, 4: 32}.get(size, 64)}LE")
        # HDF5 takes bits beside the precision for some of the number where just the order of bytes changes.
        return Leaf(out if t.get_precision() == 8 * size else WIDE[t.get_sign()], out, (), out.get_size())
    if kind == h5t.BITFIELD and size in (1, 2, 4, 8):
        out = BOOL if size == 1 and are_flags else getattr(h5t, f"STD_U{8 * size}LE")
        return Leaf(getattr(h5t, f"STD_B{8 * size}LE"), out, (), size)
    if kind == h5t.FLOAT:
        out = next((known for known in FLOATS if known == order(t, h5t.ORDER_LE)), FLOATS[0])
        return Leaf(out, out, (), out.get_size())
    if kind == h5t.ENUM:
        names = {t.get_member_name(i): t.get_member_value(i) for i in range(t.get_nmembers())}
        is_flag = size == 1 and names == {b"FALSE": 0, b"TRUE": 1}
        return Leaf(t, BOOL, (), 1) if is_flag else leaf_of(t.get_super())
    if kind == h5t.STRING:
        return Leaf(TEXT, None, (), 0) if t.is_variable_str() else Leaf(t, t.get_strpad(), (), size)
    if kind == h5t.ARRAY:
        inner, dims = leaf_of(t.get_super()), t.get_array_dims()
        return inner and inner._replace(memory=h5t.array_create(inner.memory, dims), dims=dims + inner.dims)
    if is_complex(t):
        part = leaf_of(t.get_member_type(0))
        return part._replace(memory=record([part.memory] * 2, [t.get_member_name(i) for i in range(2)]), dims=(2,))
    return None


def is_complex(t):
    if t.get_class() != h5t.COMPOUND or t.get_nmembers() != 2 or t.get_member_class(0) != h5t.FLOAT:
        return False
    names, part = [t.get_member_name(i) for i in range(2)], t.get_member_type(0)
    are_named = names in ([b"r", b"i"], [b"real", b"imag"])
    return are_named and part == t.get_member_type(1) and t.get_size() == 2 * part.get_size()


def leaves(t, name, are_flags, path=()):
    """The fields of a record, else the whole: names, and what to read."""
    if t.get_class() != h5t.COMPOUND or is_complex(t):
        leaf = leaf_of(t, are_flags)
        for part in reversed(path if leaf else ()):
            leaf = leaf._replace(memory=record([leaf.memory], [part]))
        yield name, leaf
        return
    for i in range(t.get_nmembers()):
        part = t.get_member_name(i)
        yield from leaves(t.get_member_type(i), name + "/" + part.decode(), are_flags, path + (part,))


def read(identifier, leaf):
    """An array of bytes; None: it has no extent."""
    space = identifier.get_space()
    if space.get_simple_extent_type() == h5s.NULL:
        return None
    size, is_text = leaf.memory.get_size() // max(math.prod(leaf.dims), 1), leaf.kind in (None, *range(3))
    data = np.zeros(space.shape + leaf.dims, "O" if leaf.kind is None else f"V{size}")
    if data.size:
        identifier.read(*([h5s.ALL, h5s.ALL] if isinstance(identifier, h5d.DatasetID) else []), data, mtype=leaf.memory)

    def change(value):
        value = value or b"" if leaf.kind is None else bytes(value)[:leaf.size]
        value = value.split(b"\0")[0] if leaf.kind == h5t.STR_NULLTERM else value
        if leaf.kind == BOOL:
            return bytes([value != b"\0"])
        return value.rstrip(b" " if leaf.kind == h5t.STR_SPACEPAD else b"\0") if is_text else value

    out = np.empty(data.shape, "O")
    out.reshape(-1)[:] = [change(value) for value in data.reshape(-1).tolist()]
    return out


def walk(group, path, seen, found):
    """Datasets by the paths that tconv lists, and why there is none: a lost link, or what HDF5 does not open itself."""
    seen[h5o.get_info(group.id).addr] = path
    for name in sorted(group.id):
        full, kind = (path + "/" if path else "") + name.decode(), group.id.links.get_info(name).type
        try:
            there = h5o.open(group.id, name)
        except HDF5_FAILS:
            found[full] = "HDF5" if kind == h5l.TYPE_HARD else "link"
            continue
        if isinstance(there, h5d.DatasetID):
            found[full] = there
        elif isinstance(there, h5g.GroupID) and kind == h5l.TYPE_HARD and h5o.get_info(there).addr not in seen:
            walk(h5py.Group(there), full, seen, found)


# What tconv reads

class Check:
    def __init__(self, number, folder):
        self.number, self.folder, self.counts = number, folder, collections.Counter()
        self.path, self.out = os.path.join(folder, f"{number}.h5"), os.path.join(folder, f"{number}-out.h5")

    def differ(self, *what):
        self.counts["DIFFERENT"] += 1
        print(f"{self.number}:", *(str(each)[:300] for each in what), flush=True)

    def tconv(self, operand):
        arguments = ["--raw", "--no-history", "--quiet", "--external", self.folder, "-O", "h5", "-f", "-o", self.out]
        done = subprocess.run([TCONV, operand, *arguments], capture_output=True)
        return done.returncode, done.stderr.decode(errors="replace").strip()

    def compare(self, what, there, leaf, out, cuts=()):
        """The dataset or attribute that was written, and what HDF5 reads from the file."""
        theirs, t = read(there, leaf), out.get_type()
        theirs = theirs[cuts] if cuts else theirs
        is_text, ours = t.get_class() == h5t.STRING, read(out, leaf_of(t))
        if leaf.kind != t if type(leaf.kind) not in (int, type(None)) else not is_text:
            self.differ(what, "another type", t.dtype)
        elif theirs is None or ours is None or theirs.shape != ours.shape:
            if theirs is not ours:
                self.differ(what, "another shape", theirs is not None and theirs.shape, ours is not None and ours.shape)
                return
        elif theirs.tolist() != ours.tolist():
            self.differ(what, next((a.hex(), b.hex()) for a, b in zip(theirs.ravel(), ours.ravel()) if a != b))
            return
        self.counts["equal " + what.split(" ")[0]] += 1

    def attributes(self, path, there, out):
        for name in (name for name in there.attrs if re.fullmatch(r"a\d+", name)):
            attribute = h5a.open(there.id, name.encode())
            leaf = leaf_of(attribute.get_type())
            if name in out.attrs:
                self.compare(f"attribute {path}@{name}", attribute, leaf, h5a.open(out.id, name.encode()))
            elif leaf is None or leaf.dims or leaf.kind == FLOATS[0]:  # with fields that are not those of IEEE 754
                self.counts["attributes left out"] += 1
            else:
                self.differ(f"attribute {path}@{name}", "is not there")

    def refused(self, name, code, message):
        """With a message that names it, and no crash."""
        reason = message.split(f"/{name}: ")[-1]
        if code not in (65, 66, 73) or reason == message or re.match("is (a )?damaged", reason):
            self.differ(f"refused {name}", code, message)
        kind = re.sub(r"\d+", "N", re.sub(r"link to .*", "link", re.split("[,;]", reason)[0]))
        self.counts["refused: " + kind] += 1

    def dataset(self, name, there, leaf, out):
        self.compare(f"dataset {name}", there, leaf, out.id)
        if there.get_type().get_class() != h5t.COMPOUND or is_complex(there.get_type()):
            self.attributes(name, h5py.Dataset(there), out)

    def part(self, name, there, leaf):
        cuts = [slice(*sorted((r.randint(0, n), r.randint(0, n))), r.randint(1, 3)) for n in there.shape]
        slab = ",".join(f"{cut.start}:{cut.stop}:{cut.step}" for cut in cuts)
        code, message = self.tconv(f"{self.path}:/{name}[{slab}]")
        if code != 0:
            return self.differ(f"part {name}[{slab}]", message)
        with h5py.File(self.out, "r") as out:
            self.compare(f"part {name}[{slab}]", there, leaf, out[name].id, tuple(cuts))

    def file(self, file):
        groups, found, wanted = {}, {}, {}
        walk(file, "", groups, found)
        for path, there in found.items():
            if isinstance(there, str):
                wanted[path] = there, None
            else:
                are_flags = all(h5a.exists(there, name) for name in (b"CLASS", b"VERSION"))  # of PyTables
                wanted.update((name, (there, leaf)) for name, leaf in leaves(there.get_type(), path, are_flags))
        if any(isinstance(there, str) and there == "HDF5" for there, _ in wanted.values()):
            raise OSError("Unable to open an object (an object)")
        code, message = self.tconv(self.path)
        if code == 0:
            with h5py.File(self.out, "r") as out:
                written = set()
                out.visititems(lambda name, item: written.add(name) if isinstance(item, h5py.Dataset) else None)
                if written != set(wanted) or any(leaf is None for _, leaf in wanted.values()):
                    return self.differ("other datasets", written ^ set(wanted))
                for name, (there, leaf) in wanted.items():
                    self.dataset(name, there, leaf, out[name])
                for path in (path for path in groups.values() if not path or path in out):  # empty ones are not copied
                    self.attributes(path, file[path or "/"], out[path or "/"])
        for name, (there, leaf) in wanted.items():
            if code != 0:
                one, message = self.tconv(f"{self.path}:/{name}[]")
                if one != 0:
                    if leaf:
                        read(there, leaf)  # an error if HDF5 does not read it either
                    self.refused(name, one, message)
                elif leaf is None:
                    self.differ(f"not refused {name}")
                elif leaf:
                    with h5py.File(self.out, "r") as out:
                        self.dataset(name, there, leaf, out[name])
            elif leaf and there.shape and not leaf.dims and chance(0.05):
                self.part(name, there, leaf)

    def run(self):
        r.seed(self.number)
        make = r.choices([make_h5py, make_netcdf, make_pytables], [90, 5, 5])[0]
        what = "HDF5 does not write: "
        try:
            make(self.path)
            self.counts[f"files of {make.__name__[5:]}"] += 1
            what = "HDF5 does not read: "
            with h5py.File(self.path, "r") as file:
                self.file(file)
        except HDF5_FAILS as error:
            if "nable to" not in str(error) and "Can't" not in str(error) and "Error iterating" not in str(error):
                return self.differ(traceback.format_exc())
            self.counts[what + re.sub(r"\d+", "N", re.sub(r".*\(|\).*", "", str(error)))] += 1
        finally:
            for path in (self.out, self.path):
                if os.path.exists(path) and len(sys.argv) > 2 and int(sys.argv[2]) > 1:
                    os.remove(path)


def main(first, count, folder=None):
    counts, number, end = collections.Counter(), int(first), int(first) + int(count)
    with tempfile.TemporaryDirectory() as own:
        with h5py.File(os.path.join(folder or own, "other.h5"), "w") as other:
            other["g/x"] = np.arange(4, dtype="i2")
        while number < end:
            inside, outside = os.pipe()
            child = os.fork()  # HDF5 may crash over what it is asked to write
            if child == 0:
                for each in range(number, min(number + 50, end)):
                    check = Check(each, folder or own)
                    check.run()
                    os.write(outside, json.dumps(check.counts).encode() + b"\n")
                os._exit(0)
            os.close(outside)
            with open(inside) as pipe:
                for line in pipe:
                    counts.update(json.loads(line))
                    number += 1
            if os.waitpid(child, 0)[1] != 0:
                counts["crashes of HDF5 or h5py"] += 1
                number += 1
    for what, n in sorted(counts.items()):
        print(f"{n:9} {what}")
    return counts["DIFFERENT"] > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
