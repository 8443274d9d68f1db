"""R1: changes without a pause, SIGKILL at a random moment; every change that was answered is in the history exactly once."""
import http.client
import json
import os
import random
import signal
import threading
import time

import history
from server import ask


class Client(threading.Thread):
    """Changes one target as fast as it gets answers; each request and answer is written to a file and flushed before the next."""

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
            else:
                # Until it is killed, the server must not fail.
                self.note("refused", text, f"{status} {answer}")


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

    heard, asked, refused = {}, set(), []
    for line in open(path):
        words = json.loads(line)
        if words[0] == "heard":
            heard[words[1]] = words[2]
        elif words[0] == "asked":
            asked.add(words[1])
        else:
            refused.append(words[2])
    yield f"{rounds} kills: none is refused", not refused, str(refused[:2])
    for name, holds, detail in history.judged(server, heard, asked):
        yield f"{rounds} kills: {name}", holds, detail
    fresh = True
    for platform in ("ios", "android"):
        _, target = server.call("GET", f"/targets/shop/{platform}")
        native = json.loads(ask(server.feeds, "GET", f"/feeds/shop/{platform}/gate.json")[2])
        fresh &= native["revision"] == target["revision"] and native["gate"] == target["gate"]
    yield "the feeds are the newest state", fresh, ""
