"""A real Spark cluster on this machine: a master and two workers on the loopback.

    python trials/spark_cluster.py [--rows N] [--kill] [--pipe]

Makes N puzzles, deduces them once with the command line and once on the cluster, and compares the
bytes after sorting by id. With --kill one worker is killed half-way; with --pipe the same is done
through the command alone, without Python in the workers. The end prints what was measured, as
JSON. Needs pyspark, pyarrow and a Java.
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

import pyspark

from dokulog import Puzzle, Rules, spark

HOME = Path(pyspark.__file__).parent


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class Cluster:
    """A master and its workers, each a process of its own."""

    def __init__(self, folder: Path, workers: int = 2) -> None:
        self.folder, self.port, self.processes = folder, free_port(), []
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
    options.add_argument("--kill", action="store_true")
    options.add_argument("--pipe", action="store_true")
    asked = options.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="dokulog-spark-"))
    cluster = None
    try:
        path = make_list(folder, asked.rows)
        expected = by_command(path, folder)
        cluster = Cluster(folder)
        measured = on_cluster(cluster, path, asked, expected)
        print(json.dumps(measured))
    finally:
        if cluster is not None:
            cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def on_cluster(
    cluster: Cluster, path: Path, asked: argparse.Namespace, expected: list[str]
) -> dict[str, object]:
    from pyspark.sql import SparkSession

    # The driver tells the workers which Python to run.
    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(cluster.url)
        .appName("dokulog")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.executor.memory", "600m")
        .config("spark.executor.cores", "1")
        .config("spark.sql.files.maxPartitionBytes", str(8 << 20))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    memory: list[int] = []
    stopped = threading.Event()

    def watch() -> None:
        while not stopped.wait(0.5):
            memory.append(memory_of(executors(cluster.folder / "work0")))

    watching = threading.Thread(target=watch)
    watching.start()
    if asked.kill:
        threading.Timer(asked.rows / 200_000 + 4, cluster.kill_one).start()
    begin = time.monotonic()
    frame = session.read.csv(str(path), header=True, schema="id long, puzzle string")
    parts = max(8, asked.rows // 50_000)
    if asked.pipe:
        command = f"{sys.executable} -m dokulog deduce -q -j1 --to json -"
        lines = frame.repartition(parts).rdd.map(lambda row: f"{row['puzzle']} # {row['id']}")
        objects = lines.pipe(command).map(json.loads)
        answers = objects.map(lambda told: (int(told["id"]), told["p1"])).collect()
        digits = [digits for _, digits in sorted(answers)]
    else:
        answered = spark.deduce(frame.repartition(parts), "puzzle", rules=Rules.standard())
        table = answered.select("id", "digits").toArrow().sort_by("id")
        digits = table["digits"].to_pylist()
    seconds = time.monotonic() - begin
    stopped.set()
    watching.join()
    session.stop()
    same = digits == expected
    half = memory[len(memory) // 2 :] or [0]
    measured = {
        "rows": asked.rows,
        "way": "pipe" if asked.pipe else "arrow",
        "worker_killed": asked.kill,
        "same_bytes": same,
        "sha256": hashlib.sha256("\n".join(digits).encode()).hexdigest(),
        "seconds": round(seconds, 1),
        "worker_megabytes": {"half_way": half[0] // 1024, "end": half[-1] // 1024},
    }
    if not same:
        raise SystemExit(f"the answers differ: {measured}")
    return measured


if __name__ == "__main__":
    main()
