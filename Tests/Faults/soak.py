"""R52: a thousand polls and one change a second for as long as it is told, dashboards that come and go, faults in between. The server's
memory, descriptors and disk, and the phones' waits, are sampled every few seconds: the last quarter must be like the second one."""
import collections
import contextlib
import json
import multiprocessing
import os
import random
import re
import selectors
import signal
import socket
import sqlite3
import statistics
import subprocess
import threading
import time

import history
from server import FEED, GATEHOUSE, Server, ask

POLLS, CONNECTIONS, DASHBOARDS = 1_000, 100, 6
# Seconds from one sample to the next, and from one fault to the next.
PAUSE, FAULT_EVERY = 5, 45
DISK = 512 << 20
# A database larger than SQLite's cache, 16 MiB for the connection that writes, so that later growth is not a cache filling up.
AGED = 20 << 20
PATHS = (FEED, "/feeds/shop/ios/bellerophon.json", "/feeds/shop/android/bellerophon.json", "/feeds/shop/ios/gate.json")
# What counts as flat: the last quarter compared with the second one. The limit for memory is R52's.
MEMORY, DESCRIPTORS, WAIT, WAIT_MORE, LOG, GROWTH = 1.05, 3, 1.5, 0.005, 17 << 20, 1.1


# MARK: Phones


class Line:
    """One connection of a phone: kept open, opened again when the server closed it."""

    def __init__(self, port):
        self.port, self.socket, self.got, self.asked = port, None, b"", None

    def open(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self):
        self.socket.close()
        self.socket, self.got = None, b""


def answer(got, is_whole=re.compile(rb"\r\nContent-Length: (\d+)\r\n")):
    """Status, head and body of one answer, or None while it is incomplete."""
    head, end, body = got.partition(b"\r\n\r\n")
    if not end:
        return None
    status = int(head[9:12])
    length = is_whole.search(head + b"\r\n")
    # An answer without a body gives the length that the body would have had.
    wanted = 0 if status == 304 else int(length.group(1))
    return (status, head, body) if len(body) >= wanted else None


