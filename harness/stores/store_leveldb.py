#!/usr/bin/python3
"""LevelDB: store_leveldb.py URL DIR OUTPUT THRESHOLD DURABILITY [nosync]"""
import sys
import plyvel, rig_store


class Store:
    def open(self, folder):
        self.database = plyvel.DB(folder + "/store", create_if_missing=True)
        self.batch = []

    def put(self, position, data):
        self.batch.append((b"%020d" % position, data))

    def get(self, position):
        return self.database.get(b"%020d" % position)

    def commit(self):
        with self.database.write_batch(sync="nosync" not in sys.argv) as batch:
            for key, data in self.batch:
                batch.put(key, data)
        self.batch = []


rig_store.run(Store())
