"""The witness page for programs in Python. README.md beside this file says what to call when.
The page is the file that RIG_WITNESS names; where that is not set, every call does nothing. Threads
may share a Witness; a request is one thread's at a time."""
import collections, functools, mmap, os, sys, threading, time

PHASES = ("starting recovering connecting receiving committing "
          "checkpointing evicting cancelling completing idle").split()
MAGIC, VERSION, SLOTS, SIZE = int.from_bytes(b"RIGWITN1", "little"), 3, 1023, 256 + 1023 * 128
AT_VERSION, AT_SLOTS, AT_PHASE = 8, 12, 16  # these have 4 bytes, all others 8
AT_MAGIC, AT_COMMITS, AT_REQUESTS, AT_ENTRIES, AT_HOLD, AT_WAITING = 0, 24, 32, 64, 144, 152
AT_EVICTIONS, AT_SLOT, SLOT_SIZE, RESOURCE, RECORD, RECORD_SIZE = 40, 256, 128, 8, 16, 40
EVICTION = 96


def resource(url):
    """The 64-bit FNV-1a hash by which a slot names its URL."""
    fnv1a = lambda value, byte: (value ^ byte) * 0x100000001B3 % 2**64
    return functools.reduce(fnv1a, url.encode(), 0xCBF29CE484222325)


class Witness:
    def __init__(self):
        """Maps the page and starts it afresh."""
        self.lock, self.ordinal = threading.Lock(), 0
        self.free = collections.deque(range(AT_SLOT, SIZE, SLOT_SIZE))
        path, page = os.environ.get("RIG_WITNESS"), bytearray(SIZE)
        if path and sys.byteorder == "little":
            with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
                file.truncate(SIZE)
                page = mmap.mmap(file.fileno(), SIZE)
        # Views of whole numbers store each in one piece, which struct does not promise.
        self.longs, self.words = memoryview(page).cast("Q"), memoryview(page).cast("I")
        self.longs[AT_MAGIC // 8] = 0
        if self.words[AT_VERSION // 4] != VERSION:  # then something else lies where the hold does
            self.longs[AT_HOLD // 8] = 0
        for at in (AT_COMMITS, AT_REQUESTS, AT_EVICTIONS, AT_WAITING,
                   *range(AT_ENTRIES, AT_HOLD, 8), *self.free):
            self.longs[at // 8] = 0
        self.words[AT_VERSION // 4], self.words[AT_SLOTS // 4] = VERSION, SLOTS
        self.words[AT_PHASE // 4], self.longs[AT_ENTRIES // 8] = 0, 1
        self.longs[AT_MAGIC // 8] = MAGIC

    def enter(self, phase):
        """Says where the worker is, one of PHASES; waits while the rig holds it where it was."""
        is_held = False
        while True:
            with self.lock:
                now, hold, waited = self.words[AT_PHASE // 4], self.longs[AT_HOLD // 8], is_held
                is_held = (hold > 0 and hold & 0xFF == now and phase != PHASES[now]
                           and self.longs[AT_ENTRIES // 8 + now] >= hold >> 8)
                self.longs[AT_WAITING // 8] += is_held - waited
                if not is_held and phase not in (None, PHASES[now]):
                    self.words[AT_PHASE // 4] = PHASES.index(phase)
                    self.longs[AT_ENTRIES // 8 + PHASES.index(phase)] += 1
            if not is_held:
                return
            time.sleep(0.0001)

    def finish(self):
        """Says that the work is over; waits while the rig holds the worker where it is."""
        self.enter(None)

    def commit(self):
        """Says that one more commit has returned."""
        with self.lock:
            self.longs[AT_COMMITS // 8] += 1

    def evict(self, url, start, length):
        """Says, before it is committed, that bytes which were called safe go, to make room."""
        with self.lock:
            number = self.longs[AT_EVICTIONS // 8]
            at = (AT_SLOT + number * SLOT_SIZE + EVICTION) // 8
            for value in (resource(url), start, length, self.ordinal) if number < SLOTS else ():
                self.longs[at], at = value, at + 1
            self.longs[AT_EVICTIONS // 8] = number + 1


class Request:
    def __init__(self, witness, url, start):
        """Begins a request for a URL from its byte `start` on."""
        with witness.lock:
            witness.ordinal += 1
            self.longs, self.free = witness.longs, witness.free
            self.slot = self.free.popleft() if self.free else None
            self.figures = [start, 0, 0, witness.ordinal]
            self.longs[AT_REQUESTS // 8] = witness.ordinal  # also where every slot is taken
            if self.slot:
                self.longs[self.slot // 8] = 0
                self.longs[(self.slot + RESOURCE) // 8] = resource(url)
                self.publish(state=1)

    def received(self, count):
        """Says that so many more bytes of the body have left the socket."""
        self.figures[1] += count
        self.publish(state=1)

    def acknowledge(self, count):
        """Says that the request's first `count` bytes are safe: their commit has returned."""
        self.figures[2] = count
        self.publish(state=1)

    def end(self):
        """Says that the request is over; later calls for it do nothing."""
        self.publish(state=2)
        self.free.extend([self.slot] if self.slot else [])
        self.slot = None

    def publish(self, state):
        if self.slot:
            sequence = self.longs[self.slot // 8] + 1
            record = self.slot + RECORD + sequence % 2 * RECORD_SIZE
            for index, value in enumerate((*self.figures, state)):
                self.longs[record // 8 + index] = value
            self.longs[self.slot // 8] = sequence  # from here on that record is the valid one
