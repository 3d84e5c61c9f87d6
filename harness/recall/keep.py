#!/usr/bin/python3
"""Keeps a video in a library of known.csv, as its manual says: keep.py URL DIR OUTPUT THRESHOLD DURABILITY NAME

Each class is an adapter as docs/stores.md describes it. Adapters that harness/stores has are not here.
"""
import asyncio, base64, os, sys

sys.path.insert(1, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "stores"))
import rig_store


class Batch:
    """An adapter whose library saves everything at a commit."""

    def put(self, position, data):
        self.blocks[str(position)] = base64.b64encode(data).decode()

    def get(self, position):
        found = self.blocks.get(str(position))
        return found and base64.b64decode(found)


class Cachelib:
    def open(self, folder):
        import cachelib
        self.cache = cachelib.FileSystemCache(folder + "/cache", threshold=10_000, default_timeout=0)

    def put(self, position, data):
        self.cache.set(str(position), data) or sys.exit("the cache did not take it")

    def get(self, position):
        return self.cache.get(str(position))

    def commit(self):
        pass


class Beaker:
    def open(self, folder):
        from beaker.cache import Cache
        self.cache, self.batch = Cache("video", type="file", data_dir=folder + "/cache"), {}

    def put(self, position, data):
        self.batch[str(position)] = data

    def get(self, position):
        return self.cache.get(str(position)) if self.cache.has_key(str(position)) else None

    def commit(self):
        for position, data in self.batch.items():
            self.cache.set_value(position, data)
        self.batch = {}


class PersistQueue:
    """Reads the queue once, without task_done(), so that nothing is taken out of it."""

    def open(self, folder):
        self.blocks, queue = {}, self.queue(folder)
        for _ in range(queue.qsize()):
            position, data = queue.get()
            self.blocks[position] = data
        self.writer = self.queue(folder)

    def queue(self, folder):
        import persistqueue
        os.makedirs(folder + "/queue", exist_ok=True)
        return persistqueue.Queue(folder + "/queue", tempdir=folder + "/queue")

    def put(self, position, data):
        self.writer.put((position, data))
        self.blocks[position] = data

    def get(self, position):
        return self.blocks.get(position)

    def commit(self):
        pass


class Pqueue(PersistQueue):
    def queue(self, folder):
        import pqueue
        os.makedirs(folder + "/queue", exist_ok=True)
        return pqueue.Queue(folder + "/queue", tempdir=folder + "/queue")


class Dulwich:
    def open(self, folder):
        from dulwich.repo import Repo
        where = folder + "/repository"
        self.repository = Repo(where) if os.path.exists(where + "/HEAD") else Repo.init_bare(where, mkdir=True)

    def put(self, position, data):
        from dulwich.objects import Blob
        block = Blob.from_string(data)
        self.repository.object_store.add_object(block)
        self.repository.refs[b"refs/blocks/%d" % position] = block.id

    def get(self, position):
        name = b"refs/blocks/%d" % position
        return self.repository[self.repository.refs[name]].data if name in self.repository.refs else None

    def commit(self):
        pass


class Zarr:
    def open(self, folder):
        from zarr.core.buffer import default_buffer_prototype
        from zarr.storage import LocalStore
        self.prototype, self.store = default_buffer_prototype(), LocalStore(folder + "/store")

    def put(self, position, data):
        asyncio.run(self.store.set(f"c/{position}", self.prototype.buffer.from_bytes(data)))

    def get(self, position):
        found = asyncio.run(self.store.get(f"c/{position}", self.prototype))
        if found is not None and len(found) == 0:
            sys.exit(f"the chunk at {position} is empty")  # no array can be read from that
        return found and found.to_bytes()

    def commit(self):
        pass


class Duckdb:
    """As in the issue: an index that is not part of the table, and ON CONFLICT."""

    def open(self, folder):
        import duckdb
        self.database = duckdb.connect(folder + "/store.db")
        self.database.execute("CREATE TABLE IF NOT EXISTS blocks(position BIGINT, data BLOB)")
        self.database.execute("CREATE UNIQUE INDEX IF NOT EXISTS positions ON blocks(position)")
        self.batch = []

    def put(self, position, data):
        self.batch.append((position, data))

    def get(self, position):
        found = self.database.execute("SELECT data FROM blocks WHERE position = ?", [position]).fetchone()
        return found and found[0]

    def commit(self):
        self.database.begin()
        self.database.executemany(
            "INSERT INTO blocks VALUES (?, ?) ON CONFLICT (position) DO UPDATE SET data = excluded.data", self.batch)
        self.database.commit()
        self.batch = []


class PythonTelegramBot(Batch):
    def open(self, folder):
        from telegram.ext import PicklePersistence
        self.persistence = PicklePersistence(folder + "/bot.pickle")
        self.blocks = self.persistence.get_bot_data()

    def commit(self):
        self.persistence.update_bot_data(dict(self.blocks))


class Dictdatabase(Batch):
    def open(self, folder):
        import dictdatabase
        dictdatabase.config.storage_directory = folder + "/store"
        self.database = dictdatabase.at("blocks")
        self.blocks = self.database.read() if self.database.exists() else {}
        self.batch = {}
        if not self.database.exists():
            self.database.create({})

    def put(self, position, data):
        super().put(position, data)
        self.batch[str(position)] = self.blocks[str(position)]

    def commit(self):
        with self.database.session() as (session, blocks):
            blocks.update(self.batch)
            session.write()
        self.batch = {}


class NanoVectordb:
    def open(self, folder):
        import nano_vectordb
        self.database = nano_vectordb.NanoVectorDB(4, storage_file=folder + "/store.json")

    def put(self, position, data):
        import numpy
        self.database.upsert([{"__id__": str(position), "__vector__": numpy.ones(4),
                               "data": base64.b64encode(data).decode()}])

    def get(self, position):
        found = self.database.get([str(position)])
        return base64.b64decode(found[0]["data"]) if found else None

    def commit(self):
        self.database.save()


rig_store.run(globals()["".join(part.title() for part in sys.argv[6].split("-")[:-1])]())
