"""Compares what real file systems leave after a power cut with what the model says (see conform)."""

import argparse
import collections
import ctypes
import fcntl
import itertools
import json
import mmap
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time

libc = ctypes.CDLL(None, use_errno=True)
HERE = os.path.dirname(os.path.abspath(__file__))


def check(result, what):
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), what)
    return result


# --- The calls of a program ---------------------------------------------------------------------


class Worker:
    """Makes the calls of a program in a folder."""

    def __init__(self, folder, log=None):
        self.folder, self.log = folder, log
        self.files = {}
        self.maps = {}

    def path(self, name):
        return self.folder if name == "." else os.path.join(self.folder, name)

    def file(self, name):
        if name not in self.files:
            self.files[name] = os.open(self.path(name), os.O_RDWR)
        return self.files[name]

    def call(self, text):
        name, *words = text.split()
        getattr(self, "do_" + name)(*words)

    def close(self):
        for descriptor in set(self.files.values()):
            os.close(descriptor)
        self.files = {}

    def do_create(self, name):
        self.files[name] = os.open(self.path(name), os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)

    def do_open(self, name, *flags):
        known = {"trunc": os.O_TRUNC, "dsync": os.O_DSYNC, "create": os.O_CREAT}
        self.files[name] = os.open(
            self.path(name), os.O_RDWR | sum(known[flag] for flag in flags), 0o644)

    def do_tmpfile(self, name):
        self.files[name] = os.open(self.folder, os.O_RDWR | os.O_TMPFILE, 0o644)

    def do_linktmp(self, name, target):
        source = f"/proc/self/fd/{self.files[name]}".encode()
        # AT_SYMLINK_FOLLOW
        check(libc.linkat(-100, source, -100, self.path(target).encode(), 0x400), name)

    def do_close(self, name):
        os.close(self.files.pop(name))

    def do_write(self, name, letter, offset, length):
        os.pwrite(self.file(name), letter.encode() * int(length), int(offset))

    def do_dwrite(self, name, letter, offset, length):
        os.pwritev(self.file(name), [letter.encode() * int(length)], int(offset), os.RWF_DSYNC)

    def do_submit(self, name, letter, offset, length):
        # io_setup and io_submit, which the C library does not have.
        setup, submit = (206, 209) if os.uname().machine == "x86_64" else (0, 2)
        queue = ctypes.c_ulong(0)
        check(libc.syscall(setup, 1, ctypes.byref(queue)), name)
        data = ctypes.create_string_buffer(letter.encode() * int(length), int(length))
        request = ctypes.create_string_buffer(struct.pack(
            "QIIHhIQQqQII", 0, 0, 0, 1, 0, self.file(name), ctypes.addressof(data), int(length),
            int(offset), 0, 0, 0))
        one = ctypes.c_void_p(ctypes.addressof(request))
        check(libc.syscall(submit, queue, ctypes.c_long(1), ctypes.byref(one)), name)

    def do_splice(self, name, letter, offset, length):
        ends = os.pipe()
        os.write(ends[1], letter.encode() * int(length))
        os.splice(ends[0], self.file(name), int(length), offset_dst=int(offset))
        os.close(ends[0])
        os.close(ends[1])

    def do_append(self, name, letter, length):
        file = self.file(name)
        os.pwrite(file, letter.encode() * int(length), os.fstat(file).st_size)

    def do_store(self, name, letter, offset, length):
        if name not in self.maps:
            self.maps[name] = mmap.mmap(self.file(name), 0)
        start = int(offset)
        known = self.log and os.path.getsize(self.log)
        self.maps[name][start:start + int(length)] = letter.encode() * int(length)
        # Nothing tells the tracer of a store: it looks every few milliseconds.
        for _ in range(3000):
            if not self.log or os.path.getsize(self.log) > known:
                break
            time.sleep(0.01)

    def do_msync(self, name, offset, length):
        self.maps[name].flush(int(offset), int(length))

    def do_truncate(self, name, length):
        os.ftruncate(self.file(name), int(length))

    def allocate(self, name, mode, offset, length):
        size = ctypes.c_longlong
        check(libc.fallocate(self.file(name), mode, size(int(offset)), size(int(length))), name)

    def do_allocate(self, name, offset, length, keep=""):
        self.allocate(name, 1 if keep else 0, offset, length)

    def do_punch(self, name, offset, length):
        self.allocate(name, 3, offset, length)

    def do_zero(self, name, offset, length):
        self.allocate(name, 0x10, offset, length)

    def do_copy(self, source, target, length):
        os.copy_file_range(self.file(source), self.file(target), int(length))

    def do_sendfile(self, source, target, length):
        os.sendfile(self.file(target), self.file(source), 0, int(length))

    def do_clone(self, source, target):
        fcntl.ioctl(self.file(target), 0x40049409, self.file(source))

    def do_range(self, name, offset, length):
        size = ctypes.c_longlong
        check(libc.sync_file_range(self.file(name), size(int(offset)), size(int(length)), 7), name)

    def do_fsync(self, name):
        os.fsync(self.file(name))

    def do_fdatasync(self, name):
        os.fdatasync(self.file(name))

    def do_fsyncdir(self, name):
        folder = os.open(self.path(name), os.O_RDONLY | os.O_DIRECTORY)
        os.fsync(folder)
        os.close(folder)

    def do_syncfs(self):
        sync_all(self.folder)

    def do_rename(self, source, target):
        os.rename(self.path(source), self.path(target))
        for name in [name for name in self.files if name.startswith(source + "/")]:
            self.files.setdefault(target + name[len(source):], self.files[name])

    def do_exchange(self, first, second):
        names = self.path(first).encode(), self.path(second).encode()
        check(libc.renameat2(-100, names[0], -100, names[1], 2), first)

    def do_chmod(self, name, mode):
        os.chmod(self.path(name), int(mode, 8))

    def do_chown(self, name, owner):
        os.chown(self.path(name), int(owner), -1)

    def do_utime(self, name, seconds):
        os.utime(self.path(name), (int(seconds), int(seconds)))

    def do_setxattr(self, name, attribute, value):
        os.setxattr(self.path(name), attribute, value.encode())

    def do_removexattr(self, name, attribute):
        os.removexattr(self.path(name), attribute)

    def do_link(self, source, target):
        os.link(self.path(source), self.path(target))

    def do_symlink(self, target, name):
        os.symlink(target, self.path(name))

    def do_unlink(self, name):
        os.unlink(self.path(name))

    def do_mkdir(self, name):
        os.mkdir(self.path(name))

    def do_rmdir(self, name):
        os.rmdir(self.path(name))


