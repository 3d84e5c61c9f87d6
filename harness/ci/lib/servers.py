"""Kills the downloader while it fetches from servers and through proxies that others wrote.

Each server is a process of its own on a free port of this machine, with a configuration in a
temporary folder. Between it and the downloader is a relay that passes bytes on slowly and counts
them, so that a kill comes at a planned byte, and what was fetched again is known.

Exit codes: 0 all held, 1 something did not, 69 a server is missing or does not start.
"""

import argparse
import concurrent.futures
import email.utils
import http.client
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

SIZE = 16 << 20
RATE = 60 << 20
PIECE = 64 << 10
# What a kill may lose: the commit threshold, and what one read of the socket brings.
THRESHOLD = 512 << 10
IN_HAND = 128 << 10
# Heads of answers, and what is fetched again to see whether it is the same version.
HEADS = 256 << 10
KILLS = 3
PATIENCE = 60.0


class Unavailable(Exception):
    """A server is missing, or does not start."""


def program(name):
    path = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if not path:
        raise Unavailable(f"{name} is not installed; run harness/setup --test-tools")
    return path


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(what, holds, patience=PATIENCE):
    end = time.monotonic() + patience
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(f"never happened: {what}")
        time.sleep(0.01)


class Server:
    """A server's process, in a group of its own."""

    def __init__(self, folder, command, port, environment=None):
        self.port = port
        self.log = os.path.join(folder, "log-of-" + os.path.basename(command[0]))
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder,
                env=dict(os.environ, **(environment or {})), start_new_session=True)
        try:
            wait_until(f"{command[0]} listens", self.listens)
        except AssertionError as error:
            self.end()
            raise Unavailable(f"{error}: {self.said()}") from error

    def listens(self):
        if self.process.poll() is not None:
            raise Unavailable(f"{self.process.args[0]} ended: {self.said()}")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def said(self):
        with open(self.log, "rb") as log:
            return log.read()[-600:].decode(errors="replace")

    def end(self):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def nginx(folder, root, port):
    conf = write(folder, "nginx.conf", f"""
        daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr;
        events {{ worker_connections 64; }}
        http {{
            access_log off; types {{ video/mp4 mp4; }}
            client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2;
            fastcgi_temp_path {folder}/t3; uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
            server {{ listen 127.0.0.1:{port}; root {root}; }}
        }}""")
    return Server(folder, [program("nginx"), "-e", "stderr", "-p", folder, "-c", conf], port)


def apache(folder, root, port):
    modules = "/usr/lib/apache2/modules"
    conf = write(folder, "apache.conf", f"""
        ServerRoot {folder}
        ServerName 127.0.0.1
        Listen 127.0.0.1:{port}
        PidFile {folder}/apache.pid
        ErrorLog /dev/stderr
        LoadModule mpm_event_module {modules}/mod_mpm_event.so
        LoadModule authz_core_module {modules}/mod_authz_core.so
        LoadModule mime_module {modules}/mod_mime.so
        TypesConfig /dev/null
        AddType video/mp4 .mp4
        User nobody
        Group nogroup
        DefaultRuntimeDir {folder}
        Mutex posixsem
        DocumentRoot {root}
        <Directory {root}>
            Require all granted
        </Directory>
        """)
    return Server(folder, [program("apache2"), "-d", folder, "-f", conf, "-DFOREGROUND"], port)


def lighttpd(folder, root, port):
    conf = write(folder, "lighttpd.conf", f"""
        server.document-root = "{root}"
        server.bind = "127.0.0.1"
        server.port = {port}
        mimetype.assign = (".mp4" => "video/mp4")
        """)
    return Server(folder, [program("lighttpd"), "-D", "-f", conf], port)


