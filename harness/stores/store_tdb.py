#!/usr/bin/python3
"""TDB, a transaction per batch: store_tdb.py URL DIR OUTPUT THRESHOLD DURABILITY [nosync]"""
import os, sys
import rig_store, tdb


class Store:
    def open(self, folder):
        flags = tdb.NOSYNC if "nosync" in sys.argv[6:] else tdb.DEFAULT
        self.database = tdb.open(folder + "/store.tdb", tdb_flags=flags, flags=os.O_RDWR | os.O_CREAT)
        self.database.transaction_start()

    def put(self, position, data):
        self.database[b"%020d" % position] = data

    def get(self, position):
        key = b"%020d" % position
        return self.database[key] if key in self.database else None

    def commit(self):
        self.database.transaction_commit()
        self.database.transaction_start()


rig_store.run(Store())
