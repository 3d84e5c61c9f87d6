#!/usr/bin/python3
"""LMDB: store_lmdb.py URL DIR OUTPUT THRESHOLD DURABILITY [nosync]"""
import sys
import lmdb, rig_store


class Store:
    def open(self, folder):
        self.database = lmdb.open(folder + "/store", map_size=1 << 30, sync="nosync" not in sys.argv)
        self.batch = []

    def put(self, position, data):
        self.batch.append((b"%020d" % position, data))

    def get(self, position):
        with self.database.begin() as transaction:
            return transaction.get(b"%020d" % position)

    def commit(self):
        with self.database.begin(write=True) as transaction:
            for key, data in self.batch:
                transaction.put(key, data)
        self.batch = []


rig_store.run(Store())