def caddy(folder, root, port):
    return Server(
        folder,
        [program("caddy"), "file-server", "--listen", f"127.0.0.1:{port}", "--root", root], port,
        {"HOME": folder, "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder})


def http_server(folder, root, port):
    return Server(
        folder,
        [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory",
         root], port)


def squid(folder, _, port):
    conf = write(folder, "squid.conf", f"""
        http_port 127.0.0.1:{port}
        http_access allow all
        visible_hostname localhost
        cache_mem 64 MB
        maximum_object_size_in_memory 32 MB
        pid_filename none
        access_log none
        cache_log /dev/null
        cache_store_log none
        coredump_dir {folder}
        pinger_enable off
        """)
    return Server(folder, [program("squid"), "-N", "-f", conf], port)


def varnish(folder, origin, port):
    return Server(
        folder,
        [program("varnishd"), "-F", "-j", "none", "-n", os.path.join(folder, "varnish"), "-a",
         f"127.0.0.1:{port}", "-b", f"127.0.0.1:{origin}", "-s", "malloc,256m"], port)


# What stands between the downloader and the file; the last three only pass on what nginx serves.
ORIGINS = {
    "nginx": nginx, "apache": apache, "lighttpd": lighttpd, "caddy": caddy,
    "http.server": http_server,
}
BETWEEN = {"squid": squid, "varnish": varnish}
# It knows no ranges: each launch begins at the first byte, and keeps what it had nevertheless.
WITHOUT_RANGES = {"http.server"}
# They keep a copy of their own, and may go on with the version that was there before.
CACHES = set(BETWEEN)


class Relay:
    """Passes bytes on between the downloader and a server, slowly, and counts the answers' bytes."""

    def __init__(self, port):
        self.target = port
        self.passed = 0
        self.most = None
        self.clients = set()
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
            self.clients.add(client.getpeername()[1])
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
        """True once the downloader has read all that was passed on (rx_queue of proc(5))."""
        with open("/proc/net/tcp", encoding="ascii") as table:
            lines = [line.split() for line in table][1:]
        return all(
            int(line[4].split(":")[1], 16) == 0 for line in lines
            if int(line[1].split(":")[1], 16) in self.clients)

    def close(self):
        self.listener.close()


class Video:
    """The file at the server, of which there are two versions of the same length."""

    def __init__(self, root, name, chance):
        self.path = os.path.join(root, name)
        head = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom"
        self.versions = [head + chance.randbytes(SIZE - len(head)) for _ in range(2)]
        self.put(0)

    def put(self, number):
        fresh = self.path + ".new"
        with open(fresh, "wb") as file:
            file.write(self.versions[number])
        os.chmod(fresh, 0o644)
        # Neither was changed just now: a date of the same second proves nothing.
        then = time.time() - 7200 + 3600 * number
        os.utime(fresh, (then, then))
        os.replace(fresh, self.path)


class Trial:
    """One video, fetched or played by launches that are killed."""

    def __init__(self, downloader, name, mode, storage, replaced, place, chance):
        self.downloader, self.server, self.mode = downloader, name, mode
        self.storage, self.replaced, self.chance = storage, replaced, chance
        self.folder, self.root, self.port = place
        self.title = f"{name}, {mode}, {storage}" + (", another version" if replaced else "")
        self.file = f"{mode}-{storage}-{int(replaced)}.mp4"
        self.cache = os.path.join(self.folder, "cache-" + self.file)
        self.environment = {
            key: value for key, value in os.environ.items() if not key.lower().endswith("_proxy")}

    def fail(self, text):
        raise AssertionError(f"{self.title}: {text}")

    def run(self):
        video = Video(self.root, self.file, self.chance)
        self.relay = Relay(self.port)
        try:
            port = self.relay.port
            if self.server == "squid":
                self.environment["http_proxy"] = f"http://127.0.0.1:{port}"
                port = self.origin
            self.url = f"http://127.0.0.1:{port}/{self.file}"
            self.kill_and_resume(video)
        finally:
            self.relay.close()
        shutil.rmtree(self.cache, ignore_errors=True)
        os.remove(video.path)

    def kill_and_resume(self, video):
        kept = 0
        for number in range(KILLS):
            self.relay.taken()
            # Ever later, so that each launch but the first has something to go on from.
            goal = int((1 + self.chance.random()) * (SIZE - kept) / (KILLS + 2 - number))
            if self.server in WITHOUT_RANGES:
                goal += kept
            # Some kills come while bytes flow; at the others, what was taken is known.
            is_held = self.chance.random() < 0.5
            self.relay.most = goal if is_held else None
            self.launch(until=goal)
            self.relay.most = None
            passed, now = self.relay.taken(), self.cached()
            new = passed - (kept if self.server in WITHOUT_RANGES else 0)
            if now < kept:
                self.fail(f"kill {number + 1} took {kept - now} bytes of what was kept")
            if is_held and now - kept < new - THRESHOLD - IN_HAND:
                self.fail(f"kill {number + 1} lost {new - now + kept} bytes")
            kept = now
        if kept >= SIZE:
            self.fail("it was complete before the last launch: no kill came in the middle")
        if self.replaced:
            video.put(1)
            wait_until(f"{self.server} knows the other version", self.knows_the_other)
        said = self.launch()
        passed = self.relay.taken()
        whole = self.result()
        wanted = video.versions if self.replaced and self.server in CACHES else [
            video.versions[int(self.replaced)]]
        if whole not in wanted:
            self.fail(f"the video is wrong: {self.describe(whole, video)}; {said}")
        again = 0 if self.server in WITHOUT_RANGES else kept
        if not self.replaced and passed > SIZE - again + HEADS:
            self.fail(f"{passed - SIZE + again} bytes of what was kept were fetched again")
        if self.cached() != SIZE:
            self.fail(f"only {self.cached()} bytes are cached in the end")

    def knows_the_other(self):
        """Some servers look at a file once a second only."""
        if self.server in CACHES:
            return True
        asking = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            asking.request("HEAD", f"/{self.file}")
            date = asking.getresponse().getheader("Last-Modified")
            return email.utils.parsedate_to_datetime(date).timestamp() > time.time() - 5400
        finally:
            asking.close()

    @staticmethod
    def describe(whole, video):
        """Which version each 64 KB of a wrong video are of, as few as tell it."""
        runs = []
        for at in range(0, max(len(whole), 1), PIECE):
            piece = whole[at:at + PIECE]
            kinds = [str(n + 1) for n, one in enumerate(video.versions) if one[at:at + PIECE] == piece]
            kind = kinds[0] if kinds else "?"
            if not runs or runs[-1][0] != kind:
                runs.append((kind, at))
        return f"{len(whole)} bytes, version at offset: {runs[:6]}"

    def start(self, *words):
        return subprocess.Popen(
            [self.downloader, *words, "--cache", self.cache], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)

    def launch(self, until=None):
        return (self.fetch if self.mode == "fetch" else self.play)(until)

    def fetch(self, until):
        process = self.start("fetch", self.url, "--quiet", "--storage", self.storage)
        if until is not None:
            self.kill(process, until)
            return ""
        said = process.communicate(timeout=PATIENCE)[1].decode(errors="replace")
        if process.returncode != 0:
            self.fail(f"the last launch ended with {process.returncode}: {said}")
        return said

    def kill(self, process, until):
        wait_until(
            f"{self.title}: {until} bytes are passed on",
            lambda: self.relay.passed >= until or process.poll() is not None)
        if self.relay.most is not None:
            wait_until(f"{self.title}: what is passed on is read", self.relay.is_read)
        process.kill()
        said = process.communicate()[1].decode(errors="replace")
        if process.returncode != -signal.SIGKILL:
            self.fail(f"it ended with {process.returncode} before it was killed: {said}")

    def play(self, until):
        process = self.start("proxy", "--storage", self.storage, "--quiet")
        try:
            address = urllib.parse.urlsplit(process.stdout.readline().decode().strip())
            played = []
            player = threading.Thread(
                target=self.player, args=(address, played, until is None), daemon=True)
            player.start()
            if until is not None:
                self.kill(process, until)
            player.join(PATIENCE)
            self.played = b"".join(played)
            if until is None:
                # The last bytes are saved when it ends.
                process.terminate()
                process.wait(PATIENCE)
        finally:
            process.kill()
            said = process.communicate()[1].decode(errors="replace")
        return said

    def player(self, address, played, is_last):
        """Plays from the first byte; an answer that is cut says that there is another version now."""
        path = f"{address.path}/play?url={urllib.parse.quote(self.url, safe='')}"
        for _ in range(2 if is_last and self.replaced else 1):
            played.clear()
            player = http.client.HTTPConnection("127.0.0.1", address.port, timeout=PATIENCE)
            try:
                player.request("GET", path)
                answer = player.getresponse()
                if answer.status != 200:
                    played.append(f"{answer.status} {answer.read()[:300]}".encode())
                while piece := answer.read1(PIECE):
                    played.append(piece)
                if sum(map(len, played)) == SIZE:
                    return
            except (OSError, http.client.HTTPException):
                pass
            finally:
                player.close()

    def result(self):
        if self.mode == "play":
            return self.played
        output = os.path.join(self.folder, "out-" + self.file)
        process = self.start("export", self.url, "--output", output)
        said = process.communicate(timeout=PATIENCE)[1].decode(errors="replace")
        if process.returncode != 0:
            self.fail(f"export ended with {process.returncode}: {said}")
        with open(output, "rb") as file:
            whole = file.read()
        os.remove(output)
        return whole

    def cached(self):
        process = self.start("status", "--json")
        out, said = process.communicate(timeout=PATIENCE)
        if process.returncode == 66:
            return 0
        if process.returncode != 0:
            self.fail(f"status ended with {process.returncode}: {said.decode(errors='replace')}")
        return json.loads(out)["cached_bytes"]


def trials(downloader, name, seed):
    """Starts a server, and makes all its trials; returns what went wrong."""
    folder = tempfile.mkdtemp(prefix=f"rig-server-{name}-")
    servers = []
    try:
        # Servers that root has started read as another user.
        os.chmod(folder, 0o755)
        root = os.path.join(folder, "www")
        os.mkdir(root)
        port = free_port()
        servers.append(ORIGINS.get(name, nginx)(folder, root, port))
        first = port
        if name in BETWEEN:
            port = free_port()
            servers.append(BETWEEN[name](folder, first, port))
        wrong = []
        for mode in ("fetch", "play"):
            for storage in ("file", "rows"):
                for replaced in (False, True):
                    chance = random.Random(f"{seed} {name} {mode} {storage} {replaced}")
                    trial = Trial(
                        downloader, name, mode, storage, replaced, (folder, root, port), chance)
                    trial.origin = first
                    try:
                        trial.run()
                    except (AssertionError, subprocess.TimeoutExpired) as error:
                        wrong.append(str(error))
        for server in servers:
            if server.process.poll() is not None:
                wrong.append(f"{server.process.args[0]} ended: {server.said()}")
        return wrong
    finally:
        for server in servers:
            server.end()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(prog="harness/ci/servers", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--programs", required=True)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    names = options.names or list(ORIGINS) + list(BETWEEN)
    for name in names:
        if name not in ORIGINS and name not in BETWEEN:
            parser.error(f"there is no server '{name}': {', '.join([*ORIGINS, *BETWEEN])}")
    downloader = os.path.join(options.programs, "downloader")
    status = 0
    # They mostly wait for the relays' clock.
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        begun = {name: pool.submit(trials, downloader, name, options.seed) for name in names}
        for name, trial in begun.items():
            try:
                wrong = trial.result()
            except Unavailable as error:
                print(f"{name}: {error}", file=sys.stderr)
                status = 69
                continue
            for line in wrong:
                print(f"WRONG  {line}")
            if wrong:
                status = status or 1
            else:
                print(f"ok     {name}: 8 videos, {8 * KILLS} kills")
    return status


if __name__ == "__main__":
    sys.exit(main())
