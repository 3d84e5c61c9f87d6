"""Fetches a file as the image of an offline library of the reference downloader: URL FILE LIBRARY.

The list that names the image comes from this script, the image from the URL. An audit also cuts the power,
so the library is told to survive that."""
import json, os, socket, subprocess, sys, threading

url, path, library = sys.argv[1:]
# Without its page it is judged as any other program: by what the origin and its files show.
os.environ.pop("RIG_WITNESS", None)
film = {"id": "6B29FC40-CA47-1067-B31D-00DD010662DA", "title": "A film", "url": url, "thumbnail_url": url}
feed = json.dumps({"videos": [film]}).encode()


def answer(server):
    """Answers each request with the list."""
    while True:
        connection, _ = server.accept()
        with connection, connection.makefile("rb") as request:
            while request.readline().strip():
                pass
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"
                               b"Connection: close\r\n\r\n%s" % (len(feed), feed))


server = socket.create_server(("127.0.0.1", 0))
threading.Thread(target=answer, args=[server], daemon=True).start()
program = [".build/release/downloader", "library"]
code = subprocess.call([*program, "refresh", "--quiet", "--durability", "power", "--library", library,
                        "--feed", f"http://127.0.0.1:{server.getsockname()[1]}/list"])
if code:
    sys.exit(code)
listing = subprocess.check_output([*program, "list", "--json", "--library", library])
# As its users see it: an image that the list calls stored is used as it is.
with open(json.loads(listing)["videos"][0]["thumbnail_path"], "rb") as image, open(path, "wb") as file:
    file.write(image.read())
