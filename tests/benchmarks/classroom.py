"""A class at work on one machine: how much memory a student takes, how soon the first picture is there, how fast sliders are.

    python tests/benchmarks/classroom.py            1, 10, 20 and 40 students at once
    python tests/benchmarks/classroom.py 5          5 of them
    python tests/benchmarks/classroom.py --server   and what a student's JupyterLab takes on a hub

Every student is a kernel of its own. All run lesson 06 at the same moment; when the last has done so each drags its
explorer's slider for half a minute, at a hand's pace: bursts of four moves, a quarter of a second apart, then a pause.
Latency is from a move's message to the picture that comes back. Memory (Linux only) is what each kernel has alone (USS),
and with its share of what is shared (PSS), when all have finished. Processor time is the kernels' own, so it holds on
a machine that does other things too, as the other times do not.
"""

import argparse
import asyncio
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

import nbformat
from jupyter_client import AsyncKernelManager

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/support", "tools")]

import jupyter_pages  # noqa: E402

LESSON = ROOT / "notebooks" / "06_heatmaps.ipynb"
COLUMNS = [
    "students", "MB each, alone / with its share", "processor seconds each, lesson", "processor ms a move",
    "first picture, s, median / last", "lesson done, s", "slider, ms, median / p95", "moves", "failures", "load",
]  # fmt: skip
DRAGGING, BURST, STEP, PAUSE = 30, 4, 0.25, 0.6  # seconds; moves; seconds between them; seconds after four


