"""Makes a program that was built with glibc 2.38 load on an older one, where all that it takes from 2.38 are strtol's
C23 twins (`__isoc23_strtol` and the like, which accept `0b` too).

    glibc_relabel.py FILE ...

A twin's name ends in the name of the function that every glibc has, so the symbol is pointed at that end of its own
name, and the file's need of version 2.38 becomes one of 2.2.5, the oldest of x86-64. Any other symbol of 2.38 is an
error. Layouts: elf(5); symbol versions: Linux Standard Base, Symbol Versioning.
"""

import struct
import sys
from pathlib import Path

TWIN = b"__isoc23_"
OLD, NEW = b"GLIBC_2.2.5", b"GLIBC_2.38"
DYNSYM, VERNEED, VERSYM = 11, 0x6FFFFFFE, 0x6FFFFFFF


def version_hash(name):
    """The System V hash of a version's name."""
    value = 0
    for byte in name:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return value


class File:
    """The parts of a 64-bit little-endian ELF file that name what it needs."""

    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01":
            raise SystemExit("not a 64-bit little-endian ELF file")
        self.data = data
        (table,) = self.read("Q", 0x28)
        size, count = self.read("HH", 0x3A)
        headers = [self.read("IIQQQQII", table + index * size) for index in range(count)]
        kinds = {header[1]: header for header in headers}
        self.symbols, self.needs, self.versions = kinds[DYNSYM], kinds[VERNEED], kinds[VERSYM]
        self.names = headers[self.symbols[6]][4]

    def read(self, form, offset):
        """Numbers at an offset."""
        return struct.unpack_from(f"<{form}", self.data, offset)

    def write(self, form, offset, *values):
        """Overwrite numbers at an offset."""
        struct.pack_into(f"<{form}", self.data, offset, *values)

    def name(self, index):
        """A text of the string table."""
        start = self.names + index
        return bytes(self.data[start : self.data.index(0, start)])

    def needed(self):
        """Each needed version: offset of its entry, its index among the symbols' versions, where its name is."""
        offset = self.needs[4]
        while True:
            _, count, _, first, following = self.read("HHIII", offset)
            entry = offset + first
            for _ in range(count):
                _, _, index, name, step = self.read("IHHII", entry)
                yield entry, index, name
                entry += step
            if not following:
                return
            offset += following


def relabel(path):
    """Edit a file in place; what was changed."""
    file = File(bytearray(path.read_bytes()))
    found = {file.name(name): (entry, index, name) for entry, index, name in file.needed()}
    if NEW not in found:
        return []
    entry, index, _ = found[NEW]
    changed = []
    for number in range(file.symbols[5] // 24):
        (version,) = file.read("H", file.versions[4] + 2 * number)
        if version & 0x7FFF != index:
            continue
        symbol = file.symbols[4] + 24 * number
        (name,) = file.read("I", symbol)
        text = file.name(name)
        if not text.startswith(TWIN):
            raise SystemExit(f"{path}: {text.decode()} of {NEW.decode()} has no older twin")
        file.write("I", symbol, name + len(TWIN))
        changed.append(text.decode())
    file.write("I", entry, version_hash(OLD))
    file.write("I", entry + 8, found[OLD][2])
    path.write_bytes(file.data)
    return changed


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        relabel(Path(argument))
