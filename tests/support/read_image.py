#!/usr/bin/env python3
"""Reads the HDF5 files and streams that the tools write, without an HDF5 library: the subset of the HDF5 File Format
Specification 3.0 that suffices, except for datasets with an attribute of 64 KB or more.

    read_image.py < image        prints "NAME DTYPE (EXTENTS) ELEMENT ..." for each dataset, and "@NAME TEXT" for attributes

Messages of a header: 1 shape, 3 type, 8 address and length of the elements, 12 an attribute, 16 address and length of
further messages, 17 addresses of the tree and the heap of a group.
"""
import struct
import sys

UNDEFINED = 2**64 - 1


def plain(text):
    return text.decode(errors="backslashreplace").replace("\0", "\\x00")


class Image:
    def __init__(self, data):
        self.data = data
        if data[:8] != b"\x89HDF\r\n\x1a\n" or data[8] != 0 or data[13:15] != b"\x08\x08":
            raise ValueError("no image")
        self.end = self.number(40, 8)
        if len(data) < self.end:
            raise ValueError("truncated")

    def number(self, at, width):
        return int.from_bytes(self.data[at : at + width], "little")

    def expect(self, at, signature):
        if self.data[at : at + 4] != signature:
            raise ValueError(f"no {signature} at {at}")

    def root(self):
        return self.number(56 + 8, 8)

    def messages(self, header):
        blocks = [(header + 16, self.number(header + 8, 4))]
        for at, length in blocks:
            stop = at + length
            while at + 8 <= stop:
                kind, size = self.number(at, 2), self.number(at + 2, 2)
                at += 8
                if kind == 16:
                    blocks.append((self.number(at, 8), self.number(at + 8, 8)))
                else:
                    yield kind, at
                at += size

    def entries(self, tree):
        self.expect(tree, b"TREE")
        level, used = self.data[tree + 5], self.number(tree + 6, 2)
        for i in range(used):
            child = self.number(tree + 24 + 8 + 16 * i, 8)
            if level > 0:
                yield from self.entries(child)
                continue
            self.expect(child, b"SNOD")
            for k in range(self.number(child + 6, 2)):
                entry = child + 8 + 40 * k
                yield self.number(entry, 8), self.number(entry + 8, 8)

    def walk(self, header, path=""):
        """Yields (path, what the messages of the object say) for each dataset."""
        found = dict(self.messages(header))
        for kind, at in self.messages(header):
            if kind == 12:
                print("@" + self.attribute(path, at))
        if 17 not in found:
            yield path, found
            return
        tree, heap = self.number(found[17], 8), self.number(found[17] + 8, 8)
        self.expect(heap, b"HEAP")
        names = self.number(heap + 24, 8)
        for name, child in self.entries(tree):
            start = names + name
            text = self.data[start : self.data.index(b"\0", start)].decode()
            yield from self.walk(child, path + "/" + text)

    def extents(self, space):
        if self.data[space] == 2 and self.data[space + 3] == 2:
            return [0]
        return [self.number(space + 8 + 8 * i, 8) for i in range(self.data[space + 1])]

    def element(self, kind):
        """The dtype's name, its width, and how struct calls it."""
        group, size = self.data[kind] % 16, self.number(kind + 4, 4)
        if group == 0:
            letter = "i" if self.data[kind + 1] & 8 else "u"
            code = "bhiq"[(size.bit_length() - 1)]
            return letter + str(8 * size), size, code if letter == "i" else code.upper()
        if group == 1:
            if size > 2:
                return "f" + str(8 * size), size, "f" if size == 4 else "d"
            return ("f16", 2, "e") if self.data[kind + 13] == 5 else ("bf16", 2, None)
        return {3: ("padded", size, None), 8: ("bool", 1, "B"), 9: ("str", 16, None)}[group]

    def text(self, at):
        length, collection, wanted = self.number(at, 4), self.number(at + 4, 8), self.number(at + 12, 4)
        if length == 0:
            return ""
        self.expect(collection, b"GCOL")
        item = collection + 16
        while True:
            index, size = self.number(item, 2), self.number(item + 8, 8)
            if index == wanted:
                return plain(self.data[item + 16 : item + 16 + length])
            item += 16 + (size + 7) // 8 * 8

    def values(self, dtype, width, code, at, count):
        places = range(at, at + width * count, width)
        if dtype == "str":
            return [self.text(place) for place in places]
        if dtype == "padded":
            return [plain(self.data[place : place + width].rstrip(b"\0")) for place in places]
        if dtype == "bf16":
            return [struct.unpack("<f", b"\0\0" + self.data[place : place + 2])[0] for place in places]
        return [struct.unpack_from("<" + code, self.data, place)[0] for place in places]

    def attribute(self, path, at):
        sizes = [self.number(at + 2 + 2 * i, 2) for i in range(3)]
        starts = [at + 8]
        for size in sizes:
            starts.append(starts[-1] + (size + 7) // 8 * 8)
        count = 1
        for extent in self.extents(starts[2]):
            count *= extent
        values = self.values(*self.element(starts[1]), starts[3], count)
        name = self.data[starts[0] : starts[0] + sizes[0]].rstrip(b"\0").decode()
        return " ".join([path + ":" + name] + [str(value).rstrip("\n") for value in values])

    def show(self):
        for path, found in self.walk(self.root()):
            dtype, width, code = self.element(found[3])
            extents = self.extents(found[1])
            count = 1
            for extent in extents:
                count *= extent
            layout = found[8]
            if self.data[layout : layout + 2] != b"\x03\x01":
                raise ValueError(path + " is not contiguous")
            at = self.number(layout + 2, 8)
            values = [] if at == UNDEFINED else self.values(dtype, width, code, at, count)
            print(path[1:], dtype, tuple(extents), *values)


data = sys.stdin.buffer.read()
while data:
    image = Image(data)
    image.show()
    data = data[image.end :]
