"""R13, R14, R50: the server's n-th write to a disk fails, for every n up to 200, while changes, people, tokens and windows are made, and
again while it starts. What was answered with success is there, what was refused is not, feeds go on, and the health reports it and
recovers."""
import mmap
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import time

import history
from server import FEED, Server, ask

HERE = pathlib.Path(__file__).resolve().parent
ERRORS = {5: "EIO", 28: "ENOSPC", 30: "EROFS"}
MOST = 200


class Told:
    """The page that is shared with shim.c: writes so far, which of them fails, and with which error."""

    def __init__(self, folder):
        self.library, self.path = folder / "shim.so", folder / "told"
        # clang comes with Swift.
        subprocess.run(["clang", "-O1", "-shared", "-fPIC", "-o", self.library, HERE / "shim.c", "-ldl"], check=True)
        self.path.write_bytes(bytes(mmap.PAGESIZE))
        self.file = open(self.path, "r+b")
        self.page = mmap.mmap(self.file.fileno(), mmap.PAGESIZE)

    @property
    def count(self):
        return struct.unpack_from("q", self.page)[0]

    def fail(self, number, error=5):
        struct.pack_into("qqq", self.page, 0, 0, number, error)


class Shimmed(Server):
    def __init__(self, folder, told):
        self.told = told
        super().__init__(folder)

    def launch(self):
        kept = {name: os.environ.get(name) for name in ("LD_PRELOAD", "FAULTS_TOLD")}
        os.environ |= {"LD_PRELOAD": str(self.told.library), "FAULTS_TOLD": str(self.told.path)}
        try:
            super().launch()
        finally:
            for name, value in kept.items():
                if value is None:
                    del os.environ[name]


def run(folder):
    folder.mkdir()
    told = Told(folder)
    server = Shimmed(folder / "data", told)
    try:
        yield from running(server, told)
        yield from starting(server, told)
    finally:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


class Story:
    """The requests, and the server's answers."""

    def __init__(self, server):
        self.server, self.number = server, 0
        self.changes, self.refused, self.others, self.lost, self.odd = {}, set(), {}, [], []

    def step(self):
        """Makes one write, of each kind in turn; returns its status."""
        self.number += 1
        text, kind = f"nth {self.number}", self.number % 6
        if kind in (0, 2, 4):
            status, answer, _ = self.server.alert(text, "ios" if kind == 2 else "android")
            if status == 200:
                self.changes[text] = answer["change"]["sequence"]
            else:
                self.refused.add(text)
        elif kind == 1:
            status, answer = self.server.call("POST", "/users", {"username": f"person{self.number}", "role": "viewer", "password": "violet-harbour-41-lantern"}) if self.number % 24 == 1 \
                else self.server.call("PATCH", "/apps/shop", {"name": text})
        elif kind == 3:
            status, answer = self.server.call("POST", "/tokens", {"name": text, "role": "viewer"})
        else:
            _, target = self.server.call("GET", "/targets/shop/ios")
            status, answer = self.server.call("POST", "/windows", {
                "targets": [{"app": "shop", "platform": "ios", "revision": target["revision"]}], "set": {"alert": {"message": text, "blocking": False}},
                "start": {"at": "2031-01-01T00:00:00Z", "zone": "UTC"}})
        if kind in (1, 3, 5):
            self.others[(kind, text if kind != 1 or self.number % 24 != 1 else f"person{self.number}")] = status
        # A failure of the disk must be reported as such: 503 or 507, and never an unnamed error.
        if status not in (200, 201, 503, 507):
            self.odd.append(f"{status} {answer}")
        if kind == 3 and self.number % 120 == 3 or kind == 5 and self.number % 60 == 5:
            self.tidy()
        return status

    def tidy(self):
        """Removes tokens and windows, since a person's tokens and an app's windows are limited in number."""
        for token in self.server.call("GET", "/tokens")[1]["items"]:
            if token["name"].startswith("nth ") and not token.get("revokedAt"):
                self.server.call("DELETE", f"/tokens/{token['id']}")
        for window in self.server.call("GET", "/windows?limit=500")[1]["items"]:
            if window["state"] == "pending":
                self.server.call("DELETE", f"/windows/{window['id']}")


def well(server, seconds=8):
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        if server.health() == {"state": "ok", "reasons": []}:
            return True
        time.sleep(0.02)
    return False


def pages(server, path):
    """All items of a list."""
    items, cursor = [], ""
    while True:
        status, page = server.call("GET", path + cursor)
        assert status == 200, page
        items += page["items"]
        if not page.get("next"):
            return items
        cursor = "&cursor=" + page["next"]


