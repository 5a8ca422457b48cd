"""Random HDF5 files of h5py, netCDF4 and PyTables, for hdf5-compare.py; r.seed() says which."""
import ctypes
import math
import random
import re
import struct

import h5py
import numpy as np
from h5py import h5a, h5d, h5f, h5g, h5p, h5s, h5t, h5z

with open("/proc/self/maps") as maps:  # before netCDF4 and PyTables load others
    LIBRARY = ctypes.CDLL(next(w for w in maps.read().split() if re.search(r"/libhdf5(_serial)?[-.][^/]*$", w)))
import netCDF4
import tables

VERSIONS = h5py._hl.files.libver_dict
NAMES = ["x", "größe", "日本", "a b", "b,c", "[0]", "k[1:2]", "q:r", "-", "..c", "long " * 40, "*", "%20", "'"]
WORDS = [b"", b"Smith", "größe".encode(), b" lead and trail  ", b"\xff latin", b"two\nlines", b"x" * 300]
BF16 = h5t.IEEE_F32LE.copy()
BF16.set_fields(15, 7, 8, 0, 7), BF16.set_precision(16), BF16.set_size(2)
FLOATS = [h5t.IEEE_F64LE, h5t.IEEE_F32LE, h5t.IEEE_F16LE, BF16]
BOOL = h5t.py_create(np.dtype(bool), logical=True)
HDF5_FAILS = (OSError, RuntimeError, KeyError, ValueError, TypeError)
r = random.Random()


def chance(probability):
    return r.random() < probability


def call(name, identifier, *values):
    """A function of the library that h5py does not have."""
    if getattr(LIBRARY, name)(ctypes.c_int64(identifier.id), *values) < 0:
        raise ValueError(name)


# Types, and elements of them in memory

def order(t, place):
    t = t.copy()
    t.set_order(place)
    return t


def integer():
    t, size = r.choice([h5t.STD_I64LE, h5t.STD_U64LE]).copy(), r.choice([1, 2, 4, 8] * 12 + [3, 5, 6, 7] * 3 + [12])
    t.set_size(size), t.set_precision(8 * size)
    if chance(0.25):
        t.set_precision(r.randint(1, 8 * size)), t.set_offset(r.randint(0, 8 * size - t.get_precision()))
    return order(t, r.choice([h5t.ORDER_LE, h5t.ORDER_BE]))


