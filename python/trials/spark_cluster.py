"""A real Spark cluster on this machine: a master and two workers on the loopback.

    python trials/spark_cluster.py [--rows N] [--ways arrow,killed,pipe] [--write docs/scale.md]

Makes N puzzles, deduces them once with the command line and then on a cluster, one for each way,
and compares the bytes after sorting by id. `killed` kills a worker when half of the tasks are done;
`pipe` does the same through the command alone. What was measured is printed as JSON; with --write
the table in the document is replaced. Needs pyspark, pyarrow and a Java.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import pyspark

from dokulog import Puzzle, Rules, spark
from written import write

HOME = Path(pyspark.__file__).parent


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class Cluster:
    """A master and its workers, each a process of its own."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self.folder, self.port = folder, free_port()
        self.processes: list[subprocess.Popen[bytes]] = []
        self.environment = {
            **os.environ,
            "SPARK_HOME": str(HOME),
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_NO_DAEMONIZE": "1",
        }
        master = ["--host", "127.0.0.1", "--port", str(self.port), "--webui-port", str(free_port())]
        self.start("org.apache.spark.deploy.master.Master", master, "master")
        self.wait_for_port()
        for number in range(workers):
            options = ["--cores", "1", "--memory", "1g", "--host", "127.0.0.1"]
            options += ["--webui-port", str(free_port())]
            options += ["--work-dir", str(folder / f"work{number}"), self.url]
            self.start("org.apache.spark.deploy.worker.Worker", options, f"worker{number}")

    @property
    def url(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    def start(self, name: str, options: list[str], log: str) -> None:
        with open(self.folder / f"{log}.log", "w") as out:
            process = subprocess.Popen(
                [str(HOME / "bin" / "spark-class"), name, *options],
                env=self.environment,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        self.processes.append(process)

    def wait_for_port(self) -> None:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)
        raise SystemExit((self.folder / "master.log").read_text())

    def kill_one(self) -> None:
        """The worker and all that it started, at once."""
        worker = self.processes[-1].pid
        for pid in [*executors(self.folder / "work1"), worker]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def stop(self) -> None:
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def executors(folder: Path) -> list[int]:
    """Processes that work in a folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if str(folder) in os.readlink(entry / "cwd"):
                    found.append(int(entry.name))
            except OSError:
                continue
    return found


def memory_of(pids: list[int]) -> int:
    """Kilobytes that processes hold."""
    total = 0
    for pid in pids:
        try:
            status = Path(f"/proc/{pid}/status").read_text()
            total += next(int(line.split()[1]) for line in status.splitlines() if "VmRSS" in line)
        except (OSError, StopIteration):
            continue
    return total


def make_list(folder: Path, rows: int) -> Path:
    """Puzzles with an id each; few are made, and their digits renamed for the others."""
    path = folder / "list.csv"
    seeds = [str(Puzzle.generate(seed)) for seed in range(min(rows, 500))]
    with open(path, "w") as out:
        out.write("id,puzzle\n")
        for row in range(rows):
            turn = row // len(seeds) % 9
            digits = "123456789"
            renamed = str.maketrans(digits, digits[turn:] + digits[:turn])
            out.write(f"{row},{seeds[row % len(seeds)].translate(renamed)}\n")
    return path


def by_command(path: Path, folder: Path) -> list[str]:
    lines = folder / "list.txt"
    with open(path) as source, open(lines, "w") as out:
        next(source)
        out.writelines(line.split(",")[1] for line in source)
    command = [sys.executable, "-m", "dokulog", "deduce", "-q", "-o", "-", str(lines)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rows", type=int, default=20_000)
    options.add_argument("--ways", default="arrow,killed,pipe")
    options.add_argument("--write", type=Path)
    asked = options.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="dokulog-spark-"))
    measured = []
    try:
        path = make_list(folder, asked.rows)
        expected = by_command(path, folder)
        for way in asked.ways.split(","):
            home = folder / way
            home.mkdir()
            cluster = Cluster(home)
            try:
                measured.append(on_cluster(cluster, path, asked.rows, way, expected))
                print(json.dumps(measured[-1]), flush=True)
            finally:
                cluster.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if asked.write:
        write(asked.write, "trials/spark_cluster.py", in_words(asked.rows, measured))


def in_words(rows: int, measured: list[dict[str, Any]]) -> list[str]:
    ways = {
        "arrow": "`dokulog.spark`",
        "killed": "`dokulog.spark`, a worker killed half-way",
        "pipe": "`pipe`",
    }
    lines = [
        f"{rows:,} puzzles, a master and two workers with one core each on one machine; the answers, "
        "sorted by id, are byte for byte those of the command line:",
        "",
        "| | seconds | engine of a worker, a quarter through → end | Java |",
        "|---|---|---|---|",
    ]
    for one in measured:
        engine, java = one["engine_megabytes"], one["java_megabytes"]
        lines.append(
            f"| {ways[one['way']]} | {one['seconds']} | {engine[0]} → {engine[1]} MB | "
            f"{java[0]} → {java[1]} MB |"
        )
    return lines


class Watch(threading.Thread):
    """Looks at a worker's memory, and half-way kills the other one where that is asked for."""

    def __init__(self, cluster: Cluster, context: Any, kills: bool) -> None:
        super().__init__(daemon=True)
        self.cluster, self.context, self.kills = cluster, context, kills
        self.ended = threading.Event()
        self.memory: list[tuple[int, int]] = []
        self.killed_at: float | None = None

    def run(self) -> None:
        while not self.ended.wait(0.25):
            pids = executors(self.cluster.folder / "work0")
            java = [pid for pid in pids if name_of(pid) == "java"]
            engine = [pid for pid in pids if pid not in java]
            if engine:
                self.memory.append((memory_of(engine), memory_of(java)))
            if self.kills and self.killed_at is None and self.done() >= 0.5:
                self.killed_at = round(self.done(), 2)
                self.cluster.kill_one()

    def done(self) -> float:
        """The part of the tasks under way that have ended."""
        tracker = self.context.statusTracker()
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        parts = [stage.numCompletedTasks / stage.numTasks for stage in stages if stage]
        return max(parts, default=0.0)

    def megabytes(self, which: int) -> list[int]:
        """A quarter of the way through, and at the end: the largest of a few looks each."""
        looks = [look[which] // 1024 for look in self.memory] or [0]
        few = max(1, len(looks) // 8)
        quarter = len(looks) // 4
        return [max(looks[quarter : quarter + few]), max(looks[-few:])]


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def on_cluster(
    cluster: Cluster, path: Path, rows: int, way: str, expected: list[str]
) -> dict[str, Any]:
    from pyspark.sql import SparkSession

    # The driver tells the workers which Python to run.
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(cluster.url)
        .appName("dokulog")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.memory", "2g")
        .config("spark.driver.maxResultSize", "0")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executor.memory", "600m")
        .config("spark.executor.cores", "1")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    watch = Watch(cluster, session.sparkContext, kills=way == "killed")
    watch.start()
    begin = time.monotonic()
    frame = session.read.csv(str(path), header=True, schema="id long, puzzle string")
    parts = frame.repartition(max(16, rows // 50_000))
    digits = by_pipe(parts) if way == "pipe" else by_arrow(parts)
    seconds = time.monotonic() - begin
    watch.ended.set()
    watch.join()
    session.stop()
    measured = {
        "rows": rows,
        "way": way,
        "killed_at": watch.killed_at,
        "same_bytes": digits == expected,
        "sha256": hashlib.sha256("\n".join(digits).encode()).hexdigest(),
        "seconds": round(seconds, 1),
        "engine_megabytes": watch.megabytes(0),
        "java_megabytes": watch.megabytes(1),
    }
    if digits != expected:
        raise SystemExit(f"the answers differ: {measured}")
    if way == "killed" and watch.killed_at is None:
        raise SystemExit(f"it was over before a worker could be killed: {measured}")
    return measured


def by_arrow(frame: Any) -> list[str]:
    answered = spark.deduce(frame, "puzzle", rules=Rules.standard())
    table = answered.select("id", "digits").toArrow().sort_by("id")
    digits: list[str] = table["digits"].to_pylist()
    return digits


def by_pipe(frame: Any) -> list[str]:
    command = f"{sys.executable} -m dokulog deduce -q -j1 --to json -"
    objects = frame.rdd.map(lambda row: f"{row['puzzle']} # {row['id']}").pipe(command).map(json.loads)
    answers = objects.map(lambda told: (int(told["id"]), told["p1"])).collect()
    return [digits for _, digits in sorted(answers)]


if __name__ == "__main__":
    main()
