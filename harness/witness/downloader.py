#!/usr/bin/env python3
"""A small downloader that keeps a witness page: downloader.py URL DIR OUTPUT COMMIT.

It saves after every COMMIT bytes (512KB, 1MB, any number, or `disabled` for only at the end), and
goes on where it was when it was killed: DIR/part has the file's first bytes, and DIR/part.length says
how many of them are safe. It takes for granted that the file behind URL stays the same.
"""
import os, re, socket, sys, urllib.parse
import rig_witness

url, folder, output, policy = sys.argv[1:]
part, length = os.path.join(folder, "part"), os.path.join(folder, "part.length")
size = re.fullmatch(r"(\d+)([KMG]?)B?", policy)
size = int(size[1]) << " KMG".index(size[2] or " ") * 10 if size else 1 << 62
witness = rig_witness.Witness()


def ask(start):
    """Takes the head of the answer off the socket, and not a byte more."""
    address = urllib.parse.urlsplit(url)
    connection = socket.create_connection((address.hostname, address.port or 80))
    connection.sendall(f"GET {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\n"
                       f"Range: bytes={start}-\r\nConnection: close\r\n\r\n".encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1) or sys.exit("the server has closed the connection; run me again")
    body = re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
    return connection, int(head.split()[1]), int(body[1]) if body else 0


def commit(file, data, offset):
    """Writes the bytes first, and then, all at once, the word that they are there."""
    witness.enter("committing")
    os.pwrite(file, data, offset)
    with open(length + ".new", "w") as draft:
        draft.write(f"{offset + len(data)}\n")
    os.replace(length + ".new", length)
    witness.commit()


def take(connection, start, end):
    """Takes the body off the socket, and saves it each time that `size` bytes are unsaved."""
    request, data, saved = rig_witness.Request(witness, url, start), bytearray(), start
    file = os.open(part, os.O_RDWR | os.O_CREAT, 0o644)
    while saved + len(data) < end:
        piece = connection.recv(min(65536, size - len(data), end - saved - len(data)))
        request.received(len(piece) or sys.exit("the server has closed the connection; run me again"))
        witness.enter("receiving")
        data += piece
        if len(data) == size or saved + len(data) == end:
            commit(file, data, saved)
            saved, data = saved + len(data), bytearray()
            request.acknowledge(saved - start)
    request.end()


witness.enter("recovering")
start = int(open(length).read()) if os.path.exists(length) else 0
if start == 0 or not os.path.exists(output):
    witness.enter("connecting")
    connection, status, body = ask(start)
    if status == 206 or status == 200 and start == 0:
        take(connection, start, start + body)
    elif status != 416 or start == 0:  # 416: there is no more to give after the first bytes
        sys.exit(f"the server answers {status}")
    witness.enter("completing")
    os.replace(part, output)
witness.enter("idle")
witness.finish()
