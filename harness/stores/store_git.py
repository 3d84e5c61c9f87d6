#!/usr/bin/python3
"""git's loose objects: store_git.py URL DIR OUTPUT THRESHOLD DURABILITY [CORE.FSYNC]"""
import subprocess, sys
import rig_store


class Store:
    def open(self, folder):
        self.git = ["git", "-C", folder, "-c", "core.fsync=" + (sys.argv + ["default"])[6]]
        subprocess.run([*self.git, "init", "--quiet", "--bare", "store.git"], check=True)
        self.git[2] = folder + "/store.git"

    def put(self, position, data):
        name = self.run("hash-object", "-w", "--stdin", input=data).stdout.decode().strip()
        self.run("update-ref", f"refs/blocks/{position}", name)

    def get(self, position):
        name = self.run("for-each-ref", "--format=%(objectname)", f"refs/blocks/{position}").stdout
        return self.run("cat-file", "blob", name.decode().strip()).stdout if name else None

    def commit(self):
        pass  # each update of a reference has returned

    def run(self, *words, check=True, input=b""):
        return subprocess.run([*self.git, *words], check=check, capture_output=True, input=input)


rig_store.run(Store())
