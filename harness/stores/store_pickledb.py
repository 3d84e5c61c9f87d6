#!/usr/bin/python3
"""pickleDB 0.9: store_pickledb.py URL DIR OUTPUT THRESHOLD DURABILITY"""
import base64
import pickledb, rig_store


class Store:
    def open(self, folder):
        self.database = pickledb.load(folder + "/store.json", False)

    def put(self, position, data):
        self.database.set(str(position), base64.b64encode(data).decode())

    def get(self, position):
        found = self.database.get(str(position))
        return base64.b64decode(found) if found else None

    def commit(self):
        self.database.dump()


rig_store.run(Store())
