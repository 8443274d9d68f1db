"""What phones get when Gatehouse starts badly: from the server itself, and from the shipped Varnish and nginx in front of it.

As root every start is tried, with real mounts and another user; otherwise those that need neither.
"""
import json
import os
import shutil
import subprocess
import sys
import time

import house
from house import ROOT, WORK, Origin, check, failures, get, nginx, varnish, wait

TEXT = "Back at nine."
IS_ROOT = os.geteuid() == 0
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]


def shared_program():
    """Copies the program to where another user can run it: often only its owner may enter a build folder."""
    program = WORK / "gatehouse"
    shutil.copy(house.GATEHOUSE, program)
    program.chmod(0o755)
    house.GATEHOUSE = str(program)


def give(path):
    """Gives the folder and everything in it to the other user."""
    for place in [path, *path.rglob("*")]:
        os.chown(place, 65534, 65534)


def remove_database(data):
    for name in ("gatehouse.sqlite", "gatehouse.sqlite-wal", "gatehouse.sqlite-shm"):
        (data / name).unlink(missing_ok=True)


def make_older_schema(data):
    """Replaces the database by one of the previous release."""
    old, made = WORK / "migrations-before", WORK / "made-before"
    old.mkdir()
    for migration in sorted((ROOT / "Migrations").glob("*.sql"))[:-1]:
        shutil.copy(migration, old)
    words = [house.GATEHOUSE, "init", "--data", made, "--username", "edge", "--password-stdin", "--migrations", old]
    subprocess.run(words, input="violet-harbour-41-lantern\n", text=True, check=True)
    remove_database(data)
    shutil.copy(made / "gatehouse.sqlite", data)


def mount(data, size="24m"):
    """Mounts a separate disk for a folder, and keeps what is in it."""
    kept = WORK / "kept"
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(data, kept)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", data], check=True)
    shutil.copytree(kept, data, dirs_exist_ok=True)


def fill(data):
    mount(data)
    with open(data / "filler", "wb") as filler:
        try:
            while True:
                filler.write(bytes(65_536))
                filler.flush()
        except OSError:
            pass


def write_protect(data):
    mount(data)
    subprocess.run(["mount", "-o", "remount,ro", data], check=True)


def damage(path):
    path.write_bytes(b"no database at all" * 100)


# What is done to the stopped server's folder, whether that needs root, and the user that the server is started as.
STARTS = {
    "as the wrong user": (lambda data: None, True, NOBODY),
    "unreadable folder": (lambda data: (give(data), data.chmod(0)), True, NOBODY),
    "unreadable publication": (lambda data: (remove_database(data), (data / "publication").chmod(0), give(data)), True, NOBODY),
    "missing database": (remove_database, False, []),
    "damaged database": (lambda data: damage(data / "gatehouse.sqlite"), False, []),
    "database and publication gone": (lambda data: (remove_database(data), shutil.rmtree(data / "publication")), False, []),
    "full disk": (fill, True, []),
    "read-only file system": (write_protect, True, []),
    "older schema": (make_older_schema, False, []),
    "a file in the folder's place": (lambda data: (shutil.move(data, f"{data}-aside"), data.write_text("")), False, []),
}


def answer(port):
    try:
        status, headers, body = get(port)
    except OSError:
        return "no answer"
    if TEXT in body.decode(errors="replace"):
        return f"{status} the kill"
    return f"{status} {headers.get('Content-Type', '')}"


def health(origin):
    try:
        status, _, body = get(origin.admin, "/healthz/ready")
        return f"{status} {body.decode().strip()[:120]}"
    except OSError:
        return "no answer"


def telling(log):
    """The log's lines that name a cause or a remedy."""
    lines = []
    for line in log.read_text().splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            lines.append(line)
            continue
        if record["level"] in ("error", "critical"):
            more = " · ".join(str(record[name]) for name in ("error", "path", "remedy") if name in record)
            lines.append(f"{record['message']}{f' · {more}' if more else ''}")
    return lines


def run(name, spoil, user):
    print(f"== {name}", flush=True)
    # Folders, sockets and configurations are named after the case.
    origin = Origin(name.replace(" ", "-").replace("'", ""))
    edges = {"Varnish": varnish(origin), "nginx": nginx(origin)}
    origin.say(TEXT)
    for port in edges.values():
        wait(lambda port=port: TEXT.encode() in get(port)[2], 30)
    wait(lambda: (origin.data / "publication" / "shop.json").exists() and TEXT in (origin.data / "publication" / "shop.json").read_text(), 5)
    origin.stop()
    spoil(origin.data)
    log = WORK / f"{origin.data.name}.log"
    with open(log, "w") as errors:
        origin.start(before=user, stderr=errors)
        # By then the server has either ended, or is up and has tried its database.
        wait(lambda: origin.process.poll() is not None or get(origin.admin, "/healthz/live")[0] == 200, 10)
        time.sleep(2.5)
    ended = origin.process.poll()
    own = answer(origin.feeds)
    print(f"     {'ended with ' + str(ended) if ended is not None else 'health ' + health(origin)}")
    print(f"     feeds    {own}")
    seen = {edge: answer(port) for edge, port in edges.items()}
    for edge, said in seen.items():
        print(f"     {edge:8} {said}")
    told = telling(log)
    for line in told[:3]:
        print(f"     log      {line[:300]}")
    check(f"{name}: the feeds are never 404", not own.startswith("404"), own)
    for edge, said in seen.items():
        check(f"{name}: {edge} goes on with the kill", said == "200 the kill", said)
    check(f"{name}: the log says why", bool(told) or ended is None and "200" in health(origin))
    if ended is None:
        origin.stop()
    subprocess.run(["umount", origin.data], stderr=subprocess.DEVNULL)


shared_program()
WANTED = sys.argv[1:]
for name, (spoil, needs_root, user) in STARTS.items():
    if WANTED and name not in WANTED:
        continue
    if needs_root and not IS_ROOT:
        print(f"== {name}: not tried, for it needs root")
        continue
    run(name, spoil, user)
print(f"{len(failures)} failed" if failures else "All shown.")
raise SystemExit(1 if failures else 0)
