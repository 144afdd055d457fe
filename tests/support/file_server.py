"""A local stand-in for a site that files are fetched from: it sends you on to another address, and can fail."""

import contextlib
import http.server
import threading


class FileServer(http.server.ThreadingHTTPServer):
    """Serves `files`, {name: bytes}; `asked` keeps the (name, range) of each request.

    breaks_off: after so many bytes of a file the connection ends. ranges: whether parts are sent.
    """

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files, self.asked, self.breaks_off, self.ranges = files, [], None, True
        self.address = f"http://127.0.0.1:{self.server_address[1]}/published"


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):  # noqa: N802, http.server calls it so
        _, place, name = self.path.split("/")
        if place == "published":
            self.send_response(302)
            self.send_header("Location", f"/stored/{name}")
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif name not in self.server.files:
            self.send_error(404)
        else:
            self._send(name)

    def _send(self, name):
        asked = self.headers["Range"]
        self.server.asked.append((name, asked))
        content, start = self.server.files[name], 0
        if asked and self.server.ranges:
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
        self.send_response(206 if asked and self.server.ranges else 200)
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        self.wfile.write(content[start : self.server.breaks_off])
        self.close_connection = True

    def log_message(self, *_):
        """Nothing: pytest shows what a test prints."""


@contextlib.contextmanager
def serving(files):
    """A FileServer that runs in a thread of this process."""
    with FileServer(files) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