class Student:
    """One kernel, and what its student sees of it."""

    def __init__(self):
        self.models, self.failures, self.latencies, self.first = {}, [], [], None

    async def start(self, home):
        self.started = time.perf_counter()
        self.manager = AsyncKernelManager(kernel_name="python3")
        environment = {**os.environ, "IPYTHONDIR": str(home)}
        await self.manager.start_kernel(cwd=LESSON.parent, env=environment, stderr=subprocess.DEVNULL)
        self.client = self.manager.client()
        self.client.start_channels()
        await self.client.wait_for_ready(timeout=600)

    async def messages(self, request):
        """What the kernel says on behalf of a request, until it is idle again."""
        while True:
            message = await self.client.get_iopub_msg(timeout=600)
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["header"]["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return
            yield message["header"]["msg_type"], message["content"]

    async def run_lesson(self):
        for cell in nbformat.read(LESSON, as_version=4).cells:
            if cell.cell_type == "code":
                async for kind, content in self.messages(self.client.execute(cell.source)):
                    self.see(kind, content)
        self.finished = time.perf_counter() - self.started

    def see(self, kind, content):
        """Remember widgets, errors, and when the first picture came."""
        if kind == "comm_open":
            self.models[content["comm_id"]] = content["data"]["state"]
        elif kind == "comm_msg":
            self.models[content["comm_id"]].update(content["data"].get("state", {}))
        elif kind == "error":
            self.failures.append(f"{content['ename']}: {content['evalue']}")
        elif "<img" in str(content.get("data")) and self.first is None:
            self.first = time.perf_counter() - self.started

    def slider(self):
        """(comm, values) of the first slider with at least four steps in an explorer, and its pictures' comms."""
        for comm, state in self.models.items():
            if state.get("_model_name") == "IntSliderModel" and state["max"] - state["min"] >= 3:
                return comm, list(range(state["min"], state["max"] + 1))
        raise RuntimeError(f"{LESSON.name} has no slider")

    async def drag(self):
        comm, values = self.slider()
        there_and_back = values[1:] + values[-2::-1]
        await asyncio.sleep(hash(comm) % 100 / 100)  # nobody's hand moves with another's
        end, moves = time.perf_counter() + DRAGGING, 0
        while time.perf_counter() < end:
            began = time.perf_counter()
            data = {
                "method": "update",
                "state": {"value": there_and_back[moves % len(there_and_back)]},
                "buffer_paths": [],
            }
            message = self.client.session.msg("comm_msg", {"comm_id": comm, "data": data})
            self.client.shell_channel.send(message)
            await self.await_picture(message["header"]["msg_id"], began)
            moves += 1
            rest = began + STEP - time.perf_counter() + (PAUSE if moves % BURST == 0 else 0)
            await asyncio.sleep(max(0, rest))

    async def await_picture(self, request, began):
        drawn = None
        async for kind, content in self.messages(request):
            self.see(kind, content)
            if kind == "comm_msg" and "<svg" in str(content["data"].get("state", {}).get("value")):
                drawn = time.perf_counter() - began
        if drawn is None:
            self.failures.append("a move brought no new picture")
        else:
            self.latencies.append(1000 * drawn)

    async def stop(self):
        self.client.stop_channels()
        await self.manager.shutdown_kernel(now=True)


def processor(process):
    """Seconds that a process has worked, and its children that have ended."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(") ")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def memory(process):
    """(USS, PSS) in MB of a process and all its children."""
    text = pathlib.Path(f"/proc/{process}/smaps_rollup").read_text()
    kilobytes = {name: int(value) for name, value in re.findall(r"(?m)^(\w+): +(\d+) kB$", text)}
    own = (kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]) / 1024, kilobytes["Pss"] / 1024
    children = [
        p
        for task in pathlib.Path(f"/proc/{process}/task").iterdir()
        for p in (task / "children").read_text().split()
    ]
    return tuple(map(sum, zip(own, *map(memory, children), strict=True)))


async def a_class(count):
    """`count` students at once; prints a row of the table, returns what went wrong."""
    students = [Student() for _ in range(count)]
    with tempfile.TemporaryDirectory() as home:
        try:
            await asyncio.gather(*(student.start(home) for student in students))
            await asyncio.gather(*(student.run_lesson() for student in students))
            load, processes = os.getloadavg()[0], [student.manager.provisioner.pid for student in students]
            for_lesson = sum(map(processor, processes))
            await asyncio.gather(*(student.drag() for student in students))
            for_moves = sum(map(processor, processes)) - for_lesson
            sizes = [memory(process) for process in processes]
        finally:
            await asyncio.gather(*(student.stop() for student in students if hasattr(student, "client")))
    alone, shared = (statistics.mean(size) for size in zip(*sizes, strict=True))
    moves = [latency for student in students for latency in student.latencies]
    first, whole = ([getattr(student, what) for student in students] for what in ("first", "finished"))
    failures = [failure for student in students for failure in student.failures]
    cells = [
        f"{count}", f"{alone:.0f} / {shared:.0f}", f"{for_lesson / count:.1f}", f"{1000 * for_moves / len(moves):.1f}",
        f"{statistics.median(first):.1f} / {max(first):.1f}", f"{max(whole):.0f}",
        f"{statistics.median(moves):.0f} / {statistics.quantiles(moves, n=20)[-1]:.0f}", f"{len(moves):,}",
        f"{len(failures)}", f"{load:.1f}",
    ]  # fmt: skip
    print("|", " | ".join(cells), "|", flush=True)
    return failures


def server():
    """Print what a JupyterLab takes by itself, without kernels: on a hub each student has one."""
    with tempfile.TemporaryDirectory() as folder:
        folder, home = pathlib.Path(folder, "course"), pathlib.Path(folder, "home")
        folder.mkdir(), home.mkdir()
        with jupyter_pages.serve(sys.executable, "lab", folder, home) as address:
            urllib.request.urlopen(address("")).read()
            process = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()[0]
            alone, shared = memory(process)
    print(f"A student's JupyterLab on a hub: {alone:.0f} MB alone, {shared:.0f} with its share")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("students", type=int, nargs="*", default=[1, 10, 20, 40])
    parser.add_argument("--server", action="store_true", help="measure a JupyterLab server too")
    asked = parser.parse_args()
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before")
    print("|", " | ".join(COLUMNS), "|\n" + "| --- " * len(COLUMNS) + "|")
    failures = [failure for count in asked.students for failure in asyncio.run(a_class(count))]
    print("\n".join(failures[:20]))
    if asked.server:
        server()
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