def running(server, told):
    story = Story(server)
    wrong, ill, hit, answered_well, told_of = [], 0, 0, 0, 0
    for number in range(1, MOST + 1):
        error = list(ERRORS)[number % len(ERRORS)]
        feed = server.feed()
        told.fail(number, error)
        while told.count < number:
            before = server.feed()
            status = story.step()
            # Since the answer, nothing else was written that a feed would show.
            after = server.feed()
            if status >= 400 and after != before:
                wrong.append(f"{number}: refused with {status}, and the feed is another")
            if not after.startswith(b"{"):
                wrong.append(f"{number}: the feed is {after[:80]}")
            if told.count >= number:
                hit += status >= 400
                answered_well += status < 400
                health = server.health()
                told_of += status >= 400 and health["state"] == "degraded"
        told.fail(0)
        if not well(server):
            wrong.append(f"{number}, {ERRORS[error]}: not well again: {server.health()}")
        if story.server.alert(f"nth after {number}", "ios")[0] != 200:
            wrong.append(f"{number}, {ERRORS[error]}: no change is taken afterwards")
    items = history.changes(server)
    written = history.alerts(items)
    lost = [text for text, sequence in story.changes.items() if written.get(text) != [sequence]]
    ghosts = [text for text in story.refused if text in written]
    yield f"the n-th write fails, for every n up to {MOST}: feeds stay, and it is well again within 8 s", not wrong, f"{hit} requests refused, {answered_well} not concerned (written behind); the health said so {told_of} times; {wrong[:3]}"
    # It may have recovered before it is asked.
    yield "the health tells of it", told_of >= hit // 2, f"{told_of} of {hit} times"
    yield "a refusal has its name", not story.odd, f"{story.number} writes; {story.odd[:2]}"
    yield "what was answered well is there once", not lost, f"{len(story.changes)} changes; lost {lost[:3]}"
    yield "what was refused is not there", not ghosts, f"{len(story.refused)} refused; {ghosts[:3]}"
    tokens = {token["name"] for token in server.call("GET", "/tokens")[1]["items"]}
    people = {person["username"] for person in server.call("GET", "/users")[1]["items"]}
    windows = {window["set"]["alert"]["message"] for window in pages(server, "/windows?limit=500")}
    there = {1: people, 3: tokens, 5: windows}
    # Each name of an app replaces the one before.
    others = {(kind, text): status for (kind, text), status in story.others.items() if kind != 1 or text.startswith("person")}
    missing = [f"{text}: {status}" for (kind, text), status in others.items() if (status == 201) != (text in there[kind])]
    kinds = {kind: sum(1 for one, _ in others if one == kind) for kind in there}
    yield "nor is any person, token or window of a refusal, and all others are", not missing and all(kinds.values()), f"{kinds[1]}, {kinds[3]}, {kinds[5]} of them; {missing[:3]}"
    yield "the server ends in order, and all of it is sound", server.end() == 0 and history.verify(server.data)[0], ""


def starting(server, told):
    """The same from the first write of a start on, with a write-ahead log to be taken in."""
    server.start()
    for number in range(20):
        server.alert(f"Before the start {number}")
    # The feeds served while the database cannot be read were stored within a second of their change.
    server.kept("Before the start 19")
    wanted = server.feed()
    server.end(signal.SIGKILL)
    kept, wrong, refused, most = pathlib.Path(f"{server.data}-kept"), [], 0, 0
    shutil.copytree(server.data, kept)
    for number in range(1, 61):
        shutil.rmtree(server.data)
        shutil.copytree(kept, server.data)
        told.fail(number)
        server.launch()
        if server.process.stdout.readline():
            time.sleep(0.05)
            body = ask(server.feeds, "GET", FEED)
            if body[0] != 200 or body[2] != wanted:
                wrong.append(f"{number}: the feed is {body[0]} {body[2][:80]}")
            most = max(most, told.count)
            told.fail(0)
            if not well(server, 15) or server.alert("After the start")[0] != 200:
                wrong.append(f"{number}: not well again: {server.health()}")
        else:
            # It says why and ends, and the next start works.
            refused += 1
            if server.process.wait(10) not in (1, 64):
                wrong.append(f"{number}: ended with {server.process.returncode}")
            told.fail(0)
            server.start()
            if server.feed() != wanted:
                wrong.append(f"{number}: the feed of the next start is another")
        if server.end() != 0:
            wrong.append(f"{number}: does not end in order: {server.process.returncode}")
        if not history.verify(server.data)[0]:
            wrong.append(f"{number}: not sound: {history.verify(server.data)[1][:200]}")
    yield "the n-th write of a start fails: the same feeds, and well again by itself or at the next start", not wrong, f"60 starts, {most} writes seen in one, {refused} ended; {wrong[:3]}"
