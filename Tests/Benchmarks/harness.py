"""What the parts of the benchmark share: the programs under test, one keep-alive connection, medians and the table."""
import atexit
import http.client
import itertools
import json
import os
import pathlib
import re
import secrets
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Faults"))
from ports import free_port  # noqa: E402
BIN = pathlib.Path(os.environ["GATEHOUSE_RELEASE"])
GATEHOUSE = str(BIN / "gatehouse")
# On a disk, not in memory: what is measured includes fsync.
WORK = pathlib.Path(tempfile.mkdtemp(prefix="gatehouse-bench-", dir=os.environ.get("BENCH_DIR", "/var/tmp")))
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
SECONDS = int(os.environ.get("BENCH_SECONDS", "2"))
WORKERS = max(2, os.cpu_count())
running = []


def clean():
    for process in running:
        if process.poll() is None:
            # nginx's workers outlive a master that was killed.
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
    shutil.rmtree(WORK, ignore_errors=True)


atexit.register(clean)


def start(words, **options):
    process = subprocess.Popen([str(word) for word in words], **options)
    running.append(process)
    return process


def stop(process, signal_number=15):
    process.send_signal(signal_number)
    return process.wait(60)


def compiled(name, library, *options):
    program = WORK / name
    if not program.exists():
        source = pathlib.Path(__file__).with_name(name + ".c")
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", *options, "-o", program, source, "-l" + library, "-lpthread"], check=True)
    return program


