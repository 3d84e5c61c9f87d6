#!/usr/bin/python3
"""diskcache: store_diskcache.py URL DIR OUTPUT THRESHOLD DURABILITY"""
import diskcache, rig_store


class Store:
    def open(self, folder):
        self.cache = diskcache.Cache(folder + "/store")

    def put(self, position, data):
        self.cache[position] = data  # has returned, so it is kept

    def get(self, position):
        return self.cache.get(position)

    def commit(self):
        pass


rig_store.run(Store())