def phones(port, acknowledged, pipe):
    """A separate process, so that nothing else in this program is measured: it polls at fixed times, whether the previous poll was answered
    or not, and counts a wait from the time at which the poll should have been sent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ready = selectors.DefaultSelector()
    idle, busy = collections.deque(Line(port) for _ in range(CONNECTIONS)), set()
    etags, newest = {}, 0
    waits, wrong, opened, count = [], [], 0, 0
    begun = told = time.monotonic()

    def send(line, due, path, again):
        nonlocal opened
        # It must show every change that was answered before this poll was sent.
        floor = max(newest, acknowledged.value)
        line.asked, line.got = (due, path, floor, again), b""
        if line.socket is None:
            line.open()
            opened += 1
        if line.socket not in busy:
            ready.register(line.socket, selectors.EVENT_READ, line)
            busy.add(line.socket)
        condition = f"If-None-Match: {etags[path]}\r\n" if path in etags and random.random() < 0.5 else ""
        line.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: feeds\r\n{condition}\r\n".encode())

    def drop(line):
        ready.unregister(line.socket)
        busy.discard(line.socket)
        line.close()

    while True:
        now = time.monotonic()
        while idle and begun + count / POLLS <= now:
            line, due, path = idle.popleft(), begun + count / POLLS, PATHS[count % len(PATHS)]
            count += 1
            try:
                send(line, due, path, False)
            except OSError:
                if line.socket is not None:
                    drop(line)
                try:
                    send(line, due, path, True)
                except OSError as error:
                    wrong.append(f"{path}: {error!r}")
                    if line.socket is not None:
                        drop(line)
                    idle.append(line)
        for key, _ in ready.select(max(0, min(0.05, begun + count / POLLS - time.monotonic())) if idle else 0.05):
            line = key.data
            due, path, floor, again = line.asked
            try:
                piece = line.socket.recv(65536)
            except OSError:
                piece = b""
            if not piece:
                # A connection ends after five minutes, or when it was quiet too long: then the poll is repeated, once.
                drop(line)
                try:
                    if again or line.got:
                        raise OSError("closed without an answer")
                    send(line, due, path, True)
                except OSError as error:
                    wrong.append(f"{path}: {error!r}")
                    idle.append(line)
                continue
            line.got += piece
            whole = answer(line.got)
            if whole is None:
                continue
            status, head, body = whole
            waits.append(time.monotonic() - due)
            if status not in (200, 304) or (status == 200 and not body.startswith(b"{")):
                wrong.append(f"{path}: {status} {body[:60]}")
            if status == 200:
                etags[path] = re.search(rb"\r\nETag: ([^\r]+)", head).group(1).decode()
                if path.endswith("/gate.json"):
                    revision = int(re.search(rb'"revision"\s*:\s*(\d+)', body).group(1))
                    if revision < floor:
                        wrong.append(f"{path}: revision {revision} after {floor}")
                    newest = max(newest, revision)
            if b"\r\nConnection: close" in head:
                drop(line)
            line.got = b""
            idle.append(line)
        if now - told >= PAUSE:
            try:
                pipe.send((waits, wrong, opened, len(idle)))
            except OSError:
                return
            waits, wrong, told = [], [], now


# MARK: Everybody else


class Worker(threading.Thread):
    """Goes on until it is stopped, and keeps what went wrong."""

    def __init__(self, soak):
        super().__init__(daemon=True)
        self.soak, self.wrong, self.over = soak, [], threading.Event()

    def run(self):
        while not self.over.is_set():
            try:
                self.work()
            # Catches everything: nobody would notice that a worker is gone.
            except Exception as error:
                self.wrong.append(f"{type(self).__name__}: {error!r}")
                self.over.wait(1)

    def stop(self):
        self.over.set()
        self.join()


class Changer(Worker):
    """One change a second; `refused` are those refused because of a fault."""

    def __init__(self, soak):
        super().__init__(soak)
        self.number, self.heard, self.asked, self.refused, self.waits = 0, {}, set(), 0, []
        self.next = time.monotonic()

    def work(self):
        self.over.wait(max(0, self.next - time.monotonic()))
        self.next = max(self.next + 1, time.monotonic())
        self.change()

    def change(self):
        self.number += 1
        text, faulty = f"soak {self.number}", self.soak.is_faulty()
        self.asked.add(text)
        status, answer, took = self.soak.server.alert(text, "ios" if self.number % 2 else "android")
        faulty = faulty or self.soak.is_faulty()
        if status == 200:
            self.heard[text] = answer["change"]["sequence"]
            if self.number % 2:
                self.soak.acknowledged.value = answer["change"]["targets"][0]["revision"]
            if not faulty:
                self.waits.append(took)
        elif faulty and status in (503, 507):
            self.refused += 1
        else:
            self.wrong.append(f"change: {status} {answer}")

    def taken(self):
        waits, self.waits = self.waits, []
        return waits


class Dashboard(Worker):
    """Somebody who opens the dashboard, signs in, watches for a while, and goes."""

    visits = 0

    def ask(self, method, path, body=None, headers={}):
        status, fields, text = ask(self.soak.server.admin, method, path, body, headers | ({"Content-Type": "application/json"} if body is not None else {}))
        # Only a fault may turn a dashboard away.
        if status >= 400 and not (self.soak.is_faulty() and status in (503, 507)):
            self.wrong.append(f"dashboard: {method} {path} {status} {text[:100]}")
        return status, fields, text

    def work(self):
        self.over.wait(random.uniform(1, 20))
        self.ask("GET", "/")
        status, fields, text = self.ask("POST", "/api/v1/session", {"username": "faults", "password": "violet-harbour-41-lantern"})
        if status != 200:
            return
        Dashboard.visits += 1
        signed = {"Cookie": fields["Set-Cookie"].split(";")[0], "X-Gatehouse-CSRF": json.loads(text)["csrf"]}
        status, _, text = self.ask("GET", "/api/v1/status", headers=signed)
        after = json.loads(text)["sequence"]
        for path in ("/api/v1/targets", "/api/v1/changes?limit=50", "/api/v1/windows"):
            self.ask("GET", path, headers=signed)
        leaves = time.monotonic() + random.uniform(10, 60)
        while time.monotonic() < leaves and not self.over.wait(1):
            status, _, text = self.ask("GET", f"/api/v1/events?after={after}", headers=signed)
            if status == 200:
                after = json.loads(text)["sequence"]
        # Some just close the browser window, without signing out.
        if random.random() < 0.7:
            self.ask("DELETE", "/api/v1/session", {}, headers=signed)


class Faults(Worker):
    """Makes faults one after the other, each for some seconds, with as many quiet seconds around it."""

    def __init__(self, soak):
        super().__init__(soak)
        self.done, self.turn = collections.Counter(), 0

    def work(self):
        if self.over.wait(FAULT_EVERY):
            return
        faults = [self.hang_up, self.locked, self.backup, self.full, self.backup_beside]
        fault = faults[self.turn % len(faults)]
        self.turn += 1
        if fault():
            name = fault.__name__.replace("_", " ")
            self.done[name] += 1
            self.soak.events.append((time.monotonic(), name))

    def hang_up(self):
        self.soak.server.process.send_signal(signal.SIGHUP)
        return True

    def locked(self):
        other = sqlite3.connect(self.soak.server.data / "gatehouse.sqlite", isolation_level=None, timeout=5)
        with self.soak.fault():
            other.execute("BEGIN EXCLUSIVE")
            self.over.wait(7)
            other.execute("ROLLBACK")
        other.close()
        return True

    def full(self):
        if not self.soak.has_disk:
            return False
        ballast = self.soak.disk / "ballast"
        with self.soak.fault():
            with open(ballast, "wb", buffering=0) as file:
                room = os.statvfs(self.soak.disk)
                os.posix_fallocate(file.fileno(), 0, max(1, (room.f_bavail - 64) * room.f_frsize))
                file.seek(0, os.SEEK_END)
                try:
                    while True:
                        file.write(bytes(1024))
                except OSError:
                    # It is full.
                    pass
            self.over.wait(7)
            ballast.unlink()
        return True

    def backup(self):
        status, answer = self.soak.server.call("POST", "/backups")
        if status != 201:
            self.wrong.append(f"backup: {status} {answer}")
        return True

    def backup_beside(self):
        file = self.soak.folder / "beside.backup"
        made = subprocess.run([GATEHOUSE, "backup", "--data", self.soak.server.data, "--out", file], capture_output=True, text=True)
        if made.returncode:
            self.wrong.append(f"gatehouse backup: {made.stderr}")
        return True


# MARK: Looking


def at(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share))] if values else 0


class Soak:
    def __init__(self, folder):
        self.folder, self.disk, self.has_disk = folder, folder / "disk", os.geteuid() == 0
        self.disk.mkdir(parents=True)
        if self.has_disk:
            # A separate file system on the real disk: it can be full, and a flush takes its real time.
            image = folder / "image"
            with open(image, "wb") as file:
                file.truncate(DISK)
            subprocess.run(["mkfs.ext4", "-q", "-m", "0", image], check=True)
            subprocess.run(["mount", "-o", "loop", image, self.disk], check=True)
        self.acknowledged, self.events, self.faults, self.healed = multiprocessing.Value("q", 0), [], 0, 0.0
        self.server = Server(self.disk / "data", "--backup-dir", folder / "backups", "--backup-every", "5m", "--backup-keep", "6")

    def age(self, changer):
        """Makes changes as fast as they are accepted, until the database is as large as one that has been used for years."""
        while (self.server.data / "gatehouse.sqlite").stat().st_size < AGED:
            for _ in range(200):
                changer.change()
            if changer.wrong:
                raise SystemExit(f"no change is taken: {changer.wrong[:1]}")
        changer.taken()

    @contextlib.contextmanager
    def fault(self):
        """Ends the fault whatever happens in it: a fault that never ends would excuse every refusal."""
        self.faults += 1
        try:
            yield
        finally:
            self.healed = time.monotonic()
            self.faults -= 1

    def is_faulty(self):
        """True during a fault, and for the seconds after it in which the server may still recover (R14)."""
        return self.faults > 0 or time.monotonic() - self.healed < 6

    def look(self):
        process = f"/proc/{self.server.process.pid}"
        status = open(f"{process}/status").read()
        size = lambda name: (self.server.data / name).stat().st_size if (self.server.data / name).exists() else 0
        return {
            "memory": int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) << 10, "threads": int(re.search(r"Threads:\s+(\d+)", status).group(1)),
            "descriptors": len(os.listdir(f"{process}/fd")), "log": size("gatehouse.sqlite-wal"), "database": size("gatehouse.sqlite"),
            "backups": sum(path.stat().st_size for path in (self.folder / "backups").iterdir()), "load": os.getloadavg()[0],
        }

    def clean(self):
        if self.server.process.poll() is None:
            self.server.end(signal.SIGKILL)
        if self.has_disk:
            subprocess.run(["umount", self.disk])


def quarters(samples, name):
    """The values of the second quarter, and of the last."""
    values, count = [sample[name] for sample in samples], len(samples)
    return values[count // 4:count // 2], values[count * 3 // 4:]


def flat(samples):
    median = statistics.median
    mib = lambda bytes: f"{bytes / (1 << 20):.1f} MiB"
    before, after = map(median, quarters(samples, "memory"))
    yield f"memory in the last quarter is at most {MEMORY - 1:.0%} above the second one's", after <= before * MEMORY, f"median {mib(before)}, then {mib(after)}; most {mib(max(sample['memory'] for sample in samples))}"
    before, after = map(median, quarters(samples, "descriptors"))
    yield f"so are descriptors, within {DESCRIPTORS}", after <= before + DESCRIPTORS, f"{before:.0f}, then {after:.0f}; {median(quarters(samples, 'threads')[1]):.0f} threads"
    before, after = map(median, quarters(samples, "p99"))
    yield f"a phone waits no longer: p99 at most {WAIT} times as long, or {WAIT_MORE * 1000:.0f} ms more", after <= max(before * WAIT, before + WAIT_MORE), f"median of p99 {before * 1000:.1f} ms, then {after * 1000:.1f} ms; slowest of all {max(sample['slowest'] for sample in samples) * 1000:.0f} ms"
    before, after = map(median, quarters(samples, "change"))
    yield f"nor does a change: at most {WAIT} times as long, or {WAIT_MORE * 1000:.0f} ms more", after <= max(before * WAIT, before + WAIT_MORE), f"median {before * 1000:.1f} ms, then {after * 1000:.1f} ms"
    before, after = map(max, quarters(samples, "log"))
    yield f"the log beside the database stays below {mib(LOG)}, or where it was", after <= max(before, LOG), f"most {mib(before)}, then {mib(after)}"
    # The history keeps every change, so the size of one change must stay flat.
    count = len(samples)
    grown = lambda first, last: (samples[last]["database"] - samples[first]["database"]) / max(1, samples[last]["changes"] - samples[first]["changes"])
    before, after = grown(count // 4, count // 2), grown(count * 3 // 4, count - 1)
    yield f"a change takes at most {GROWTH - 1:.0%} more of the disk", after <= before * GROWTH, f"{before / 1024:.1f} KiB each, then {after / 1024:.1f} KiB; in the end {mib(samples[-1]['database'])} and {mib(samples[-1]['backups'])} of backups"


def thin(samples, most=120):
    """For the chart: at most so many samples, each the median of those that it stands for."""
    step = -(-len(samples) // most)
    groups = [samples[index:index + step] for index in range(0, len(samples), step)]
    rounded = lambda value: float(f"{value:.4g}") if isinstance(value, float) else value
    return [{name: rounded(statistics.median_high([sample[name] for sample in group])) for name in group[0]} for group in groups]


def run(folder, minutes, curve):
    """Fills `curve` with what the chart shows."""
    soak = Soak(folder)
    try:
        yield from _run(soak, minutes, curve)
    finally:
        soak.clean()


def _run(soak, minutes, curve):
    changer, faults = Changer(soak), Faults(soak)
    begun = time.monotonic()
    soak.age(changer)
    aged = len(changer.heard)
    print(f"     {aged:,} changes before it begins, in {time.monotonic() - begun:.0f} s", flush=True)
    here, there = multiprocessing.Pipe(duplex=False)
    poller = multiprocessing.Process(target=phones, args=(soak.server.feeds, soak.acknowledged, there), daemon=True)
    poller.start()
    there.close()
    workers = [changer, faults] + [Dashboard(soak) for _ in range(DASHBOARDS)]
    for worker in workers:
        worker.start()
    begun, samples, wrong, polls, opened = time.monotonic(), [], [], 0, 0
    last = 0.0
    while time.monotonic() - begun < minutes * 60:
        waits, odd, opened, idle = here.recv()
        wrong += odd
        polls += len(waits)
        changes = changer.taken()
        last = statistics.median(changes) if changes else last
        samples.append(soak.look() | {
            "at": time.monotonic() - begun, "polls": len(waits), "p50": at(waits, 0.5), "p99": at(waits, 0.99), "slowest": max(waits, default=0.0),
            "change": last, "changes": len(changer.heard) - aged,
        })
        if len(samples) % (60 // PAUSE) == 0:
            now = samples[-1]
            print(f"     {now['at'] / 60:.0f} min: {now['memory'] >> 20} MiB, {now['descriptors']} descriptors, p99 {now['p99'] * 1000:.1f} ms, log {now['log'] >> 10} KiB, "
                  f"database {now['database'] >> 10} KiB, {len(changer.heard) - aged} changes, {polls} polls, load {now['load']:.1f}, wrong {wrong[:1]}", flush=True)
    took = time.monotonic() - begun
    poller.terminate()
    for worker in workers:
        worker.stop()
    curve |= {"minutes": round(took / 60, 1), "samples": thin(samples), "faults": [[round(moment - begun), name] for moment, name in soak.events]}
    load = statistics.median(sample["load"] for sample in samples)
    yield f"{took / 60:.0f} minutes: every poll is answered with the feed, and with no older one than before", not wrong, f"{polls:,} polls, {polls / took:.0f} a second on {CONNECTIONS} connections, {opened:,} times opened; wrong {len(wrong)} {wrong[:3]}; load of the machine {load:.1f}"
    odd = [line for worker in workers for line in worker.wrong]
    yield "changes, dashboards and backups are refused by a fault alone", not odd and Dashboard.visits > 0 and sum(faults.done.values()) > 0, f"{len(changer.heard) - aged:,} changes after {aged:,}, {changer.refused} refused, {Dashboard.visits} visits; {', '.join(f'{count} {name}' for name, count in sorted(faults.done.items()))}; {odd[:3]}"
    yield from flat(samples)
    yield from history.judged(soak.server, changer.heard, changer.asked)
    yield "the server ends in order, and the database is sound", soak.server.end() == 0 and history.verify(soak.server.data)[0], ""
