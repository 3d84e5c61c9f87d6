"""Starts servers, and waits until they answer."""
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading
import time

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
    """A server's process, in a group of its own. It listens on a port, or prints its address."""

    def __init__(self, folder, command, port=None, environment=None):
        self.port, self.url = port, None
        self.log = pathlib.Path(folder, "log-of-" + os.path.basename(command[0]))
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL,
                stdout=log if port else subprocess.PIPE, stderr=log, cwd=folder,
                env=dict(os.environ, **(environment or {})), start_new_session=True)
        try:
            if port:
                wait_until(f"{command[0]} listens", self.listens)
            else:
                self.url = self.address()
        except AssertionError as error:
            self.end()
            raise Unavailable(f"{error}: {self.said()}") from error

    def listens(self):
        if self.process.poll() is not None:
            raise Unavailable(f"{self.process.args[0]} ended: {self.said()}")
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def address(self):
        alarm = threading.Timer(PATIENCE, self.process.kill)
        alarm.start()
        line = self.process.stdout.readline().decode()
        alarm.cancel()
        for word in line.split():
            if word.startswith("http"):
                return word
        raise AssertionError(f"{self.process.args[0]} prints its address")

    def said(self):
        return self.log.read_bytes()[-600:].decode(errors="replace")

    def end(self, patience=10.0):
        """Asks it to end, and ends it with all that it has started after so many seconds."""
        if patience:
            self.process.terminate()
            try:
                self.process.wait(patience)
            except subprocess.TimeoutExpired:
                pass
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def nginx(folder, root, port, more=""):
    """Serves the files of a folder; `more` are lines of its server."""
    conf = write(folder, "nginx.conf", f"""
        daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log stderr;
        events {{}}
        http {{
            access_log off; sendfile on; types {{ video/mp4 mp4; }}
            client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2;
            fastcgi_temp_path {folder}/t3; uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
            server {{ listen 127.0.0.1:{port}; root {root}; {more} }}
        }}""")
    return Server(folder, [program("nginx"), "-e", "stderr", "-p", folder, "-c", conf], port)
