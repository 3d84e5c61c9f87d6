"""A relay between a client and a server."""
import socket
import threading
import time

# Bytes per second, and the most bytes of one read.
RATE = 60 << 20
PIECE = 64 << 10


class Relay:
    """Passes bytes on between a client and a server, slowly, and counts the answers' bytes."""

    def __init__(self, port):
        self.target = port
        self.passed = 0
        self.most = None
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, PIECE)
            try:
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                client.close()
                continue
            server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, PIECE)
            for pair in ((client, server, False), (server, client, True)):
                threading.Thread(target=self.pump, args=pair, daemon=True).start()

    def pump(self, source, target, is_answer):
        try:
            while piece := source.recv(PIECE):
                while is_answer and self.most is not None and self.passed >= self.most:
                    time.sleep(0.001)
                target.sendall(piece)
                if is_answer:
                    with self.lock:
                        self.passed += len(piece)
                    time.sleep(len(piece) / RATE)
        except OSError:
            pass
        for one in (source, target):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        if is_answer:
            target.close()

    def taken(self):
        with self.lock:
            passed, self.passed = self.passed, 0
        return passed

    def is_read(self):
        """True once the client has read all that was passed on (rx_queue of proc(5)).

        Its sockets are known by the relay's port at their other end: another program's connection
        to elsewhere may have the same port at its own end.
        """
        with open("/proc/net/tcp", encoding="ascii") as table:
            lines = [line.split() for line in table][1:]
        return all(
            int(line[4].split(":")[1], 16) == 0 for line in lines
            if int(line[2].split(":")[1], 16) == self.port)

    def close(self):
        self.listener.close()