def sync_all(folder):
    descriptor = os.open(folder, os.O_RDONLY)
    check(libc.syncfs(descriptor), folder)
    os.close(descriptor)


def prepare(folder, before):
    """Makes what is there before a program; nothing of it is synced yet."""
    for name, letter, length in before:
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(letter.encode() * length)


def run_text(data):
    """The bytes as runs: A100 0100 is a hundred A, then a hundred zeros."""
    runs = []
    for byte, group in itertools.groupby(data):
        letter = "0" if byte == 0 else chr(byte) if 65 <= byte <= 90 else "?"
        runs.append(f"{letter}{sum(1 for _ in group)}")
    return "+".join(runs) if runs else "empty"


def attributes_text(path, usual):
    """What of a file's attributes is not as in most: {600,u5,t1000,user.tag=X}."""
    facts = os.stat(path)
    mode = facts.st_mode & 0o7777
    parts = [f"{mode:o}"] if mode != usual else []
    if facts.st_uid != 0:
        parts.append(f"u{facts.st_uid}")
    if usual == 0o644 and facts.st_mtime < 1_500_000_000:
        parts.append(f"t{int(facts.st_mtime)}")
    for name in sorted(name for name in os.listxattr(path) if name.startswith("user.")):
        parts.append(f"{name}={os.getxattr(path, name).decode()}")
    return "{" + ",".join(parts) + "}" if parts else ""


def state(folder):
    """What is below a folder, as `rig crash-states` writes it."""
    found, inodes = {}, {}
    for parent, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(parent, name)
            found[os.path.relpath(path, folder)] = path
    lines = []
    for name in sorted(found, key=str.encode):
        path = found[name]
        if os.path.islink(path):
            lines.append(f"{name}->{os.readlink(path)}")
        elif os.path.isdir(path):
            lines.append(f"{name}/{attributes_text(path, 0o755)}")
        else:
            inode = os.stat(path).st_ino
            if inode in inodes:
                lines.append(f"{name}=={inodes[inode]}")
            else:
                inodes[inode] = name
                with open(path, "rb") as file:
                    lines.append(
                        f"{name}={run_text(file.read())}{attributes_text(path, 0o644)}")
    return " ".join(lines)


# --- Programs -----------------------------------------------------------------------------------

Program = collections.namedtuple("Program", "name before calls")


