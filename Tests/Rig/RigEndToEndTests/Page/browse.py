#!/usr/bin/env python3
"""Opens a page in a headless Chromium and does as told there.

Usage: browse.py CHROMIUM PROFILE_FOLDER PAGE_URL STEPS_FILE

Each line of the file is a JSON object, carried out in turn:

    {"size": [390, 844], "scheme": "dark"}   sets the viewport, and the colours that are preferred
    {"open": true}                           opens the page, and waits until it has loaded
    {"run": "document.title"}                evaluates an expression in the page; prints its value
    {"picture": "page.png"}                  writes a picture of the whole page
    {"picture": "part.png", "clip": [x, y, width, height]}

Prints one line of JSON per step: {"value": …} or {"error": …}. The last line is {"requests": […],
"complaints": […]}: every address that the page asked for, and every message, error and exception
on its console.

Speaks the browser's own protocol through a pair of pipes, so that no port is open and nothing but
the standard library is needed. Ends with 0 when every step was carried out, else with 1.
"""

import base64
import json
import os
import subprocess
import sys


class Browser:
    """A browser at the other end of two pipes."""

    def __init__(self, program, profile):
        commands, self.commands = os.pipe()
        self.events, events = os.pipe()

        def connect():
            # The browser reads commands from 3 and writes to 4; neither may be in the other's way.
            first, second = os.dup(commands), os.dup(events)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox",
             "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-proxy-server",
             "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
             f"--user-data-dir={profile}", "about:blank"],
            close_fds=False, preexec_fn=connect,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(commands)
        os.close(events)
        self.number = 0
        self.rest = b""
        self.session = None
        self.requests = []
        self.complaints = []
        self.seen = set()

    def receive(self):
        while b"\0" not in self.rest:
            data = os.read(self.events, 1 << 16)
            if not data:
                raise RuntimeError("the browser has ended")
            self.rest += data
        text, self.rest = self.rest.split(b"\0", 1)
        message = json.loads(text)
        self.note(message.get("method"), message.get("params", {}))
        return message

    def note(self, method, event):
        if method:
            self.seen.add(method)
        if method == "Network.requestWillBeSent":
            self.requests.append(event["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            details = event["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(" ".join(str(a.get("value")) for a in event["args"]))
        elif method == "Log.entryAdded":
            self.complaints.append(event["entry"]["text"])

    def call(self, method, **parameters):
        self.number += 1
        number = self.number
        message = {"id": number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.commands, data):]
        while True:
            answer = self.receive()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def attach(self):
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        self.session = self.call(
            "Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def size(self, step):
        width, height = step["size"]
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": step.get("scheme", "light")}])

    def open(self, url):
        self.seen.discard("Page.loadEventFired")
        answer = self.call("Page.navigate", url=url)
        if answer.get("errorText"):
            raise RuntimeError(answer["errorText"])
        while "Page.loadEventFired" not in self.seen:
            self.receive()

    def run(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"]["exception"].get("description", "?"))
        return answer["result"].get("value")

    def picture(self, step):
        parameters = {"format": "png", "captureBeyondViewport": True}
        clip = step.get("clip")
        if clip is None:
            size = self.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = [0, 0, size["width"], size["height"]]
        parameters["clip"] = dict(zip(("x", "y", "width", "height"), clip), scale=1)
        data = self.call("Page.captureScreenshot", **parameters)["data"]
        with open(step["picture"], "wb") as file:
            file.write(base64.b64decode(data))

    def step(self, step, url):
        if "size" in step:
            return self.size(step)
        if "open" in step:
            return self.open(url)
        if "picture" in step:
            return self.picture(step)
        return self.run(step["run"])


def main():
    program, profile, url, path = sys.argv[1:]
    with open(path, encoding="utf-8") as file:
        steps = [json.loads(line) for line in file]
    failed = False
    browser = Browser(program, profile)
    try:
        browser.attach()
        for step in steps:
            try:
                answer = {"value": browser.step(step, url)}
            except RuntimeError as error:
                answer = {"error": str(error)}
                failed = True
            print(json.dumps(answer), flush=True)
        # What the page asked for at the end has been told by the time of another answer.
        browser.run("new Promise(done => setTimeout(done, 0))")
        print(json.dumps({"requests": browser.requests, "complaints": browser.complaints}))
    finally:
        browser.process.kill()
        browser.process.wait()
    sys.exit(1 if failed else 0)


main()
