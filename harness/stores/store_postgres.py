#!/usr/bin/python3
"""PostgreSQL, in the worker's folder: store_postgres.py URL DIR OUTPUT THRESHOLD DURABILITY [--NAME=VALUE]...

The server refuses to run as root, so it runs in a namespace in which root is the user postgres. It is the first
process there: the number in a stale postmaster.pid is its own. setsid.c keeps it in the process group.
"""
import glob, os, re, shutil, signal, subprocess, sys, time
import psycopg2, rig_store

PROGRAMS = max(glob.glob("/usr/lib/postgresql/*/bin"))
APART = ["unshare", "--user", "--map-user=postgres", "--map-group=postgres", "--pid", "--fork", "--kill-child"]
SETSID = os.path.dirname(os.path.realpath(__file__)) + "/../../.build/harness/stores/setsid.so"


class Store:
    def open(self, folder):
        data, new, name = folder + "/data", folder + "/data.new", "@rig-" + os.urandom(8).hex()
        if not os.path.exists(data):
            shutil.rmtree(new, ignore_errors=True)
            subprocess.run([*APART, PROGRAMS + "/initdb", "-A", "trust", "--no-locale", "--wal-segsize=1", "-D", new],
                           check=True, stdout=subprocess.DEVNULL)
            os.rename(new, data)
            subprocess.run(["sync", folder], check=True)
        os.chmod(data, 0o700)  # what a torn power cut leaves has no modes
        self.server = subprocess.Popen(
            [*APART, PROGRAMS + "/postgres", "-D", data, "--listen_addresses=", "--unix_socket_directories=" + name,
             "--dynamic_shared_memory_type=mmap", "--log_min_messages=fatal", "--log_line_prefix=",
             "--log_error_verbosity=terse", *sys.argv[6:]],
            env={**os.environ, "LD_PRELOAD": SETSID})
        while not (connection := self.connect(name)):
            time.sleep(0.02)
        self.connection, self.cursor = connection, connection.cursor()
        self.cursor.execute("CREATE TABLE IF NOT EXISTS block (position bigint PRIMARY KEY, bytes bytea)")
        self.commit()

    def connect(self, name):
        try:
            return psycopg2.connect(host=name, user="postgres")
        except psycopg2.OperationalError as error:
            if self.server.poll() is not None:
                sys.exit(1)  # postgres has said why
            if not re.search("refused|is starting up|is not yet accepting", str(error)):
                self.server.kill()
                sys.exit(str(error).strip())

    def put(self, position, data):
        self.cursor.execute("INSERT INTO block VALUES (%s, %s) ON CONFLICT (position) DO UPDATE "
                            "SET bytes = excluded.bytes", (position, data))

    def get(self, position):
        self.cursor.execute("SELECT bytes FROM block WHERE position = %s", (position,))
        row = self.cursor.fetchone()
        return row and bytes(row[0])

    def commit(self):
        self.connection.commit()

    def close(self):
        self.connection.close()
        with open(f"/proc/{self.server.pid}/task/{self.server.pid}/children") as children:
            os.kill(int(children.read()), signal.SIGINT)
        self.server.wait()


rig_store.run(Store())