def programs(only):
    found = []
    with open(os.path.join(HERE, "programs.txt"), encoding="utf-8") as file:
        for line in file:
            if not line.strip() or line.startswith("#"):
                continue
            name, before, calls = [part.strip() for part in line.split("|")]
            there = [] if before == "-" else [item.split() for item in before.split(";")]
            found.append(Program(
                name, [(path, letter, int(length)) for path, letter, length in there],
                [call.strip() for call in calls.split(";")]))
    return [one for one in found if not only or any(word in one.name for word in only)]


# --- Real disks ---------------------------------------------------------------------------------

# Disks that no model claims to be: their differences are listed, and are no faults.
OTHERS = {
    "ext4-fast-commit": "the replay of fast commits is not modelled",
    "ext4-no-journal": "after e2fsck, which removes names of files whose inodes were not written",
}

Disk = collections.namedtuple("Disk", "name kind model make mount bytes check")
DISKS = [
    Disk("ext4", "ext4", "ext4", ["-J", "size=4"], "commit=1", 64 << 20, None),
    Disk("ext4-writeback", "ext4", "ext4", ["-J", "size=4"], "commit=1,data=writeback", 64 << 20,
         None),
    Disk("ext4-fast-commit", "ext4", "ext4", ["-J", "size=8", "-O", "fast_commit"], "commit=1",
         64 << 20, None),
    Disk("ext4-no-journal", "ext4", "posix", ["-O", "^has_journal"], "", 64 << 20,
         ["e2fsck", "-fy"]),
    Disk("xfs", "xfs", "xfs", [], "nouuid", 320 << 20, None),
    Disk("btrfs", "btrfs", "btrfs", [], "commit=1", 256 << 20, None),
]


class Image:
    """A mounted image."""

    def __init__(self, disk, image, folder):
        self.disk, self.image, self.folder = disk, image, folder
        control = os.open("/dev/loop-control", os.O_RDWR)
        backing = os.open(image, os.O_RDWR)
        while True:
            number = fcntl.ioctl(control, 0x4C82)
            self.device = os.open(f"/dev/loop{number}", os.O_RDWR)
            config = bytearray(304)
            struct.pack_into("I", config, 0, backing)
            struct.pack_into("I", config, 8 + 52, 4)
            try:
                fcntl.ioctl(self.device, 0x4C0A, bytes(config))
                break
            except BlockingIOError:
                os.close(self.device)
            except OSError as error:
                os.close(self.device)
                if error.errno != 16:
                    raise
        os.close(backing)
        os.close(control)
        self.name = f"loop{number}"
        try:
            self.mount()
        except OSError:
            os.close(self.device)
            raise

    def mount(self):
        if self.disk.check:
            subprocess.run(
                [*self.disk.check, f"/dev/{self.name}"], stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL, check=False)
            fcntl.ioctl(self.device, 0x1261)
        check(libc.mount(
            f"/dev/{self.name}".encode(), self.folder.encode(), self.disk.kind.encode(), 1024,
            self.disk.mount.encode()), self.image)

    def unmount(self):
        for _ in range(200):
            if libc.umount2(self.folder.encode(), 0) == 0:
                return
            time.sleep(0.01)
        raise OSError(16, "still busy", self.folder)

    def close(self):
        self.unmount()
        os.close(self.device)

    def drop_cache(self):
        fcntl.ioctl(self.device, 0x1261)

    def written(self):
        with open(f"/sys/block/{self.name}/stat", encoding="ascii") as file:
            fields = file.read().split()
        return int(fields[4]), int(fields[11]) if len(fields) > 11 else 0

    def copy(self, target):
        """Copies the image as it is at one moment; returns how much had been written by then."""
        while True:
            before = self.written()
            subprocess.run(["cp", "--sparse=always", self.image, target], check=True)
            if self.written() == before:
                return before


class Pressure:
    """Little memory: the kernel writes data after a tenth of a second, and drops what is written."""

    FOLDER = "/proc/sys/vm/"
    SHORT = {"dirty_writeback_centisecs": "5", "dirty_expire_centisecs": "10"}

    def __init__(self, wanted):
        self.before = {}
        for name in self.SHORT if wanted else []:
            with open(self.FOLDER + name, encoding="ascii") as file:
                self.before[name] = file.read()

    def __enter__(self):
        for name in self.before:
            self.write(name, self.SHORT[name])

    def __exit__(self, *_):
        for name, value in self.before.items():
            self.write(name, value)

    @staticmethod
    def write(name, value):
        with open(Pressure.FOLDER + name, "w", encoding="ascii") as file:
            file.write(value)


