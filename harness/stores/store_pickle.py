#!/usr/bin/python3
"""A dict in a pickle: store_pickle.py URL DIR OUTPUT THRESHOLD DURABILITY inplace|rename|fsync"""
import os, pickle, sys
import rig_store


class Store:
    def open(self, folder):
        self.path, self.blocks = folder + "/store.pickle", {}
        if os.path.exists(self.path):
            with open(self.path, "rb") as file:
                self.blocks = pickle.load(file)

    def put(self, position, data):
        self.blocks[position] = data

    def get(self, position):
        return self.blocks.get(position)

    def commit(self):
        path = self.path if sys.argv[6] == "inplace" else self.path + ".new"
        with open(path, "wb") as file:
            pickle.dump(self.blocks, file)
            if sys.argv[6] == "fsync":
                file.flush()
                os.fsync(file.fileno())
        os.replace(path, self.path)


rig_store.run(Store())