class Gatehouse:
    """A server on a data folder of its own."""

    def __init__(self, apps=0, changes=0, name="data", wrapper=(), options=()):
        """`options` are more of `gatehouse serve`'s."""
        self.data, self.options = WORK / name, options
        self.token = None
        if not self.data.exists():
            made = subprocess.run(
                [GATEHOUSE, "init", "--data", self.data, "--username", "bench", "--password-stdin", "--token", "bench", "--migrations", ROOT / "Migrations"],
                input="violet-harbour-41-lantern\n", capture_output=True, text=True, check=True,
            )
            (self.data / "token").write_text(made.stdout.strip())
            if apps:
                command = ["python3", pathlib.Path(__file__).with_name("generate.py"), self.data, str(apps), str(max(changes, apps * 3))]
                subprocess.run(command, check=True)
                # The server has not signed rows that were written without it.
                sign = [GATEHOUSE, "admin", "sign", "--data", self.data, "--keep", "--migrations", ROOT / "Migrations"]
                subprocess.run(sign, stdout=subprocess.DEVNULL, check=True)
        self.token = (self.data / "token").read_text()
        if wrapper is not None:
            self.start(wrapper)

    def start(self, wrapper=()):
        command = [*wrapper, GATEHOUSE, "serve", "--data", self.data, "--listen", "127.0.0.1:0", "--feeds", "127.0.0.1:0",
                   "--public", ROOT / "Public", "--migrations", ROOT / "Migrations", *self.options]
        self.log = open(self.data / "log", "w")
        self.process = start(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("gatehouse did not start:\n" + (self.data / "log").read_text())
        ready = json.loads(line)
        self.admin = int(ready["admin"].rsplit(":", 1)[1])
        self.feeds = int(ready["feeds"].rsplit(":", 1)[1])

    def wait_for_writes(self):
        while True:
            try:
                if self.health()["state"] != "starting":
                    return
            except ConnectionError:
                pass
            time.sleep(0.02)

    def health(self):
        status, _, body = Connection(self.admin).get("/healthz/ready")
        return json.loads(body)

    def stop(self):
        stop(self.process)

    def api(self):
        return API(self.admin, self.token)


class Connection:
    """One keep-alive connection."""

    def __init__(self, port, timeout=30):
        self.http = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        self.http.connect()
        self.http.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def get(self, path, headers={}):
        self.http.request("GET", path, headers=headers)
        answer = self.http.getresponse()
        return answer.status, answer.headers, answer.read()

    def close(self):
        self.http.close()


class API(Connection):
    def __init__(self, port, token):
        super().__init__(port)
        self.headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
        self.revisions = {}
        # Each write's key is new, even if another client wrote to this server before.
        self.keys = (f"bench-{secrets.token_hex(8)}-{count}" for count in itertools.count())

    def call(self, method, path, body=None):
        self.http.request(method, "/api/v1" + path, body=None if body is None else json.dumps(body), headers=self.headers)
        answer = self.http.getresponse()
        text = answer.read()
        return answer.status, json.loads(text) if text else None

    def post(self, path, body, key):
        """One write, timed from its first byte to the last of the answer, without the work of Python's own HTTP client."""
        content = json.dumps(body).encode()
        fields = {"Host": f"127.0.0.1:{self.http.port}", "Content-Length": len(content), "Idempotency-Key": key, **self.headers}
        request = "".join([f"POST /api/v1{path} HTTP/1.1\r\n", *(f"{name}: {value}\r\n" for name, value in fields.items()), "\r\n"]).encode() + content
        answer, end = b"", None
        begun = time.perf_counter()
        self.http.sock.sendall(request)
        while end is None or len(answer) < end:
            piece = self.http.sock.recv(65_536)
            if not piece:
                raise SystemExit("the server closed the connection in the middle of an answer")
            answer += piece
            if end is None and b"\r\n\r\n" in answer:
                end = answer.index(b"\r\n\r\n") + 4 + int(re.search(rb"(?i)content-length: (\d+)", answer)[1])
        took = time.perf_counter() - begun
        return took, int(answer[9:12]), json.loads(answer[answer.index(b"\r\n\r\n"):])

    def toggle(self, app, platform):
        """Sets or clears the kill switch of a target; returns the seconds that it took and the answer."""
        key = (app, platform)
        if key not in self.revisions:
            _, target = self.call("GET", f"/targets/{app}/{platform}")
            self.revisions[key] = (target["revision"], "killSwitch" in target["gate"])
        revision, killed = self.revisions[key]
        rule = None if killed else {"message": "Back at 09:30.", "retryInterval": 30}
        body = {"targets": [{"app": app, "platform": platform, "revision": revision}], "set": {"killSwitch": rule}}
        took, status, answer = self.post("/changes", body, next(self.keys))
        if status != 200 or not answer["changed"]:
            raise SystemExit(f"a change was refused: {status} {answer}")
        self.revisions[key] = (revision + 1, not killed)
        return took, answer["change"]

    def require(self, app, platform, minimum):
        """Sets a target's minimum version, even if LaunchGate's text order would misread it."""
        _, target = self.call("GET", f"/targets/{app}/{platform}")
        body = {"targets": [{"app": app, "platform": platform, "revision": target["revision"]}], "accept": ["text_order"],
                "set": {"requiredUpdate": {"minimumVersion": minimum, "message": {"default": "Please update.", "de": "Bitte aktualisieren."}}}}
        status, answer = self.call("POST", "/changes", body)
        if status != 200:
            raise SystemExit(f"a change was refused: {status} {answer}")


def wrk(port, path="/", headers=(), script=None, connections=64):
    """Requests a second and the 99th percentile in milliseconds."""
    words = ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--latency"]
    for header in headers:
        words += ["-H", header]
    if script:
        words += ["-s", script]
    words.append(f"http://127.0.0.1:{port}{path}")
    text = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text or "Socket errors" in text:
        raise SystemExit(" ".join(map(str, words)) + "\n" + text)
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", text).groups()
    return rate, float(value) * {"us": 0.001, "ms": 1, "s": 1000}[unit]


def median(values):
    return statistics.median(values)


def report(name, value, bar=None, holds=None, how=""):
    """One line of the table."""
    verdict = "" if holds is None else "meets" if holds else "MISSES"
    print(f"{name:<58} {value:>22}   {bar or '':<18} {verdict:<7} {how}", flush=True)


def heading(text):
    print(f"\n{text}\n" + "-" * len(text), flush=True)
