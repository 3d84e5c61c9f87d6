"""A stand-in for the part of GitHub's API that is used here: the comments of a pull request."""
import http.server, json, re, threading

MARKER = "<!-- rig: kill-test -->"
# Who writes with which token.
ACCOUNTS = {"Bearer secret": {"login": "github-actions[bot]", "type": "Bot"},
            "Bearer personal": {"login": "maintainer", "type": "User"}}


class GitHub(http.server.ThreadingHTTPServer):
    """The server, on this machine; it knows pull request 12 of them/theirs, the token `secret` of a job, and
    `personal` of an account. As at GitHub, both may edit all comments."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        # Of other accounts, more than one page holds: one that has the marker first, whose author waits for a
        # verdict to edit, another whose account is gone, and such that only quote ours.
        self.comments = [{"id": number, "user": {"login": "them", "type": "User"}, "body": "I saw " + MARKER}
                         for number in range(1, 151)]
        self.comments[2]["body"] = self.comments[3]["body"] = MARKER
        self.comments[3]["user"] = None
        self.others = json.dumps(self.comments)
        self.calls, self.refuses, self.breaks = [], False, False
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def ours(self):
        return [comment["body"] for comment in self.comments[150:]]

    def is_untouched(self):
        """Whether the comments of others are what they were."""
        return json.dumps(self.comments[:150]) == self.others


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
        user = ACCOUNTS.get(self.headers["Authorization"])
        is_job = user is not None and user["type"] == "Bot"
        if user is None or (github.refuses and self.command != "GET") or (is_job and path == "/user"):
            return self.answer(403, {"message": "Resource not accessible by integration"})
        if (self.command, path) == ("GET", "/user"):
            return self.answer(200, user)
        if (self.command, path) == ("GET", "/repos/them/theirs/issues/12/comments"):
            page = int(re.search(r"\bpage=(\d+)", query)[1])
            return self.answer(200, github.comments[(page - 1) * 100:page * 100])
        if (self.command, path) == ("POST", "/repos/them/theirs/issues/12/comments"):
            made = {"id": len(github.comments) + 1, "user": user, "body": value["body"]}
            github.comments.append(made)
            return self.answer(201, made)
        found = re.fullmatch(r"/repos/them/theirs/issues/comments/(\d+)", path)
        if self.command == "PATCH" and found:
            comment = github.comments[int(found[1]) - 1]
            comment["body"] = value["body"]
            return self.answer(200, comment)
        return self.answer(404, {"message": "Not Found"})

    do_GET = do_POST = do_PATCH = handle_any
