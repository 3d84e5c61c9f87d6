#!/usr/bin/python3
"""sqlitedict: store_sqlitedict.py URL DIR OUTPUT THRESHOLD DURABILITY [nonblocking|autocommit]"""
import sys
import rig_store, sqlitedict


class Store:
    def open(self, folder):
        self.database = sqlitedict.SqliteDict(folder + "/store.sqlite", autocommit="autocommit" in sys.argv)

    def put(self, position, data):
        self.database[position] = data

    def get(self, position):
        return self.database.get(position)

    def commit(self):
        if "autocommit" not in sys.argv:
            self.database.commit(blocking="nonblocking" not in sys.argv)

    def close(self):
        self.database.close()


rig_store.run(Store())
