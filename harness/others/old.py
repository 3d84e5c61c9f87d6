#!/usr/bin/python3
"""Saves and checks by an old version of a library, as its manual says.

    old.py NAME run FOLDER           saves forty things, and says each that is saved
    old.py NAME check FOLDER SAID    0 if all that was said is there; else 1, and the last line says why

The version is that in PYTHONPATH.
"""
import os, subprocess, sys


class Dulwich:
    """Commits in a git repository, of which git itself says whether it is whole.

    Not whether the last commit is there: no version syncs folders, and that is not what is described.
    """

    def run(self, folder):
        from dulwich import porcelain
        repository = (porcelain.open_repo if os.path.exists(folder + "/.git") else porcelain.init)(folder)
        for number in range(1, 41):
            with open(folder + "/text", "a") as file:
                file.write(f"line {number}\n")
            porcelain.add(repository, folder + "/text")
            yield porcelain.commit(repository, b"commit", author=b"rig <rig@localhost>",
                                   committer=b"rig <rig@localhost>").decode()

    def check(self, folder, said):
        asked = ["git", "--git-dir", folder + "/.git", "fsck", "--full", "--no-dangling"]
        done = subprocess.run(asked, capture_output=True, text=True)
        if said and done.returncode:
            yield "git fsck: " + (done.stdout + done.stderr).strip().rpartition("\n")[2]


class Zarr:
    """Rows of an array, each of which is a chunk."""

    def array(self, folder, mode):
        import zarr
        if mode == "a" and not os.path.exists(folder + "/array/zarr.json"):
            return zarr.create_array(folder + "/array", shape=(40, 50_000), chunks=(1, 50_000), dtype="i4",
                                     compressors=None)
        return zarr.open_array(folder + "/array", mode="r+" if mode == "a" else "r")

    def run(self, folder):
        array = self.array(folder, "a")
        for number in range(1, 41):
            array[number - 1] = number
            yield number

    def check(self, folder, said):
        if not os.path.exists(folder + "/array/zarr.json") and not said:
            return  # it had only begun to make the array
        array = self.array(folder, "r")
        for number in range(1, 41):
            row = array[number - 1]  # a torn chunk cannot be read
            wanted = [number] if str(number) in said else [0, number]
            if not any((row == one).all() for one in wanted):
                yield f"row {number} has {sorted(set(row.tolist()))}"


class NanoVectordb:
    """Vectors, all of which are in one file."""

    def database(self, folder):
        from nano_vectordb import NanoVectorDB
        return NanoVectorDB(512, storage_file=folder + "/vectors.json")

    def run(self, folder):
        import numpy
        database = self.database(folder)
        for number in range(1, 41):
            database.upsert([{"__id__": str(number), "__vector__": numpy.full(512, number, numpy.float32)}])
            database.save()
            yield number

    def check(self, folder, said):
        there = {one["__id__"] for one in self.database(folder).get(said)}
        yield from (f"vector {number} is gone" for number in said if number not in there)


class PersistQueue:
    """A queue in files, out of which nothing is taken."""

    def queue(self, folder):
        import persistqueue
        os.makedirs(folder + "/queue", exist_ok=True)
        return persistqueue.Queue(folder + "/queue", tempdir=folder + "/queue")

    def run(self, folder):
        queue = self.queue(folder)
        for number in range(1, 41):
            queue.put(f"{number} " + "." * 2000)
            yield number

    def check(self, folder, said):
        queue = self.queue(folder)
        there = {queue.get(block=False).split()[0] for _ in range(queue.qsize())}
        yield from (f"{number} is no longer in the queue" for number in said if number not in there)


class PythonTelegramBot:
    """What a bot remembers, all of which is in one file."""

    def bot(self, folder):
        from telegram.ext import PicklePersistence
        return PicklePersistence(folder + "/bot.pickle")

    def run(self, folder):
        bot = self.bot(folder)
        remembered = dict(bot.get_bot_data())
        for number in range(1, 41):
            remembered[str(number)] = "." * 5000
            bot.update_bot_data(dict(remembered))
            yield number

    def check(self, folder, said):
        there = self.bot(folder).get_bot_data()
        yield from (f"{number} is forgotten" for number in said if number not in there)


class Dictdatabase:
    """A dictionary in a file of JSON."""

    def database(self, folder):
        import dictdatabase
        dictdatabase.config.storage_directory = folder
        return dictdatabase.at("numbers")

    def run(self, folder):
        database = self.database(folder)
        if not database.exists():
            database.create({})
        for number in range(1, 41):
            with database.session() as (session, numbers):
                numbers[str(number)] = "." * 5000
                session.write()
            yield number

    def check(self, folder, said):
        database = self.database(folder)
        there = (database.read() if database.exists() else None) or {}
        yield from (f"{number} is gone" for number in said if number not in there)


LIBRARIES = {"dulwich": Dulwich, "zarr": Zarr, "nano-vectordb": NanoVectordb, "persist-queue": PersistQueue,
             "python-telegram-bot": PythonTelegramBot, "dictdatabase": Dictdatabase}


def main(name, what, folder, *said):
    library = LIBRARIES[name]()
    if what == "run":
        for line in library.run(folder):
            print(line, flush=True)
        return None
    with open(said[0]) as file:
        return next(iter(library.check(folder, file.read().split())), None)


if not 4 <= len(sys.argv) <= 5 or sys.argv[1] not in LIBRARIES:
    print(__doc__, file=sys.stderr)
    sys.exit(64)
sys.exit(main(*sys.argv[1:]))
