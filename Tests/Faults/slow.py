"""R20 and R21: a thousand callers who are slow on purpose, by slowhttptest, and another who wants a feed meanwhile."""
import csv
import http.client
import os
import re
import resource
import subprocess
import threading
import time

from server import FEED, ask

CONNECTIONS = 1000
# The server's deadlines in seconds, for a header, a body and an answer. The sweeper checks about once a second.
HEADERS, BODY, RESPONSE, SLACK = 10, 30, 60, 2
ADMIN_LIMIT = 256


class Pace(threading.Thread):
    """Fetches a feed over and over, on a new connection each time, and records how long it took."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.took, self.wrong, self.over = port, [], [], threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(0.01):
            begun = time.monotonic()
            try:
                status, _, body = ask(self.port, "GET", "/feeds/shop/ios/bellerophon.json", timeout=10)
                if status != 200 or not body.startswith(b"{"):
                    self.wrong.append(status)
            except (OSError, http.client.HTTPException) as error:
                self.wrong.append(repr(error))
            self.took.append(time.monotonic() - begun)

    def stop(self):
        self.over.set()
        self.join()
        took = sorted(self.took)
        at = lambda share: took[min(len(took) - 1, int(len(took) * share))] * 1000
        holds = not self.wrong and at(0.99) < 250
        return holds, f"{len(took)} feeds: p50 {at(0.5):.1f} ms, p99 {at(0.99):.1f} ms, slowest {took[-1] * 1000:.0f} ms" + (f", wrong: {self.wrong[:2]}" if self.wrong else "")


class Gauge(threading.Thread):
    """Watches how many more descriptors the server has than at the beginning: its connections, and a few that come and go."""

    def __init__(self, process):
        super().__init__(daemon=True)
        self.folder, self.readings, self.over = f"/proc/{process.pid}/fd", [], threading.Event()
        self.before = len(os.listdir(self.folder))
        self.start()

    def run(self):
        while not self.over.wait(0.1):
            self.readings.append((time.monotonic(), len(os.listdir(self.folder)) - self.before))

    def stop(self):
        self.over.set()
        self.join()
        return self.readings


def attack(server, name, words, seconds, log, limit, holds_all=True):
    """One run of slowhttptest; returns its results.

    Connections of the probe and of the fast caller come and go: a few are always open, so only those beyond ten count as an attacker's."""
    gauge, pace = Gauge(server.process), Pace(server.feeds)
    begun = time.monotonic()
    done = subprocess.run(
        ["slowhttptest", "-c", str(CONNECTIONS), "-r", str(CONNECTIONS), "-l", str(seconds), "-p", "5", "-g", "-o", str(log), *words],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    took = time.monotonic() - begun
    readings = gauge.stop()
    fast, figures = pace.stop()
    told = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    end = re.findall(r"Exit status: *(.+)", told)
    most = max(count for _, count in readings)
    busy = [at for at, count in readings if count > 10]
    span = busy[-1] - busy[0] if busy else 0
    rows = list(csv.DictReader(open(f"{log}.csv")))
    peak = max(int(row["Connected"]) for row in rows) if rows else 0
    closed = int(rows[-1]["Closed"]) if rows else 0
    detail = f"{most} at once on the server, {peak} in slowhttptest, {closed} closed, the last cut {span:.1f} s after the first came; it ended after {took:.0f} s: {end[-1].strip() if end else told[-200:]}"
    # The attackers would have gone on for `seconds`: if it ended sooner, the server cut them off.
    yield f"{name}: all {CONNECTIONS} are cut within {limit} s", limit < seconds and span <= limit and took > span, detail
    if holds_all:
        yield f"{name}: they were there, all at once", most >= CONNECTIONS * 0.95, str(most)
    yield f"{name}: feeds of others stay fast", fast, figures


def run(server, folder):
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    quiet = Pace(server.feeds)
    time.sleep(3)
    holds, figures = quiet.stop()
    yield "quiet: feeds", holds, figures
    # A feed too large for a socket's buffers, or nobody could read it slowly: as many platforms as an app may have.
    for number in range(30):
        status, answer = server.call("PUT", f"/apps/shop/platforms/p{number}", {})
        assert status == 201, answer
        status, answer, _ = server.alert("\U0001F40C" * 500, f"p{number}")
        assert status == 200, answer
    size = len(server.feed())
    feeds, admin = f"http://127.0.0.1:{server.feeds}", f"http://127.0.0.1:{server.admin}"
    # All thousand connect within about a second; each deadline runs from its own connection.
    ramp = 2
    yield from attack(server, "headers, feeds", ["-H", "-i", "2", "-x", "20", "-t", "GET", "-u", feeds + FEED], 60, folder / "headers", HEADERS + SLACK + ramp)
    # The feeds listener accepts no body, so there is no deadline to wait for: an announced body is refused at once.
    yield from attack(server, "body, feeds", ["-B", "-i", "2", "-s", "8192", "-x", "10", "-u", feeds + FEED], 60, folder / "body", HEADERS + SLACK + ramp, holds_all=False)
    yield from attack(
        server, f"slow read of {size // 1024} KiB, feeds", ["-X", "-w", "256", "-y", "512", "-n", "2", "-z", "16", "-u", feeds + FEED], 120, folder / "read",
        RESPONSE + SLACK + ramp,
    )
    # The admin listener has 256 connections; the others wait for theirs in the kernel, and have their own deadline after that.
    rounds = -(-CONNECTIONS // ADMIN_LIMIT)
    yield from attack(
        server, f"body, admin, {rounds} rounds of {ADMIN_LIMIT}", ["-B", "-i", "5", "-s", "8192", "-x", "10", "-f", "application/json", "-u", admin + "/api/v1/session"],
        240, folder / "admin", rounds * (BODY + SLACK + ramp), holds_all=False,
    )
    status, _, _ = server.alert("After all of it")
    yield "afterwards a change is taken", status == 200, str(status)
