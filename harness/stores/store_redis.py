#!/usr/bin/python3
"""Redis, in the worker's folder: store_redis.py URL DIR OUTPUT THRESHOLD DURABILITY APPENDFSYNC"""
import socket, subprocess, sys, time
import rig_store


class Store:
    def open(self, folder):
        self.server = subprocess.Popen(
            ["redis-server", "--port", "0", "--unixsocket", "r.sock", "--dir", folder, "--save", "",
             "--appendonly", "yes", "--appendfsync", sys.argv[6]], stdout=subprocess.DEVNULL)
        self.socket = socket.socket(socket.AF_UNIX)
        while self.socket.connect_ex(folder + "/r.sock"):
            if self.server.poll() is not None:
                sys.exit("redis-server does not start")
            time.sleep(0.01)
        self.replies = self.socket.makefile("rb")
        while self.ask("PING") != b"PONG":  # it reads its file first
            time.sleep(0.01)

    def put(self, position, data):
        assert self.ask("SET", b"%d" % position, data) == b"OK"

    def get(self, position):
        return self.ask("GET", b"%d" % position)

    def commit(self):
        pass  # Redis has answered

    def close(self):
        self.ask("SHUTDOWN")
        self.server.wait()

    def ask(self, *words):
        words = [word.encode() if isinstance(word, str) else word for word in words]
        self.socket.sendall(b"*%d\r\n" % len(words) + b"".join(
            b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
        line = self.replies.readline()
        if line.startswith(b"-") and not line.startswith(b"-LOADING"):
            sys.exit(f"Redis answers {line.decode().strip()}")
        if line.startswith(b"$"):
            return self.replies.read(int(line[1:]) + 2)[:-2] if line[1:2] != b"-" else None
        return line[1:].strip()


rig_store.run(Store())
