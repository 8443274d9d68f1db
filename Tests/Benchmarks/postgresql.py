"""A change over HTTP on PostgreSQL, compared with the bare durable commit of the same rows there and with a change on SQLite; two servers
on one database."""
import shutil
import subprocess
import time

from cluster import Cluster
from harness import GATEHOUSE, ROOT, WORK, Connection, Gatehouse, compiled, heading, median, report, start

TRIES = 200


def moved(name, cluster):
    """A server with a small history, on PostgreSQL."""
    folder = Gatehouse(apps=5, name=name, wrapper=None)
    subprocess.run([GATEHOUSE, "copy", "--data", folder.data, "--to", cluster.url, "--migrations", ROOT / "Migrations"], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=True)
    return Gatehouse(name=name, options=("--database", cluster.url, "--server-name", name))


class Commit:
    """A C program that does only the commit, in a database with the same rows."""

    def __init__(self, cluster):
        include = subprocess.run(["pg_config", "--includedir"], capture_output=True, text=True, check=True).stdout.strip()
        program = compiled("commit_postgresql", "pq", f"-I{include}")
        self.process = start([program, cluster.url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def once(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline()) / 1e9


def latency(server, bare):
    heading(f"A change over HTTP on PostgreSQL beside the bare commit (commit_postgresql.c: the same rows, one lock); {TRIES} of each in turn, medians")
    commit, here, beside = Commit(bare), server.api(), Gatehouse(apps=5, name="sqlite")
    beside.wait_for_writes()
    sqlite = beside.api()
    figures = {"bare commit": [], "change over HTTP": [], "the same on SQLite": []}
    for number in range(TRIES + 20):
        app = f"app-{number % 5:04d}"
        took = commit.once(), here.toggle(app, "ios")[0], sqlite.toggle(app, "ios")[0]
        if number >= 20:
            for values, seconds in zip(figures.values(), took):
                values.append(seconds * 1000)
    for name, values in figures.items():
        report(name, f"{median(values):.2f} ms, fastest tenth {sorted(values)[TRIES // 10]:.2f}")
    report("change / bare commit", f"{median(figures['change over HTTP']) / median(figures['bare commit']):.2f}")
    commit.process.stdin.close()
    beside.stop()


def spread(server, cluster):
    heading(f"From the 2xx on one server to the other's feed, asked without a pause; {TRIES} changes")
    folder = WORK / "second"
    folder.mkdir(mode=0o700)
    shutil.copytree(server.data / "keys", folder / "keys")
    (folder / "token").write_text(server.token)
    second = Gatehouse(name="second", options=("--database", cluster.url, "--server-name", "second"))
    second.wait_for_writes()
    api, feed, times = server.api(), Connection(second.feeds), []
    for number in range(TRIES + 20):
        app = f"app-{number % 5:04d}"
        _, change = api.toggle(app, "ios")
        begun = time.perf_counter()
        wanted = f'"revision":{change["targets"][0]["revision"]},'.encode()
        while wanted not in feed.get(f"/feeds/{app}/ios/gate.json")[2]:
            pass
        if number >= 20:
            times.append((time.perf_counter() - begun) * 1000)
    times.sort()
    report("the other server's feed: p50, p99", f"{median(times):.1f} ms, {times[TRIES * 99 // 100]:.1f} ms", "<= 100 ms", times[TRIES * 99 // 100] <= 100)
    second.stop()


if __name__ == "__main__":
    clusters = [Cluster(), Cluster()]
    try:
        server = moved("first", clusters[0])
        server.wait_for_writes()
        moved("bare", clusters[1]).stop()
        latency(server, clusters[1])
        spread(server, clusters[0])
        server.stop()
    finally:
        for cluster in clusters:
            cluster.stop()
