"""A downloader into any store, for the rig: the store is yours, the rest is here.

An adapter is a program of some twenty lines: a class with open, put, get and commit, and
`rig_store.run(Store())`. docs/stores.md shows one. Its command line is

    ADAPTER URL DIR OUTPUT THRESHOLD [DURABILITY [SETTING ...]]

It fetches URL, puts the bytes in blocks, commits after every THRESHOLD bytes, and reports bytes as
safe only after commit() has returned. Started again after a kill it reads what the store still has,
goes on behind it, and in the end writes everything from the store to OUTPUT. Standard library only.
"""
import os, re, socket, sys, urllib.parse

sys.path.insert(1, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "witness"))
import rig_witness

BLOCK = 32 << 10  # bytes of one put


def run(store):
    """Does what the command line says; the worker's exit code is 0 when OUTPUT is complete."""
    url, folder, output, threshold = sys.argv[1:5]
    witness = rig_witness.Witness()
    witness.enter("recovering")
    store.open(folder)
    start = found(store)
    witness.enter("connecting")
    connection, status, total = ask(url, start)
    if start < total:
        if status != (206 if start else 200):
            sys.exit(f"the server answers {status} to a request from byte {start} on")
        take(store, witness, connection, url, start, total, size(threshold))
    connection.close()
    witness.enter("completing")
    export(store, total, output)
    close = getattr(store, "close", None)
    if close:
        close()
    witness.enter("idle")
    witness.finish()


def size(text):
    """512KB, 1MB or a number, in bytes; `disabled` commits only at the end."""
    parts = re.fullmatch(r"(\d+)([KMG]?)B?", text)
    return int(parts[1]) << " KMG".index(parts[2] or " ") * 10 if parts else 1 << 62


def found(store):
    """The position up to which the store has blocks without a gap."""
    position = 0
    while block := store.get(position):
        position += len(block)
    return position


def ask(url, start):
    """Takes the head of the answer off the socket, and not a byte more."""
    address = urllib.parse.urlsplit(url)
    connection = socket.create_connection((address.hostname, address.port or 80))
    wanted = f"Range: bytes={start}-\r\n" if start else ""
    connection.sendall(f"GET {address.path} HTTP/1.1\r\nHost: {address.netloc}\r\n{wanted}"
                       "Connection: close\r\n\r\n".encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1) or sys.exit("the server has closed the connection; run me again")
    status = int(head.split()[1])
    total = re.search(rb"content-range: *bytes [^/]*/(\d+)", head, re.IGNORECASE) if start else \
        re.search(rb"content-length: *(\d+)", head, re.IGNORECASE)
    return connection, status, int(total[1]) if total else sys.exit("the server tells no length")


def take(store, witness, connection, url, start, total, threshold):
    """Takes the body off the socket, puts it in blocks, and commits."""
    request, block, position, safe = rig_witness.Request(witness, url, start), bytearray(), start, start
    while position < total:
        piece = connection.recv(min(BLOCK, threshold, total - position) - len(block))
        request.received(len(piece) or sys.exit("the server has closed the connection; run me again"))
        witness.enter("receiving")
        block += piece
        if len(block) < min(BLOCK, threshold, total - position):
            continue
        store.put(position, bytes(block))
        position, block = position + len(block), bytearray()
        if position - safe + BLOCK > threshold or position == total:
            witness.enter("committing")
            store.commit()
            witness.commit()
            safe = position
            request.acknowledge(safe - start)
            witness.enter("receiving")
    request.end()


def export(store, total, output):
    """Writes everything from the store to a file, which appears whole or not at all, and lasts."""
    with open(output + ".new", "wb") as file:
        while file.tell() < total:
            file.write(store.get(file.tell()) or sys.exit(f"nothing is stored at {file.tell()}"))
        file.flush()
        os.fsync(file.fileno())
    os.replace(output + ".new", output)
    folder = os.open(os.path.dirname(output) or ".", os.O_RDONLY)
    os.fsync(folder)  # or a power cut may take its name, and the store would be blamed
    os.close(folder)