class Real:
    """Runs programs on a real disk, and collects the states that cuts leave."""

    def __init__(self, disk, folder, seed, pressure=False):
        self.pressure = pressure
        self.disk, self.random = disk, random.Random(f"{disk.name} {seed}")
        self.image = os.path.join(folder, "image")
        self.copied = os.path.join(folder, "copy")
        self.live, self.dead = os.path.join(folder, "live"), os.path.join(folder, "dead")
        for path in self.live, self.dead:
            os.mkdir(path)
        with open(self.image, "wb") as file:
            file.truncate(disk.bytes)
        maker = {
            "ext4": ["mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", "-E",
                     "nodiscard,lazy_itable_init=1,lazy_journal_init=1"],
            "xfs": ["mkfs.xfs", "-q", "-f", "-K"],
            "btrfs": ["mkfs.btrfs", "-q", "-f", "-K", "-m", "single", "-d", "single"],
        }[disk.kind]
        subprocess.run([*maker, *disk.make, self.image], check=True)
        self.mounted = Image(disk, self.image, self.live)
        self.cuts = self.failed = 0
        self.number = 0

    def close(self):
        self.mounted.close()

    def background(self, program, worker):
        """What the kernel and other programs do by themselves."""
        what = self.random.random()
        if what < 0.4:
            return
        if what < 0.65:
            # Another program's fsync commits the journal.
            with open(os.path.join(self.live, "other"), "ab") as file:
                file.write(b"x")
                file.flush()
                os.fsync(file.fileno())
        elif what < 0.9:
            names = [name for name in os.listdir(self.place(program))]
            if names:
                # By the program's own descriptor: to close another one would count as its close
                # (ext4_release_file).
                file = worker.files.get(self.random.choice(names))
                if file is not None:
                    pages = self.random.choice([1, 1, 2, 4])
                    size = ctypes.c_longlong
                    # Writing begins at a file's start, as the kernel's does; the wait is left out
                    # at times, so that a cut comes before the blocks are converted.
                    libc.sync_file_range(
                        file, size(0), size(4096 * pages), self.random.choice([2, 7]))
        elif what < 0.95:
            sync_all(self.live)
        elif what < 0.97:
            time.sleep(1.3)
        elif self.pressure:
            time.sleep(0.2)
            Pressure.write("drop_caches", "1")

    def place(self, program):
        return os.path.join(self.live, f"{program.name}-{self.number}")

    def round(self, program, found):
        """Runs a program once; a cut after each call adds the state that it leaves."""
        self.number += 1
        folder = self.place(program)
        os.mkdir(folder)
        prepare(folder, program.before)
        sync_all(self.live)
        worker = Worker(folder)
        last = None
        # In a part of the rounds, only after the last call: nothing must settle in between.
        every = self.random.random() < 0.5
        busy = self.random.random() < 0.7
        for done, call in enumerate(program.calls, start=1):
            try:
                worker.call(call)
            except OSError as error:
                if error.errno in (18, 22, 25, 95):
                    break  # This file system has no such call.
                raise
            if every or done == len(program.calls):
                last = self.cut(folder, found[done - 1], last)
            if busy:
                self.background(program, worker)
        else:
            for _ in range(2):
                last = self.cut(folder, found[len(program.calls) - 1], last)
                self.background(program, worker)
            last = self.cut(folder, found[len(program.calls) - 1], last)
            if self.disk.kind != "btrfs" and self.disk.check is None and self.random.random() < 0.2:
                self.shut_down(folder, worker, found[len(program.calls) - 1])
                return
        worker.maps = {}
        worker.close()
        shutil.rmtree(folder)

    def cut(self, folder, found, last):
        written = self.mounted.copy(self.copied)
        self.cuts += 1
        if last is not None and last[0] == written:
            found[last[1]] += 1
            return last
        try:
            dead = Image(self.disk, self.copied, self.dead)
        except OSError:
            # Only the replay of a fast commit has been seen to fail (EUCLEAN).
            self.failed += 1
            return None
        try:
            seen = state(os.path.join(self.dead, os.path.basename(folder)))
        finally:
            dead.close()
        found[seen] += 1
        return written, seen

    def shut_down(self, folder, worker, found):
        """Cuts by the file system's own shutdown, without a last flush of its journal."""
        descriptor = os.open(self.live, os.O_RDONLY)
        fcntl.ioctl(descriptor, 0x8004587D, struct.pack("I", 2))
        os.close(descriptor)
        worker.maps = {}
        worker.close()
        self.mounted.unmount()
        self.mounted.drop_cache()
        self.mounted.mount()
        self.cuts += 1
        found[state(folder)] += 1


