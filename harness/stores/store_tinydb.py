#!/usr/bin/python3
"""TinyDB: store_tinydb.py URL DIR OUTPUT THRESHOLD DURABILITY"""
import base64
import rig_store, tinydb


class Store:
    def open(self, folder):
        self.database = tinydb.TinyDB(folder + "/store.json")
        self.batch, self.blocks = [], None

    def put(self, position, data):
        self.batch.append({"position": position, "bytes": base64.b64encode(data).decode()})

    def get(self, position):
        if self.blocks is None:  # every look-up of TinyDB reads the whole file
            self.blocks = {block["position"]: block["bytes"] for block in self.database.all()}
        return base64.b64decode(self.blocks[position]) if position in self.blocks else None

    def commit(self):
        self.database.insert_multiple(self.batch)
        self.batch, self.blocks = [], None


rig_store.run(Store())