def floating():
    place = r.choice([h5t.ORDER_LE, h5t.ORDER_LE, h5t.ORDER_BE])
    if chance(0.8):
        return order(r.choice(FLOATS * 2 + [h5t.NATIVE_LDOUBLE]), place)
    exponent, mantissa, is_wide = r.randint(2, 11), r.randint(1, 52), chance(0.2)
    exponent, mantissa = (exponent + 4, mantissa + 50) if is_wide else (exponent, mantissa)
    bits, sign_first, t = 1 + exponent + mantissa, chance(0.5), h5t.IEEE_F64LE.copy()
    t.set_size(32), t.set_precision(250)
    low = 0 if sign_first else 1
    parts = (low + mantissa, exponent, low, mantissa) if chance(0.8) else (low, exponent, low + exponent, mantissa)
    t.set_fields(bits - 1 if sign_first else 0, *parts), t.set_ebias(2 ** (exponent - 1) - r.choice([1, 1, 1, 0, 2]))
    t.set_precision(bits + r.choice([0, 0, 3])), t.set_size((t.get_precision() + 7) // 8 + r.choice([0, 0, 1]))
    return order(t, place)


def text():
    t = h5t.C_S1.copy()
    t.set_size(h5t.VARIABLE if chance(0.4) else r.randint(1, 12)), t.set_cset(r.randint(0, 1))
    t.set_strpad(r.choice([h5t.STR_NULLTERM, h5t.STR_NULLPAD, h5t.STR_SPACEPAD]))
    return t


def enumeration():
    t = h5t.enum_create(r.choice([h5t.STD_I8LE, h5t.STD_U16BE, h5t.STD_I32LE, h5t.STD_I64BE]))
    for value in r.sample(range(100), r.randint(1, 4)):
        t.enum_insert(b"name %d" % value, value)
    return r.choice([t, BOOL.copy()])


def record(parts, names, gap=0):
    at = 0
    t = h5t.create(h5t.COMPOUND, sum(p.get_size() + gap for p in parts) + gap)
    for name, part in zip(names, parts):
        t.insert(name, at, part)
        at += part.get_size() + r.randint(0, gap)
    return t


def any_type(depth=0):
    opaque = h5t.create(h5t.OPAQUE, 3)
    opaque.set_tag(b"tag")
    if chance(0.03):
        return r.choice([opaque, h5t.vlen_create(integer()), h5t.vlen_create(text()), h5t.STD_REF_OBJ,
                         h5t.STD_REF_DSETREG, h5t.UNIX_D32LE])
    bits, fields = lambda: r.choice([h5t.STD_B8LE, h5t.STD_B16BE, h5t.STD_B64BE]), [b"f0", b"f1", b"f2", b"f3"]
    plain = [integer] * 4 + [floating] * 4 + [text, enumeration, bits]
    nested = [lambda: record([any_type(depth + 1) for _ in range(r.randint(1, 4))], fields, r.choice([0, 5])),
              lambda: record([floating()] * 2, r.choice([[b"r", b"i"], [b"real", b"imag"]])),
              lambda: h5t.array_create(any_type(depth + 2), tuple(r.choices([1, 2, 3], k=r.randint(1, 3))))]
    return r.choice(plain + (nested if depth < 3 else []))()


def pointers(t):
    """Has an element some in memory?"""
    kind = t.get_class()
    if kind == h5t.COMPOUND:
        return any(pointers(t.get_member_type(i)) for i in range(t.get_nmembers()))
    if kind == h5t.ARRAY:
        return pointers(t.get_super())
    return kind in (h5t.VLEN, h5t.REFERENCE) or kind == h5t.STRING and t.is_variable_str()


def element(t, kept):
    kind = t.get_class()

    def pointer(data):
        kept.append(ctypes.create_string_buffer(data + b"\0"))
        return struct.pack("<Q", ctypes.addressof(kept[-1]))

    if kind == h5t.STRING:
        word, size, filler = r.choice(WORDS), t.get_size(), b" " if t.get_strpad() == h5t.STR_SPACEPAD else b"\0"
        return pointer(word) if t.is_variable_str() else word[:size].ljust(size, filler)
    if kind == h5t.VLEN:
        parts = [element(t.get_super(), kept) for _ in range(r.randint(0, 3))]
        return struct.pack("<Q", len(parts)) + pointer(b"".join(parts))
    if kind == h5t.COMPOUND:
        data = bytearray(t.get_size())
        for i in range(t.get_nmembers()):
            part, at = element(t.get_member_type(i), kept), t.get_member_offset(i)
            data[at:at + len(part)] = part
        return bytes(data)
    if kind == h5t.ARRAY:
        return b"".join(element(t.get_super(), kept) for _ in range(math.prod(t.get_array_dims())))
    return bytes(t.get_size()) if kind == h5t.REFERENCE else r.randbytes(t.get_size())


def elements(t, count, kept):
    few = [element(t, kept) for _ in range(r.choice([1, 3, 20]))]
    return np.frombuffer(b"".join(r.choices(few, k=count)) or bytes(1), "u1")


# Files

def attributes(owner, kept):
    for i in range(r.choice([0] * 6 + [1, 2, 12])):
        t, shape = any_type(), r.choice([(), (), (1,), (3,), (2, 2), (0,), None])
        space = h5s.create(h5s.SCALAR if shape == () else h5s.NULL) if not shape else h5s.create_simple(shape)
        try:
            attribute = h5a.create(owner, b"a%d" % i, t, space)
        except HDF5_FAILS:
            continue
        if shape is not None and chance(0.9):
            attribute.write(elements(t, math.prod(shape), kept), t)


def set_filters(creation, t):
    is_number = t.get_class() in (h5t.INTEGER, h5t.FLOAT) and t.get_precision() == 8 * t.get_size() in (8, 16, 32, 64)
    is_whole = is_number and t.get_class() == h5t.INTEGER
    add = {
        "szip": lambda: is_number and creation.set_szip(r.choice([4, 32]), r.choice([2, 8, 32])),
        "nbit": lambda: pointers(t) or creation.set_filter(h5z.FILTER_NBIT, h5z.FLAG_OPTIONAL),
        "scale": lambda: is_whole and creation.set_scaleoffset(h5z.SO_INT, r.randint(0, 16)),
        "gzip": lambda: creation.set_deflate(r.randint(0, 9)),
        "shuffle": creation.set_shuffle,
        "sum": creation.set_fletcher32,
        "lzf": lambda: creation.set_filter(h5z.FILTER_LZF, h5z.FLAG_OPTIONAL),
    }
    # HDF5 damages chunks where one of the first three comes after another filter.
    for name in r.sample(list(add)[:3], r.choice([0, 0, 0, 1])) + r.sample(list(add)[3:], r.choice([0, 0, 1, 2, 3])):
        add[name]()


def dataset(group, name, unlimited, kept):
    t, creation, most, chunk = any_type(), h5p.create(h5p.DATASET_CREATE), None, None
    small = tuple(r.choices([0, 1, 2, 3, 5, 7, 12], [1] + [4] * 6, k=r.choice([0, 1, 1, 2, 2, 3, 4])))
    shape = r.choice([small] * 30 + [(1100,), (9000,)])
    kind = r.choice([h5d.COMPACT, h5d.CONTIGUOUS] + [h5d.CHUNKED] * 3)
    if math.prod(shape) * t.get_size() > 60000 and kind == h5d.COMPACT or not shape:
        kind = h5d.CONTIGUOUS
    creation.set_layout(kind), creation.set_obj_track_times(chance(0.5))
    if kind == h5d.CHUNKED:
        most = tuple(r.choice([unlimited, n, n, n + 3]) for n in shape) if chance(0.6) else shape
        chunk = tuple(r.choice([1, 2, n + 1]) if m == h5s.UNLIMITED else max(1, min(m, r.choice([1, 2, 3, n, n + 2])))
                      for n, m in zip(shape, most))
        creation.set_chunk(chunk), set_filters(creation, t)
        if chance(0.2):
            call("H5Pset_chunk_opts", creation, 2)
    if kind != h5d.COMPACT:
        creation.set_alloc_time(r.choice([h5d.ALLOC_TIME_DEFAULT, h5d.ALLOC_TIME_EARLY, h5d.ALLOC_TIME_LATE]))
    if chance(0.3) and not pointers(t):
        fill = elements(t, 1, kept)
        call("H5Pset_fill_value", creation, ctypes.c_int64(t.id), ctypes.c_void_p(fill.ctypes.data))
    if chance(0.2):
        creation.set_attr_phase_change(0, 0)
    if chance(0.1):
        t = t.copy()
        t.commit(group.id, b"type of " + name)
    space = h5s.create(h5s.NULL) if not chunk and chance(0.1) else h5s.create_simple(shape, most)
    made, way = h5d.create(group.id, name, t, space, creation), r.random()
    attributes(made, kept)
    if space.get_simple_extent_type() == h5s.NULL or not math.prod(shape):
        return
    if way < 0.5:
        made.write(h5s.ALL, h5s.ALL, elements(t, math.prod(shape), kept), t)
    elif chunk and way < 0.9:  # a part: some chunks may have none
        start = tuple(r.randrange(n) for n in shape)
        count = tuple(r.randint(1, n - s) for n, s in zip(shape, start))
        space.select_hyperslab(start, count)
        made.write(h5s.create_simple(count), space, elements(t, math.prod(count), kept), t)
    if chunk and not pointers(t) and chance(0.1):  # a chunk that skips all filters
        place = tuple(r.randrange(n) // c * c for n, c in zip(shape, chunk))
        data = elements(t, math.prod(chunk), kept).tobytes()
        made.write_direct_chunk(place, data, (1 << creation.get_nfilters()) - 1)
    if chunk and chance(0.3):
        made.set_extent(tuple(r.randint(0, n + 3 if m == h5s.UNLIMITED else m) for n, m in zip(shape, most)))


def make_h5py(path):
    creation, access, kept = h5p.create(h5p.FILE_CREATE), h5p.create(h5p.FILE_ACCESS), []
    low, high = sorted(r.choices(sorted(set(VERSIONS.values())), k=2))
    access.set_libver_bounds(low, max(high, VERSIONS["v108"])), access.set_fapl_core(1 << 16, True)
    for change in (lambda: creation.set_userblock(512), lambda: creation.set_sizes(*r.choice([(4, 4), (8, 4), (4, 8)])),
                   lambda: (call("H5Pset_sym_k", creation, 2, 1), call("H5Pset_istore_k", creation, 2)),
                   lambda: (call("H5Pset_shared_mesg_nindexes", creation, 1),
                            call("H5Pset_shared_mesg_index", creation, 0, 0x1F, r.choice([1, 40]))),
                   lambda: creation.set_link_creation_order(r.choice([1, 3]))):
        chance(0.2) and change()
    unlimited = h5s.UNLIMITED if creation.get_sizes()[1] == 8 else 99  # HDF5 does not open what it wrote in 4 bytes
    with h5py.File(h5f.create(path.encode(), h5f.ACC_TRUNC, creation, access)) as file:
        groups = [file]
        for i in range(r.choice([0, 1, 1, 2, 4])):
            properties = h5p.create(h5p.GROUP_CREATE)
            chance(0.3) and call("H5Pset_link_phase_change", properties, 0, 0)
            name = (r.choice(NAMES) + str(i)).encode()
            groups.append(h5py.Group(h5g.create(r.choice(groups).id, name, None, properties)))
        for group in groups:
            attributes(group.id, kept)
        for i in range(r.choice([1, 2, 3, 4] * 5 + [30])):
            try:
                dataset(r.choice(groups), (r.choice(NAMES) + "." + str(i)).encode(), unlimited, kept)
            except HDF5_FAILS:  # of what HDF5 does not write
                pass
        for i in range(r.choice([0, 0, 0, 1, 1, 1, 20])):
            there = ["/"]
            file.visit(there.append)
            target, lost = r.choice(there), [h5py.SoftLink("/no/such"), h5py.ExternalLink("none.h5", "/x")]
            links = [file[target], h5py.SoftLink("/" + target), h5py.ExternalLink("other.h5", "/g/x")]
            r.choice(groups)[f"link {i}"] = r.choice(links * 10 + lost)


def make_netcdf(path):
    with netCDF4.Dataset(path, "w", format=r.choice(["NETCDF4", "NETCDF4_CLASSIC"])) as file:
        is_new = file.data_model == "NETCDF4"
        groups = [file] + ([file.createGroup("g"), file.createGroup("g/inner")] if is_new else [])
        for name, size in {"d0": None, "d1": 3, "d2": 4}.items():
            file.createDimension(name, size)
        for name in r.sample(["v0", "v1", "v2", "d0", "d1", "d2"], r.randint(1, 5)):
            kind = r.choice(["i1", "i2", "i4", "f4", "f8", "S1"] + (["u2", "i8", str] if is_new else []))
            dims = [name] if name[0] == "d" else sorted(r.sample(["d0", "d1", "d2"], r.randint(0, 3)))
            filters = ("zlib", "shuffle", "fletcher32") if dims and kind is not str else ()
            options = {key: chance(0.5) for key in filters}
            variable = (file if name[0] == "d" else r.choice(groups)).createVariable(name, kind, dims, **options)
            variable.set_auto_maskandscale(False)
            variable.setncattr("a0", r.choice(["text", 1.5, np.arange(3, dtype="i2")]))
            shape = tuple(n or r.randint(0, 4) for n in variable.shape)
            if chance(0.8):
                variable[...] = np.full(shape, "größe", object) if kind is str else np.frombuffer(
                    r.randbytes(math.prod(shape) * np.dtype(kind).itemsize), kind).reshape(shape)


def make_pytables(path):
    with tables.open_file(path, "w") as file:
        for i in range(r.randint(1, 4)):
            kind = np.dtype(r.choice(["i1", "u2", ">i4", "f2", "f4", "f8", ">f8", "c8", "c16", "S5", "i8", "?"]))
            data = np.frombuffer(r.randbytes(24 * kind.itemsize), kind).reshape(2, 3, 4)
            data = data.view("u1") > 100 if kind == bool else data
            packed = tables.Filters(r.randint(0, 9), r.choice(["zlib", "bzip2", "blosc", "blosc:lz4", "blosc:zstd"]),
                                    shuffle=chance(0.5), fletcher32=chance(0.3))
            how = r.choice(["array", "carray", "earray", "table"] * 5 + ["vlarray"])
            where = r.choice(["/", f"/g{i}"]), f"n{i}"
            if how == "table":
                inner = [("c", "f4"), ("d", "S3", (2,))]
                fields = np.dtype([("a", kind.newbyteorder("=")), ("b", inner), ("e", "i2", (2, 2))])
                rows = np.zeros(7, fields)
                rows["a"] = data.ravel()[:7]
                file.create_table(*where, rows, filters=packed, createparents=True)
            elif how == "vlarray":
                file.create_vlarray(*where, tables.Atom.from_dtype(kind), createparents=True).append(data.ravel())
            else:
                options = {} if how == "array" else {"filters": packed}
                getattr(file, "create_" + how)(*where, obj=data, createparents=True, **options)
