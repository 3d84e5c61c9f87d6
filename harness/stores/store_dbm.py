#!/usr/bin/python3
"""Python's dbm: store_dbm.py URL DIR OUTPUT THRESHOLD DURABILITY dbm.gnu|dbm.ndbm|dbm.dumb|shelve"""
import importlib, sys
import rig_store


class Store:
    def open(self, folder):
        self.path = folder + "/store"
        self.database = importlib.import_module(sys.argv[6]).open(self.path, "c")

    def put(self, position, data):
        self.database[str(position)] = data

    def get(self, position):
        return self.database.get(str(position))

    def commit(self):
        if hasattr(self.database, "sync"):
            self.database.sync()
        else:  # ndbm: only a close writes everything
            self.database.close()
            self.database = importlib.import_module(sys.argv[6]).open(self.path, "c")

    def close(self):
        self.database.close()


rig_store.run(Store())
