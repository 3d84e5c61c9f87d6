#!/usr/bin/python3
"""A zip archive, one member per block, closed after each batch: store_zipfile.py URL DIR OUTPUT THRESHOLD DURABILITY"""
import os, zipfile
import rig_store


class Store:
    def open(self, folder):
        self.path = folder + "/store.zip"
        # In mode "a" a damaged archive would be taken for no archive, and begun anew.
        if os.path.exists(self.path):
            zipfile.ZipFile(self.path).close()
        self.archive = zipfile.ZipFile(self.path, "a")

    def put(self, position, data):
        self.archive.writestr("%020d" % position, data)

    def get(self, position):
        name = "%020d" % position
        return self.archive.read(name) if name in self.archive.namelist() else None

    def commit(self):
        self.archive.close()
        self.archive = zipfile.ZipFile(self.path, "a")

    def close(self):
        self.archive.close()


rig_store.run(Store())
