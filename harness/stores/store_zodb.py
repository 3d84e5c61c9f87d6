#!/usr/bin/python3
"""ZODB, an object per block, commit() after each batch: store_zodb.py URL DIR OUTPUT THRESHOLD DURABILITY"""
import BTrees.LOBTree, persistent, transaction, ZODB
import rig_store


class Block(persistent.Persistent):
    def __init__(self, data):
        self.data = data


class Store:
    def open(self, folder):
        self.database = ZODB.DB(folder + "/store.fs")
        root = self.database.open().root()
        self.blocks = root.setdefault("blocks", BTrees.LOBTree.LOBTree())

    def put(self, position, data):
        self.blocks[position] = Block(data)

    def get(self, position):
        block = self.blocks.get(position)
        return block and block.data

    def commit(self):
        transaction.commit()

    def close(self):
        self.database.close()


rig_store.run(Store())
