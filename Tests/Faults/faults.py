"""What Gatehouse promises when the disk or the database fails, and when callers are hostile: feeds go on, writes are refused soon, it
recovers by itself, and no secret gets out."""
import argparse
import atexit
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time

import canary
import corrupted
import crowd
import history
import hostile
import killed
import limits
import loaded
import nth
import passwords
import requirements
import slow
import soak
import storm
from server import Phone, Server, ask, until

WORK = pathlib.Path(tempfile.mkdtemp(prefix="gatehouse-faults-"))
failures, servers, mounts, lines = [], [], [], []


def clean():
    for server in servers:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)
    for mount in mounts:
        subprocess.run(["umount", mount])
    if failures:
        return print(f"what there was of it is in {WORK}")
    shutil.rmtree(WORK, ignore_errors=True)


atexit.register(clean)


def check(name, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {name}{f'  ({detail})' if detail else ''}", flush=True)
    lines.append([name, bool(holds), str(detail)])
    if not holds:
        failures.append(name)


def serve(folder, *options):
    server = Server(folder, *options)
    servers.append(server)
    return server


def recovers(server, seconds=8):
    """Whether a write works again, and the health says so, without a restart."""
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        status, _, _ = server.alert(f"Well again {time.monotonic()}")
        if status == 200 and server.health() == {"state": "ok", "reasons": []}:
            return True, f"{time.monotonic() - begun:.1f} s"
        time.sleep(0.1)
    return False, f"{status} {server.health()}"


def attached(server):
    """Waits until strace is attached, which it is soon after the kernel names a tracer."""
    until(lambda: "TracerPid:\t0\n" not in open(f"/proc/{server.process.pid}/status").read(), "strace is attached", 30)
    time.sleep(0.3)


def during(server, name, statuses, begin, end):
    """Makes a fault from `begin` to `end` while a phone polls."""
    phone = Phone(server)
    begin()
    refused, slowest, answer = [], 0, None
    for number in range(3):
        status, answer, took = server.alert(f"{name} {number}: " + "x" * 400)
        refused.append(status)
        slowest = max(slowest, took)
        time.sleep(0.3)
    check(f"{name}: writes are refused with {statuses} within 6 s", all(status in statuses for status in refused) and slowest <= 6,
          f"{refused}, the slowest {slowest:.2f} s, {answer and answer.get('code')}")
    status, _, text = ask(server.admin, "GET", "/healthz/ready")
    check(f"{name}: /healthz/ready says degraded and why", status == 200 and b'"degraded"' in text and b"database" in text, text.decode())
    end()
    holds, detail = phone.stop()
    check(f"{name}: feeds answer 200 with the last bytes throughout", holds, detail)
    check(f"{name}: recovers without a restart", *recovers(server))


def full():
    if os.geteuid() != 0:
        return print("--   full: needs root for a small tmpfs")
    disk = WORK / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", disk], check=True)
    mounts.append(disk)
    server = serve(disk / "data")
    ballast = disk / "ballast"

    def fill():
        with open(ballast, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
        # Space already allocated for the log is used up first.
        for number in range(400):
            if server.alert(f"Filling {number} " + "x" * 400, "android")[0] != 200:
                break

    phone_sees = server.alert("Before the disk is full")
    assert phone_sees[0] == 200
    # Filling changes android, which is in the same feed, so the phone begins after it.
    fill()
    during(server, "full", (507, 503), lambda: None, ballast.unlink)
    server.end()


def injected():
    server = serve(WORK / "injected")
    for name, what in (("EIO on writes", "pwrite64:error=EIO"), ("EIO on flushes", "fdatasync:error=EIO"), ("read-only", "pwrite64:error=EROFS"),
                       ("no space left", "pwrite64:error=ENOSPC")):
        tracer = []

        def begin():
            tracer.append(subprocess.Popen(["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + what.split(":")[0], "-e", "inject=" + what,
                                            "-p", str(server.process.pid)], stderr=subprocess.DEVNULL))
            attached(server)

        def end():
            tracer[0].send_signal(signal.SIGINT)
            tracer[0].wait()

        during(server, name, (503, 507), begin, end)
    check("after all of it the database is sound", server.end() == 0 and verified(server))


def verified(server):
    return history.verify(server.data)[0]


def locked():
    server = serve(WORK / "locked")
    other = sqlite3.connect(server.data / "gatehouse.sqlite", isolation_level=None)
    during(server, "locked", (503,), lambda: other.execute("BEGIN EXCLUSIVE"), lambda: other.execute("ROLLBACK"))
    other.close()
    server.end()


def deleted():
    server = serve(WORK / "deleted")
    away = WORK / "away"
    away.mkdir()
    names = ["gatehouse.sqlite", "gatehouse.sqlite-wal", "gatehouse.sqlite-shm"]

    def move(source, target):
        for name in names:
            if (source / name).exists():
                (source / name).rename(target / name)

    during(server, "taken away", (503,), lambda: move(server.data, away), lambda: move(away, server.data))
    phone = Phone(server)
    for name in names:
        (server.data / name).unlink(missing_ok=True)
    status, _, took = server.alert("Nothing to write to")
    check("deleted: writes are refused with 503 within 6 s", status == 503 and took <= 6, f"{status} after {took:.2f} s")
    begun = time.monotonic()
    while server.health()["state"] != "ok" and time.monotonic() - begun < 15:
        time.sleep(0.1)
    check("deleted: feeds answer 200 with the last bytes throughout", *phone.stop())
    check("deleted: writes itself anew and recovers without a restart", *recovers(server, 1))
    saved = server.alert("Acknowledged before the copy is brought back")[0]
    for name in names[:2]:
        shutil.copy(server.data / name, away / name)
    for name in names:
        (server.data / name).unlink(missing_ok=True)
    for name in names[:2]:
        shutil.copy(away / name, server.data / name)
    check("a copy in its place: recovers without a restart", *recovers(server, 15))
    check("after all of it the database is sound", saved == 200 and server.end() == 0 and verified(server))


def unreadable():
    server = serve(WORK / "unreadable")
    server.alert("Before the database is damaged")
    wanted = server.feed()
    server.end()
    database = server.data / "gatehouse.sqlite"
    sound = database.read_bytes()
    database.write_bytes(bytes(4096) + sound[4096:])
    begun = time.monotonic()
    server.start(waits=False)
    body = server.feed()
    took = time.monotonic() - begun
    check("unreadable at the start: feeds from publication/ within a second", body == wanted and took <= 1, f"{took:.2f} s")
    status, _, text = ask(server.admin, "GET", "/healthz/ready")
    check("unreadable: /healthz/ready says degraded and why", status == 200 and b'"degraded"' in text and b"database" in text, text.decode())
    status, answer, _ = server.alert("Refused")
    check("unreadable: writes are refused", status in (401, 503), f"{status} {answer}")
    phone = Phone(server)
    database.write_bytes(sound)
    time.sleep(1)
    holds, detail = phone.stop()
    check("unreadable: feeds go on while it is mended", holds, detail)
    check("unreadable: recovers without a restart", *recovers(server, 10))
    server.end()


def order():
    """R2: the log reaches the disk before the answer is sent."""
    server = serve(WORK / "order")
    trace = WORK / "trace"
    tracer = subprocess.Popen(["strace", "-f", "-qq", "-y", "-s", "40", "-o", trace, "-e", "trace=pwrite64,fdatasync,sendto,sendmsg,write,writev", "-p",
                               str(server.process.pid)], stderr=subprocess.DEVNULL)
    attached(server)
    requests = [
        ("POST", "/apps", {"key": "other", "name": "Other"}), ("PUT", "/apps/other/platforms/ios", {}), ("PATCH", "/apps/other", {"name": "Others"}),
        ("POST", "/changes", {"targets": [{"app": "other", "platform": "ios", "revision": 1}], "set": {"alert": {"message": "Hello", "blocking": False}}}),
        ("DELETE", "/apps/other", {"confirm": "delete other"}),
    ]
    good = 0
    for method, path, body in requests:
        status, answer = server.call(method, path, body)
        assert status in (200, 201), (method, path, status, answer)
    tracer.send_signal(signal.SIGINT)
    tracer.wait()
    dirty, started = False, {}
    for line in trace.read_text(errors="replace").splitlines():
        thread, _, call = line.partition(" ")
        call = call.strip()
        if "-wal>" in call and call.startswith("pwrite64"):
            dirty = True
        if call.startswith("fdatasync") and "-wal>" in call:
            started[thread] = True
            if call.rstrip().endswith("= 0"):
                dirty = False
        if call.startswith("<... fdatasync resumed") and started.pop(thread, False) and call.endswith("= 0"):
            dirty = False
        if ('"HTTP/1.1 200' in call or '"HTTP/1.1 201' in call) and not dirty:
            good += 1
    check("the log is flushed before each 2xx leaves", good == len(requests), f"{good} of {len(requests)} answers")
    server.end()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="Tests/Faults/run")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--minutes", type=float, default=60, help="of soak")
    parser.add_argument("--rounds", type=int, help="of killed (30) and corrupted (100)")
    parser.add_argument("--seed", type=int, help="of killed and corrupted: makes the same choices again")
    given = parser.parse_args()
    parts = {"full": full, "injected": injected, "locked": locked, "deleted": deleted, "unreadable": unreadable, "order": order}
    runs = {
        "storm": lambda server: storm.run(server, int(os.environ.get("FAULTS_ROUNDS", "30")), WORK / "clients.log"), "slow": lambda server: slow.run(server, WORK),
        "crowd": crowd.run, "limits": limits.run, "passwords": passwords.run,
    }
    options = {"passwords": ("--trusted-proxy", "127.0.0.1")}
    alone = {
        "canary": lambda folder, more: canary.run(folder), "hostile": lambda folder, more: hostile.run(folder),
        "killed": lambda folder, more: killed.run(folder, given.rounds or 30, given.seed), "corrupted": lambda folder, more: corrupted.run(folder, given.rounds or 100, given.seed),
        "nth": lambda folder, more: nth.run(folder), "loaded": lambda folder, more: loaded.run(folder), "soak": lambda folder, more: soak.run(folder, given.minutes, more),
    }
    # A soak takes an hour, and loaded takes the whole machine: they run only if named.
    names = [name for name in given.names if name != "table"] if given.names else [*parts, *runs, *(name for name in alone if name not in ("soak", "loaded"))]
    for name in names:
        print(f"== {name}", flush=True)
        lines.clear()
        more = {}
        if name in runs:
            server = serve(WORK / name, *options.get(name, ()))
            for what, holds, detail in runs[name](server):
                check(what, holds, detail)
            check("the database is sound", server.end() == 0 and verified(server))
        elif name in alone:
            for what, holds, detail in alone[name](WORK / name, more):
                check(what, holds, detail)
        else:
            parts[name]()
        requirements.keep(name, lines, more)
    requirements.write()
    print(f"{len(failures)} failed" if failures else "All shown.")
    raise SystemExit(1 if failures else 0)
