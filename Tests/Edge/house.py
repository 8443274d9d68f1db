"""A Gatehouse with one app, and the shipped Varnish and nginx in front of it."""
import atexit
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Faults"))
from ports import free_port  # noqa: E402
GATEHOUSE = os.environ["GATEHOUSE_BIN"]
# Where Debian has daemons, which is not in everybody's path.
os.environ["PATH"] += ":/usr/sbin"
WORK = pathlib.Path(tempfile.mkdtemp(prefix="gatehouse-edge-"))
# nginx's workers run as another user and read this folder.
WORK.chmod(0o755)
FEED = "/feeds/shop/launchgate.json"
children, failures, lines = [], [], []


def clean():
    for child in children:
        if child.poll() is None:
            child.send_signal(signal.SIGCONT)
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                child.kill()
    shutil.rmtree(WORK, ignore_errors=True)


atexit.register(clean)


def start(words, **options):
    child = subprocess.Popen([str(word) for word in words], **options)
    children.append(child)
    return child


def get(port, path=FEED, headers={}, method="GET", source="127.0.0.1", body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10, source_address=(source, 0))
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, dict(answer.headers), answer.read()
    finally:
        connection.close()


def wait(condition, seconds):
    """Seconds until the condition holds, or None."""
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        try:
            if condition():
                return time.monotonic() - begun
        except OSError:
            pass
        time.sleep(0.02)
    return None


def check(name, holds, detail=""):
    print(f"{'ok  ' if holds else 'FAIL'} {name}{f'  ({detail})' if detail else ''}", flush=True)
    lines.append([name, bool(holds), str(detail)])
    if not holds:
        failures.append(name)


class Origin:
    def __init__(self, name):
        self.data = WORK / name
        made = subprocess.run(
            [GATEHOUSE, "init", "--data", self.data, "--username", "edge", "--password-stdin", "--token", "edge", "--migrations", ROOT / "Migrations"],
            input="violet-harbour-41-lantern\n", capture_output=True, text=True, check=True,
        )
        self.token = made.stdout.strip()
        self.feeds, self.admin = free_port(), free_port()
        self.key = 0
        self.start()
        self.call("POST", "/apps", {"key": "shop", "name": "Shop"})
        self.call("PUT", "/apps/shop/platforms/ios", {})

    def start(self, before=(), data=None, **options):
        """`before`: words that start the program as another user."""
        self.process = start(
            [*before, GATEHOUSE, "serve", "--data", data or self.data, "--listen", f"127.0.0.1:{self.admin}",
             "--feeds", f"127.0.0.1:{self.feeds}", "--public", ROOT / "Public", "--migrations", ROOT / "Migrations"],
            **{"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, **options},
        )
        self.process.stdout.readline()
        wait(lambda: get(self.admin, "/healthz/ready")[0] == 200, 10)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=10)
        connection.request(method, "/api/v1" + path, json.dumps(body) if body is not None else None,
                           {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status < 300, (path, answer.status, text)
        return json.loads(text or b"null")

    def say(self, text):
        """Sets a kill switch with that text, or lifts it."""
        target = self.call("GET", "/targets/shop/ios")
        self.call("POST", "/changes", {"targets": [{"app": "shop", "platform": "ios", "revision": target["revision"]}],
                                       "set": {"killSwitch": text and {"message": text}}})

    def open(self, over):
        """Lifts the kill switch, for the phones one after another within so many seconds."""
        target = self.call("GET", "/targets/shop/ios")
        self.call("POST", "/changes", {"targets": [{"app": "shop", "platform": "ios", "revision": target["revision"]}],
                                       "set": {"killSwitch": None}, "over": over})

    def unchanged(self):
        """How many polls were answered 304."""
        metrics = get(self.admin, "/metrics")[2].decode()
        return sum(float(line.rsplit(" ", 1)[1]) for line in metrics.splitlines() if 'status="304"' in line and 'listener="feeds"' in line)


def varnish(origin):
    port = free_port()
    text = (ROOT / "deploy/edge/varnish.vcl").read_text()
    assert '.port = "8081"' in text
    (WORK / f"{origin.data.name}.vcl").write_text(text.replace('.port = "8081"', f'.port = "{origin.feeds}"'))
    start(["varnishd", "-F", "-j", "none", "-n", WORK / f"{origin.data.name}-varnish", "-a", f"127.0.0.1:{port}", "-f", WORK / f"{origin.data.name}.vcl", "-s", "malloc,32m", "-T", "none"],
          stdout=open(WORK / "varnish.log", "w"), stderr=subprocess.STDOUT)
    return port


def nginx(origin):
    port = free_port()
    text = (ROOT / "deploy/edge/nginx.conf").read_text()
    for before, after in (("127.0.0.1:8081", f"127.0.0.1:{origin.feeds}"), ("listen 80;", f"listen 127.0.0.1:{port};"),
                          ("/var/cache/gatehouse-nginx", f"{WORK}/{origin.data.name}-cache")):
        assert before in text, before
        text = text.replace(before, after)
    folders = "".join(f"{kind}_temp_path {WORK}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (WORK / f"{origin.data.name}.conf").write_text(f"pid {WORK}/{origin.data.name}.pid; error_log {WORK}/nginx.log; daemon off; events {{}} http {{ access_log off; {folders}\n{text}\n}}")
    start(["nginx", "-e", "/dev/null", "-c", WORK / f"{origin.data.name}.conf"])
    return port
