#!/usr/bin/python3
"""Berkeley DB, a plain file: store_bdb.py URL DIR OUTPUT THRESHOLD DURABILITY"""
import bsddb3, rig_store


class Store:
    def open(self, folder):
        self.database = bsddb3.btopen(folder + "/store.db", "c")

    def put(self, position, data):
        self.database[b"%020d" % position] = data

    def get(self, position):
        return self.database.get(b"%020d" % position)

    def commit(self):
        self.database.sync()


rig_store.run(Store())
