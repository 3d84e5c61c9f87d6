"""A stand-in for the part of GitHub's API that is used here: the comments of a pull request."""
import http.server, json, re, threading


class GitHub(http.server.ThreadingHTTPServer):
    """The server, on this machine; it knows pull request 12 of them/theirs, and the token `secret`."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        # Of other accounts: one that only quotes ours, and more than one page holds.
        self.comments = [{"id": number, "user": "them", "body": "I saw <!-- rig: kill-test --> above"}
                         for number in range(1, 151)]
        self.calls, self.refuses, self.breaks = [], False, False
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def ours(self):
        return [comment["body"] for comment in self.comments if comment["user"] == "us"]


class Answer(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, code, value):
        data = json.dumps(value).encode()
        self.send_response(code)
        # An answer that breaks off is shorter than it says.
        self.send_header("Content-Length", str(len(data) + self.server.breaks))
        self.end_headers()
        self.wfile.write(data)

    def handle_any(self):
        github = self.server
        length = int(self.headers.get("Content-Length") or 0)
        value = json.loads(self.rfile.read(length)) if length else None
        path, _, query = self.path.partition("?")
        github.calls.append(self.command)
        if self.headers["Authorization"] != "Bearer secret" or (github.refuses and self.command != "GET"):
            return self.answer(403, {"message": "Resource not accessible by integration"})
        if (self.command, path) == ("GET", "/repos/them/theirs/issues/12/comments"):
            page = int(re.search(r"\bpage=(\d+)", query)[1])
            return self.answer(200, github.comments[(page - 1) * 100:page * 100])
        if (self.command, path) == ("POST", "/repos/them/theirs/issues/12/comments"):
            made = {"id": len(github.comments) + 1, "user": "us", "body": value["body"]}
            github.comments.append(made)
            return self.answer(201, made)
        found = re.fullmatch(r"/repos/them/theirs/issues/comments/(\d+)", path)
        if self.command == "PATCH" and found:
            comment = github.comments[int(found[1]) - 1]
            if comment["user"] != "us":
                return self.answer(403, {"message": "not yours"})
            comment["body"] = value["body"]
            return self.answer(200, comment)
        return self.answer(404, {"message": "Not Found"})

    do_GET = do_POST = do_PATCH = handle_any
