#!/usr/bin/python3
"""SQLite: store_sqlite.py URL DIR OUTPUT THRESHOLD DURABILITY JOURNAL_MODE SYNCHRONOUS"""
import sqlite3, sys
import rig_store


class Store:
    def open(self, folder):
        self.database = sqlite3.connect(folder + "/store.sqlite", isolation_level=None)
        mode, = self.database.execute(f"PRAGMA journal_mode = {sys.argv[6]}").fetchone()
        if mode != sys.argv[6].lower():  # it raises no error
            sys.exit(f"SQLite keeps journal_mode = {mode}")
        self.database.execute(f"PRAGMA synchronous = {sys.argv[7]}")
        self.database.execute("CREATE TABLE IF NOT EXISTS block (position INTEGER PRIMARY KEY, bytes BLOB)")

    def put(self, position, data):
        if not self.database.in_transaction:
            self.database.execute("BEGIN")
        self.database.execute("INSERT OR REPLACE INTO block VALUES (?, ?)", (position, data))

    def get(self, position):
        row = self.database.execute("SELECT bytes FROM block WHERE position = ?", (position,)).fetchone()
        return row and row[0]

    def commit(self):
        self.database.execute("COMMIT")


rig_store.run(Store())
