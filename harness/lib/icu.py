#!/usr/bin/python3
"""Makes ICU's library for packages, without the texts of other languages.

  harness/lib/icu.py ARCHIVE LIBRARY

ARCHIVE is Swift's lib_FoundationICU.a, LIBRARY the file to make. Of what Swift's own library of that name
takes, 39 MB, one table is 34: a list of named items, as ICU's ucmndata.h describes it. Left out are the
texts of all languages but English, the converters of old character sets, and the dictionaries that find
words in Thai, Lao, Khmer, Burmese and Chinese. Where ICU has no item for a language it takes that of its
root, as it does for a language that it has never had.

Exit codes: 0 made, 64 wrong arguments, 70 the archive is of another form than this one knows.
"""
import pathlib, re, struct, subprocess, sys, tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from house.script import Options, carry_out, give_up

# In each folder of the table a language has a file: de.res, de_AT.res, de__PHONEBOOK.res.
LANGUAGE = re.compile(r"[a-z]{2,3}(_\w*)?\.res")
ENGLISH = {"en.res", "en_001.res", "en_US.res", "en_US_POSIX.res"}
HEADER, COUNT, ENTRY = struct.Struct("<H"), struct.Struct("<I"), struct.Struct("<II")


def main():
    parser = Options(__doc__)
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("library", type=pathlib.Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        link(given.archive.resolve(), given.library.resolve(), pathlib.Path(work))


def is_kept(name):
    file = name.rpartition("/")[2]
    if file.endswith((".cnv", ".dict")):
        return False
    return file in ENGLISH or not LANGUAGE.fullmatch(file)


def items(table):
    """The header of a table, and its items by name (ICU's icu4c/source/common/ucmndata.h)."""
    header = HEADER.unpack_from(table)[0]
    count, = COUNT.unpack_from(table, header)
    entries = [ENTRY.unpack_from(table, header + COUNT.size + ENTRY.size * place) for place in range(count)]
    starts = [start for _, start in entries]
    if table[12:16] != b"CmnD" or starts != sorted(starts):
        give_up(70, "the table of ICU has another form than the one that is known")
    ends = starts[1:] + [len(table) - header]
    found = {}
    for (name, start), end in zip(entries, ends):
        at = header + name
        found[table[at:table.index(b"\0", at)].decode()] = table[header + start:header + end]
    return table[:header], found


def table_of(header, kept):
    """A table of items, each at a multiple of 16 bytes as ICU's icupkg has it."""
    names = b"".join(name.encode() + b"\0" for name in kept)
    place = COUNT.size + ENTRY.size * len(kept)
    data = -(-(place + len(names)) // 16) * 16
    entries, body = [], bytearray()
    for name, item in kept.items():
        entries.append(ENTRY.pack(place, data + len(body)))
        place += len(name) + 1
        body += item + bytes(-len(item) % 16)
    start = COUNT.pack(len(kept)) + b"".join(entries) + names
    return header + start + bytes(data - len(start)) + bytes(body)


def link(archive, library, work):
    def run(*words):
        return subprocess.run(words, cwd=work, check=True, stdout=subprocess.PIPE, text=True).stdout

    run("ar", "x", archive)
    owner = [path for path in work.glob("*packaged_data*.o")]
    symbols = [line.split()[-1] for path in owner for line in run("nm", "-g", path).splitlines()]
    if len(owner) != 1 or len(symbols) != 1:
        give_up(70, f"{archive} has no table of the name that is known")
    run("objcopy", "-O", "binary", "-j", ".rodata", owner[0], "whole")
    header, found = items((work / "whole").read_bytes())
    kept = {name: item for name, item in found.items() if is_kept(name)}
    (work / "table").write_bytes(table_of(header, kept))
    (work / "table.s").write_text(
        f".section .note.GNU-stack,\"\",%progbits\n.section .rodata\n.globl {symbols[0]}\n"
        f".type {symbols[0]}, %object\n.p2align 4\n{symbols[0]}:\n.incbin \"table\"\n"
        f".size {symbols[0]}, . - {symbols[0]}\n")
    owner[0].unlink()
    run("clang++", "-shared", "-fuse-ld=lld", "-o", library, f"-Wl,-soname,{library.name}",
        "-Wl,-z,relro,-z,now,-z,defs,--build-id=sha1", "table.s", *sorted(path.name for path in work.glob("*.o")))
    print(f"{len(kept)} of {len(found)} items of ICU's table are kept", file=sys.stderr)


carry_out(main)