# --- The model ----------------------------------------------------------------------------------


def modelled(rig, folder, chosen):
    """The states of the model: by program, number of calls and disk."""
    image = os.path.join(folder, "traced.image")
    with open(image, "wb") as file:
        file.truncate(320 << 20)
    subprocess.run(["mkfs.xfs", "-q", "-f", "-K", image], check=True)
    live = os.path.join(folder, "traced")
    os.mkdir(live)
    # XFS has every call, also FICLONE.
    mounted = Image(next(disk for disk in DISKS if disk.name == "xfs"), image, live)
    logs = []
    try:
        for program in chosen:
            for done in range(1, len(program.calls) + 1):
                place = os.path.join(live, f"{program.name}-{done}")
                os.mkdir(place)
                prepare(place, program.before)
                log = os.path.join(folder, f"log-{program.name}-{done}")
                subprocess.run(
                    [rig, "trace", "--under", place, "--record", log, "--report",
                     os.path.join(folder, "report"), "--", sys.executable,
                     os.path.abspath(__file__), "--calls", "; ".join(program.calls[:done]),
                     "--log", log, place], check=True)
                logs.append((program.name, done, log, place))
        states = {}
        for name, done, log, place in logs:
            output = subprocess.run(
                [rig, "crash-states", log, "--completed-from", place], check=True,
                stdout=subprocess.PIPE, text=True).stdout
            for line in output.splitlines():
                item = json.loads(line)
                states[name, done, item["disk"]] = set(item["states"])
    finally:
        mounted.close()
    return states


# --- The comparison -----------------------------------------------------------------------------


