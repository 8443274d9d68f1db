"""R1: changes without a pause, SIGKILL at a random moment, and every answer that came is in the history exactly once."""
import http.client
import json
import os
import random
import signal
import threading
import time

from server import ask


class Client(threading.Thread):
    """Changes one target as fast as it is answered; what it asks and what it hears goes to a file, flushed, before it goes on."""

    def __init__(self, server, platform, log, turn):
        super().__init__()
        self.server, self.platform, self.log, self.turn = server, platform, log, turn
        self.over = threading.Event()

    def note(self, *words):
        os.write(self.log, (json.dumps(words) + "\n").encode())
        os.fsync(self.log)

    def run(self):
        number = 0
        while not self.over.is_set():
            number += 1
            text = f"{self.platform} {self.turn} {number}"
            self.note("asked", text)
            try:
                status, answer, _ = self.server.alert(text, self.platform)
            except (OSError, http.client.HTTPException, ValueError):
                return
            if status == 200:
                self.note("heard", text, answer["change"]["sequence"])


def run(server, rounds, path):
    log = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    for turn in range(rounds):
        clients = [Client(server, platform, log, turn) for platform in ("ios", "android")]
        for client in clients:
            client.start()
        time.sleep(random.uniform(0.01, 0.5))
        server.end(signal.SIGKILL)
        for client in clients:
            client.over.set()
            client.join()
        server.start()
    os.close(log)

    items, cursor = [], ""
    while True:
        status, page = server.call("GET", "/changes?limit=500" + cursor)
        items += page["items"]
        if not page["next"]:
            break
        cursor = "&cursor=" + page["next"]
    written = {}
    for change in items:
        for target in change["targets"]:
            if "alert" in target["after"]:
                written.setdefault(target["after"]["alert"]["message"], []).append(change["sequence"])
    heard, asked = {}, set()
    for line in open(path):
        words = json.loads(line)
        if words[0] == "heard":
            heard[words[1]] = words[2]
        else:
            asked.add(words[1])
    lost = [text for text, sequence in heard.items() if written.get(text) != [sequence]]
    twice = [text for text, sequences in written.items() if len(sequences) > 1]
    sequences = [change["sequence"] for change in items]
    yield f"{rounds} kills: every answered change is there once", not lost, f"{len(heard)} answered, {len(asked) - len(heard)} not, lost {lost[:3]}"
    yield "no change is there twice, and none that nobody asked for", not twice and set(written) <= asked, str(twice[:3])
    yield "no gap in the history", sequences == list(range(len(sequences), 0, -1)), f"{len(sequences)} changes"
    fresh = True
    for platform in ("ios", "android"):
        _, target = server.call("GET", f"/targets/shop/{platform}")
        native = json.loads(ask(server.feeds, "GET", f"/feeds/shop/{platform}/gate.json")[2])
        fresh &= native["revision"] == target["revision"] and native["gate"] == target["gate"]
    yield "the feeds are the newest state", fresh, ""
