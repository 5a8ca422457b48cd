"""A file with all kinds of things that h5py can write, and what is in such a file, to be compared."""
import h5py
import numpy as np


def make(name, **how):
    """Writes the file; HOW goes to h5py.File: libver, track_order, userblock_size."""
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
    """Something that is equal if and only if the bits are: of a reference, the name of what it refers to."""
    if isinstance(x, h5py.Reference):
        return file[x].name
    if isinstance(x, (np.ndarray, np.void)) and x.dtype.names:
        return [value(file, x[name]) for name in x.dtype.names]
    if isinstance(x, np.ndarray):
        return x.shape, [value(file, e) for e in x.ravel()] if x.dtype == object else x.tobytes()
    return str(x.dtype) if isinstance(x, h5py.Empty) else repr(x)


def attributes(file, thing):
    return [(name, value(file, x)) for name, x in thing.attrs.items() if name not in ("history", "DIMENSION_LIST")]


def contents(name):
    """All that is in a file, but y and the history: links, groups, types, datasets and how they are stored."""
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