def compare(arguments):
    chosen = programs(arguments.only)
    disks = [disk for disk in DISKS if not arguments.disk or disk.name in arguments.disk]
    base = tempfile.mkdtemp(prefix="rig-conformance-", dir="/dev/shm")
    result = []
    try:
        states = modelled(arguments.rig, base, chosen)
        for disk in disks:
            folder = os.path.join(base, disk.name)
            os.mkdir(folder)
            real = Real(disk, folder, arguments.seed, arguments.pressure)
            found = {
                program.name: [collections.Counter() for _ in program.calls]
                for program in chosen}
            began = time.monotonic()
            try:
                with Pressure(arguments.pressure):
                    for _ in range(arguments.rounds):
                        for program in chosen:
                            real.round(program, found[program.name])
            finally:
                real.close()
            print(f"conformance: {disk.name}: {real.cuts} cuts, "
                  f"{real.failed} that cannot be mounted, in {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
            for program in chosen:
                for done, seen in enumerate(found[program.name], start=1):
                    model = arguments.against or disk.model
                    known = states[program.name, done, model]
                    result.append({
                        "disk": disk.name, "model": model, "program": program.name,
                        "calls": done, "of": len(program.calls), "cuts": sum(seen.values()),
                        "found": dict(seen), "modelled": len(known),
                        "beyond": sorted(set(seen) - known),
                        "unseen": sorted(known - set(seen))})
            shutil.rmtree(folder)
    finally:
        shutil.rmtree(base, ignore_errors=True)
    return result


# Why a state of the model may be possible that no cut has left.
REASONS = {
    "zeros": "A block is the file's, and its data is still under way when the journal is committed. "
             "On a loop device in memory that is a matter of microseconds; a disk takes "
             "milliseconds, and may finish the second of two requests first.",
    "order": "Pages that a file has on the disk are written in any order: writeback goes on where "
             "it stopped (`range_cyclic` in mm/page-writeback.c), and a disk reorders what its "
             "cache holds. The rounds write from the file's start, and an image loses nothing of "
             "a cache.",
    "moment": "It takes a commit or a writeback between two certain calls, or in the middle of "
              "one, which the rounds did not hit.",
}


def reason(item, state):
    if item["program"].startswith(("over-", "a6-", "b7-")) and "empty" not in state:
        return "order"
    if item["model"] == "ext4" and any(
            run.startswith("0") for file in state.split() if "=" in file
            for run in file.split("=")[1].split("+")):
        return "zeros"
    return "moment"


def table(result):
    """The states found of those of the model, by program and disk."""
    disks = list(dict.fromkeys(item["disk"] for item in result))
    lines = ["| program | " + " | ".join(disks) + " |", "|---" * (len(disks) + 1) + "|"]
    cells = collections.defaultdict(lambda: [0, 0, 0])
    for item in result:
        cell = cells[item["program"], item["disk"]]
        cell[0] += len(item["found"]) - len(item["beyond"])
        cell[1] += item["modelled"]
        cell[2] += len(item["beyond"])
    for program in dict.fromkeys(item["program"] for item in result):
        texts = []
        for disk in disks:
            found, known, beyond = cells[program, disk]
            texts.append(f"{found} of {known}" + (f", and {beyond} beyond" if beyond else ""))
        lines.append(f"| {program} | " + " | ".join(texts) + " |")
    return "\n".join(lines)


def report(result):
    """Everything as a document."""
    disks = list(dict.fromkeys(item["disk"] for item in result))
    lines = ["# Real power cuts against the model", "",
             "Made by `sudo harness/conformance/conform --report FILE`; docs/kills.md explains it. "
             "Each program of harness/conformance/programs.txt was cut after each of its calls.", "",
             "| disk | compared with | cuts | different states found | of the model | not in the "
             "model | of the model, never found |", "|---|---|---|---|---|---|---|"]
    for disk in disks:
        items = [item for item in result if item["disk"] == disk]
        lines.append(f"| {disk} | `{items[0]['model']}` | " + " | ".join(str(sum(one)) for one in zip(*[
            (item["cuts"], len(item["found"]), item["modelled"], len(item["beyond"]),
             len(item["unseen"])) for item in items])) + " |")
    lines += ["", "## Found, and not in the model", ""]
    for item in result:
        if item["beyond"]:
            why = explanation(item)
            lines.append(f"- {item['disk']}, {item['program']} after {item['calls']} of "
                         f"{item['of']} calls: `{'`, `'.join(item['beyond'])}`"
                         + (f" ({why})" if why else ""))
    lines += ["", "## States found of those of the model", "", table(result), "",
              "## In the model, and never found", "",
              "After all calls of a program. Torn sectors are left out on both sides: the image of a "
              "disk that loses nothing but its power never has them."]
    for name, text in REASONS.items():
        lines += ["", text, ""]
        for item in result:
            states = [state for state in item["unseen"] if reason(item, state) == name]
            if states and item["calls"] == item["of"] and item["disk"] not in OTHERS \
                    and item["cuts"] > 0:
                shown = "`, `".join(state or "nothing" for state in states[:6])
                more = f" and {len(states) - 6} more" if len(states) > 6 else ""
                lines.append(f"- {item['disk']}, {item['program']}: `{shown}`{more}")
    return "\n".join(lines) + "\n"


def explanation(item):
    """Why a state that the model does not have is no fault; None where it is one."""
    return OTHERS.get(item["disk"])


def main():
    parser = argparse.ArgumentParser(prog="harness/conformance/conform", description=__doc__)
    parser.add_argument("--calls", help=argparse.SUPPRESS)
    parser.add_argument("--log", help=argparse.SUPPRESS)
    parser.add_argument("folder", nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("--rig", help="the program rig")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each program and disk")
    parser.add_argument("--seed", default="1", help="decides what happens beside the programs")
    parser.add_argument("--disk", action="append", choices=[disk.name for disk in DISKS])
    parser.add_argument("--pressure", action="store_true",
                        help="let the kernel write after 0.1 s, on the whole machine")
    parser.add_argument("--against", help="compare with another disk's model")
    parser.add_argument("--only", action="append", help="programs with this in their names")
    parser.add_argument("--json", help="where everything goes that was found")
    parser.add_argument("--report", help="where a document about it goes")
    parser.add_argument("--result", help="a file of --json: nothing is run")
    arguments = parser.parse_args()
    if arguments.calls is not None:
        worker = Worker(arguments.folder, arguments.log)
        for call in arguments.calls.split("; "):
            worker.call(call)
        os._exit(0)
    if arguments.result:
        with open(arguments.result, encoding="utf-8") as file:
            result = json.load(file)
    else:
        result = compare(arguments)
    if arguments.report:
        with open(arguments.report, "w", encoding="utf-8") as file:
            file.write(report(result))
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1)
    print(table(result))
    faults = 0
    for item in result:
        if item["beyond"]:
            why = explanation(item)
            faults += why is None
            print(f"{item['disk']}: {item['program']} after {item['calls']} of {item['of']} calls: "
                  f"{'; '.join(item['beyond'])} is no state of the model {item['model']}"
                  + (f" ({why})" if why else ""), file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
