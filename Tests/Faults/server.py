"""A server under test, requests to it, and a phone that polls all the time."""
import http.client
import json
import os
import pathlib
import signal
import subprocess
import threading
import time

from ports import free_port

ROOT = pathlib.Path(__file__).resolve().parents[2]
GATEHOUSE = os.environ["GATEHOUSE_BIN"]
FEED = "/feeds/shop/launchgate.json"


def until(question, what, seconds=300):
    """Asks until the answer is yes."""
    begun = time.monotonic()
    while not question():
        if time.monotonic() - begun > seconds:
            raise SystemExit(f"not after {seconds} s: {what}")
        time.sleep(0.01)


def ask(port, method, path, body=None, headers={}, timeout=15, address="127.0.0.1"):
    connection = http.client.HTTPConnection(address, port, timeout=timeout)
    try:
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


class Caller:
    """A caller of the admin API at the port `admin` with a `token`."""

    address = "127.0.0.1"

    def call(self, method, path, body=None, key=None):
        headers = {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"}
        if key:
            headers["Idempotency-Key"] = key
        status, _, text = ask(self.admin, method, "/api/v1" + path, body, headers, address=self.address)
        return status, json.loads(text) if text else None


class Server(Caller):
    def __init__(self, folder, *options, log=subprocess.DEVNULL):
        """`options` are more of `gatehouse serve`'s; `log` is where its standard error goes."""
        self.data, self.options, self.log = pathlib.Path(folder), options, log
        made = subprocess.run(
            [GATEHOUSE, "init", "--data", self.data, "--username", "faults", "--password-stdin", "--token", "faults", "--migrations", ROOT / "Migrations"],
            input="violet-harbour-41-lantern\n", capture_output=True, text=True, check=True,
        )
        self.token = made.stdout.strip()
        self.admin, self.feeds = free_port(), free_port()
        self.start()
        assert self.call("POST", "/apps", {"key": "shop", "name": "Shop"})[0] == 201
        for platform in ("ios", "android"):
            assert self.call("PUT", f"/apps/shop/platforms/{platform}", {})[0] == 201

    def launch(self):
        """Launches the server without waiting to see whether it starts."""
        self.process = subprocess.Popen(
            [str(word) for word in (GATEHOUSE, "serve", "--data", self.data, "--listen", f"127.0.0.1:{self.admin}", "--feeds",
                                    f"127.0.0.1:{self.feeds}", "--public", ROOT / "Public", "--migrations", ROOT / "Migrations", *self.options)],
            stdout=subprocess.PIPE, stderr=self.log,
        )

    def start(self, waits=True):
        self.launch()
        if not self.process.stdout.readline():
            raise SystemExit("gatehouse did not start")
        if waits:
            until(lambda: self.health()["state"] != "starting", "gatehouse has looked through its history")

    def end(self, number=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.stdout.close()
        return self.process.wait(30)

    def health(self):
        return json.loads(ask(self.admin, "GET", "/healthz/ready")[2])

    def alert(self, text, platform="ios", key=None):
        """Puts an alert on a target; returns the status, the answer and the seconds that it took."""
        begun = time.monotonic()
        status, target = self.call("GET", f"/targets/shop/{platform}")
        if status != 200:
            return status, target, time.monotonic() - begun
        body = {"targets": [{"app": "shop", "platform": platform, "revision": target["revision"]}],
                "set": {"alert": {"message": text, "blocking": False}}}
        status, answer = self.call("POST", "/changes", body, key)
        return status, answer, time.monotonic() - begun

    def feed(self):
        return ask(self.feeds, "GET", FEED)[2]

    def kept(self, *texts):
        """Waits until the feeds on disk show these, which takes at most a second after their change."""
        file, begun = self.data / "publication" / "shop.json", time.monotonic()
        while not (file.exists() and all(text in file.read_text() for text in texts)):
            if time.monotonic() - begun > 20:
                raise SystemExit(f"not kept after 20 s: {texts}")
            time.sleep(0.02)

    def anchored(self, sequence):
        """Waits until the anchor has reached this sequence; it is written a second after the start, and then once a minute."""
        file, begun = self.data / "anchor.json", time.monotonic()
        while not (file.exists() and json.loads(file.read_text())["changes"]["sequence"] >= sequence):
            if time.monotonic() - begun > 80:
                raise SystemExit(f"not anchored after 80 s: {sequence}")
            time.sleep(0.02)


class Phone:
    """Polls every ten milliseconds and keeps every answer that was not the expected feed."""

    def __init__(self, server):
        self.server, self.wanted, self.wrong, self.count = server, server.feed(), [], 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.poll)
        self.thread.start()

    def poll(self):
        while not self.over.wait(0.01):
            try:
                status, _, body = ask(self.server.feeds, "GET", FEED, timeout=5)
            except OSError as error:
                status, body = 0, str(error).encode()
            self.count += 1
            if status != 200 or body != self.wanted:
                self.wrong.append((status, body[:80]))

    def stop(self):
        self.over.set()
        self.thread.join()
        return not self.wrong, f"{self.count} polls" + (f", wrong: {self.wrong[:2]}" if self.wrong else "")
