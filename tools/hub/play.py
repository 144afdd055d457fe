"""A student who works on a JupyterHub without a browser: what the pages of the hub and JupyterLab send, sent by hand."""

import concurrent.futures
import json
import re
import time
import uuid

import nbformat
import requests
import websocket

import hub_link
import try_hub

LESSON, STUB, CHECK = "notebooks/01_query_key_scores.ipynb", "l01-ex1-stub", "l01-ex1-check"
ANSWER = "def scores(Q, K):  # by {name}\n    return Q @ np.swapaxes(K, -1, -2)"


class Student:
    """One of the class; `told`: what the hub said while it brought the course."""

    def __init__(self, hub, name, password):
        self.hub, self.name, self.password = hub, name, password
        self.web, self.told = requests.Session(), ""

    def log_in(self):
        """Log in, and wait until the student's own server runs."""
        page = f"{self.hub}/hub/login"
        self.web.get(page).raise_for_status()
        form = {"username": self.name, "password": self.password, "_xsrf": self.web.cookies["_xsrf"]}
        self.web.post(page, data=form).raise_for_status()
        self.server = f"{self.hub}/user/{self.name}"
        for _ in range(240):
            if self.web.get(f"{self.server}/lab").url.startswith(f"{self.server}/lab"):
                return
            time.sleep(0.5)
        raise RuntimeError(f"{self.name}'s server does not start")

    def token(self):
        """What proves to the student's server that a request comes from a page of its own."""
        tokens = [
            cookie.value for cookie in self.web.cookies if cookie.name == "_xsrf" and "/user/" in cookie.path
        ]
        return {"X-XSRFToken": tokens[0]}

    def follow(self, link):
        """Follow an nbgitpuller link to its end; raise if it does not come to a good one."""
        page = self.web.get(link)
        page.raise_for_status()
        fields = page.url.partition("?")[2]
        pulled = self.web.get(f"{self.server}/git-pull/api?{fields}", headers=self.token())
        said = [json.loads(line[6:]) for line in pulled.text.splitlines() if line.startswith("data: ")]
        self.told = "".join(event.get("output", "") for event in said)
        if not said or said[-1]["phase"] != "finished":
            raise RuntimeError(f"{self.name}: the link came to no good end: {pulled.text[-2000:]}")
        self.path = re.search(r"urlpath=lab%2Ftree%2F([^&]+)", link)[1].replace("%2F", "/")

    def contents(self, path=None):
        return f"{self.server}/api/contents/{path or self.path}"

    def read(self, path=None):
        got = self.web.get(self.contents(path), headers=self.token())
        got.raise_for_status()
        content = got.json()["content"]
        return nbformat.from_dict(content) if isinstance(content, dict) else content

    def save(self, notebook):
        body = {"type": "notebook", "content": notebook}
        self.web.put(self.contents(), json=body, headers=self.token()).raise_for_status()

    def run(self, notebook):
        """Run a notebook's cells in a kernel of this student and store what they show; raise at an error."""
        body = {"name": "python3", "path": self.path}
        kernel = self.web.post(f"{self.server}/api/kernels", json=body, headers=self.token()).json()["id"]
        address = f"{self.server}/api/kernels/{kernel}/channels".replace("http", "ws", 1)
        cookies = self.web.get(f"{self.server}/api/status", headers=self.token()).request.headers["Cookie"]
        channels = websocket.create_connection(address, cookie=cookies, timeout=120)
        try:
            for count, cell in enumerate((cell for cell in notebook.cells if cell.cell_type == "code"), 1):
                cell.outputs, cell.execution_count = run_cell(channels, cell.source), count
        finally:
            channels.close()
            self.web.delete(f"{self.server}/api/kernels/{kernel}", headers=self.token())


def run_cell(channels, source):
    """The outputs of a cell that is run over a kernel's web socket."""
    request = uuid.uuid4().hex
    header = {
        "msg_id": request,
        "msg_type": "execute_request",
        "username": "",
        "session": request,
        "version": "5.3",
    }
    content = {"code": source, "silent": False, "store_history": True, "allow_stdin": False}
    message = {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": "shell"}
    channels.send(json.dumps(message))
    outputs = []
    while True:
        message = json.loads(channels.recv())
        kind = message["header"]["msg_type"]
        if message["parent_header"].get("msg_id") != request:
            continue
        if kind in ("stream", "display_data", "execute_result"):
            content = {key: message["content"][key] for key in message["content"] if key != "transient"}
            outputs.append(nbformat.from_dict({"output_type": kind, **content}))
        elif kind == "error":
            raise RuntimeError("\n".join(message["content"]["traceback"]))
        elif kind == "status" and message["content"]["execution_state"] == "idle":
            return outputs


def cell_of(notebook, name):
    return next(cell for cell in notebook.cells if cell.id == name)


def work(student, link):
    """Log in, follow the link, run the lesson with an answer in it, save; raise if the check does not pass it."""
    student.log_in()
    student.follow(link)
    notebook = student.read()
    cell_of(notebook, STUB).source = ANSWER.format(name=student.name)
    student.run(notebook)
    student.save(notebook)
    if "scores: passed" not in str(cell_of(notebook, CHECK).outputs):
        raise RuntimeError(f"{student.name}: the answer did not pass: {cell_of(notebook, CHECK).outputs}")


def correct(tree):
    """Publish a correction of the exercise that everybody has answered, and of the text above it."""
    path = tree / LESSON
    notebook = nbformat.read(path, as_version=4)
    stub = cell_of(notebook, STUB)
    above = notebook.cells[notebook.cells.index(stub) - 1]
    stub.source = stub.source.replace("    ...", "    # the last two axes\n    ...")
    above.source += "\n\n*Mended:* any leading axes."
    nbformat.write(notebook, path)
    try_hub.push(tree, "A correction")


def look(student, link):
    """Open the link again: whether the answer is kept, and the correction met."""
    student.follow(link)
    notebook = student.read()
    sources = [cell.source for cell in notebook.cells]
    kept = cell_of(notebook, STUB).source == ANSWER.format(name=student.name)
    mended = any("*Mended:*" in source for source in sources)
    shown = any("# the last two axes" in source for source in sources)
    announced = "Corrected on" in notebook.cells[1].source and LESSON in student.read(
        student.path.replace(LESSON, "CORRECTIONS.md")
    )
    return kept, mended and shown and announced


def a_class(hub, password, repository, folder, count):
    """Have `count` students work at the same time; print what each has in the end; False if something is missing."""
    link = hub_link.link(hub, LESSON, repository, "main")
    students = [Student(hub, f"student{number}", password) for number in range(1, count + 1)]
    with concurrent.futures.ThreadPoolExecutor(count) as together:
        start = time.perf_counter()
        list(together.map(work, students, [link] * count))
        print(f"{count} students have logged in, got the course, run lesson 01 and answered: ", end="")
        print(f"{time.perf_counter() - start:.0f} s")
        correct(folder / "teacher")
        found = list(together.map(look, students, [link] * count))
    kept, met = (sum(what) for what in zip(*found, strict=True))
    print(f"The link again, after a correction: {kept} answers kept, {met} of {count} have met it")
    return kept == met == count
