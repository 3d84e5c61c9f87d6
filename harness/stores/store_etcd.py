#!/usr/bin/python3
"""etcd, in the worker's folder: store_etcd.py URL DIR OUTPUT THRESHOLD DURABILITY [--unsafe-no-fsync]"""
import base64, http.client, json, os, subprocess, sys, time
import rig_store


class Store:
    def open(self, folder):
        host = "127.9.%d.%d" % tuple(os.urandom(2))  # an address of its own, so that the ports are free
        self.server = subprocess.Popen(
            ["etcd", "--data-dir", folder + "/store", "--logger", "zap", "--log-level", "error",
             "--listen-client-urls", f"http://{host}:2379", "--advertise-client-urls", f"http://{host}:2379",
             "--listen-peer-urls", f"http://{host}:2380", "--heartbeat-interval", "20", "--election-timeout", "100",
             *sys.argv[6:]])
        self.connection = http.client.HTTPConnection(host, 2379)
        while True:
            try:
                self.connection.connect()
                break
            except ConnectionRefusedError:
                if self.server.poll() is not None:
                    sys.exit("etcd does not start")
                time.sleep(0.01)

    def put(self, position, data):
        self.ask("put", key=b"%d" % position, value=data)

    def get(self, position):
        found = self.ask("range", key=b"%d" % position).get("kvs")
        return base64.b64decode(found[0]["value"]) if found else None

    def commit(self):
        pass  # etcd has answered

    def close(self):
        self.server.terminate()
        self.server.wait()

    def ask(self, what, **words):
        words = {name: base64.b64encode(word).decode() for name, word in words.items()}
        self.connection.request("POST", "/v3/kv/" + what, json.dumps(words))
        answer = self.connection.getresponse()
        text = answer.read()
        return json.loads(text) if answer.status == 200 else sys.exit(f"etcd answers {text.decode()}")


rig_store.run(Store())
