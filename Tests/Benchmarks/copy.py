"""Copies a data folder of 10,000 targets and 100,000 changes into a PostgreSQL on this machine and back. It measures no answer of a server,
so it is not in the table; run it by itself: GATEHOUSE_RELEASE=.build/release python3 Tests/Benchmarks/copy.py"""
import os
import resource
import subprocess
import time

from cluster import Cluster
from harness import GATEHOUSE, ROOT, WORK, Gatehouse, heading, report

CHANGES = int(os.environ.get("BENCH_CHANGES", "100000"))
APPS = 5_000


def gatehouse(*words):
    """Seconds, the most memory of any such call so far in MB, and the output."""
    begun = time.perf_counter()
    done = subprocess.run([GATEHOUSE, *map(str, words), "--migrations", ROOT / "Migrations"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024, done.stdout


if __name__ == "__main__":
    long = Gatehouse(apps=APPS, changes=CHANGES, name="long", wrapper=None)
    heading(f"10,000 targets and {CHANGES:,} changes copied to PostgreSQL and back")
    verified, memory, _ = gatehouse("verify", "--data", long.data)
    report("gatehouse verify of the folder, for comparison", f"{verified:.1f} s, {memory:.0f} MB")
    cluster = Cluster()
    try:
        there, memory, first = gatehouse("copy", "--data", long.data, "--to", cluster.url)
        report("folder to PostgreSQL, checked on both sides", f"{there:.1f} s, {memory:.0f} MB at most, {cluster.size() / 1e6:.0f} MB there")
        (WORK / "back").mkdir(mode=0o700)
        subprocess.run(["cp", "-r", long.data / "keys", WORK / "back"], check=True)
        back, memory, second = gatehouse("copy", "--from", cluster.url, "--data", WORK / "back")
        size = (WORK / "back/gatehouse.sqlite").stat().st_size
        report("PostgreSQL to folder, checked on both sides", f"{back:.1f} s, {memory:.0f} MB at most, {size / 1e6:.0f} MB there")
        head = [text.split(" hash ")[1][:64] for text in (first, second)]
        assert head[0] == head[1], head
        gatehouse("verify", "--data", WORK / "back")
        report("head of the history, the same on all three", head[0][:16] + "…")
    finally:
        cluster.stop()
