"""Gatehouse behind the shipped Varnish and nginx configurations: fresh, revalidated, stale only when the origin fails, and back again."""
import atexit
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
GATEHOUSE = os.environ["GATEHOUSE_BIN"]
WORK = pathlib.Path(tempfile.mkdtemp(prefix="gatehouse-edge-"))
# Workers of nginx run as another user, and look in here.
WORK.chmod(0o755)
FEED = "/feeds/shop/launchgate.json"
children, failures = [], []


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


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def get(port, path=FEED, headers={}, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, headers=headers)
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

    def start(self):
        self.process = start(
            [GATEHOUSE, "serve", "--data", self.data, "--listen", f"127.0.0.1:{self.admin}", "--feeds", f"127.0.0.1:{self.feeds}",
             "--public", ROOT / "Public", "--migrations", ROOT / "Migrations"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )
        self.process.stdout.readline()
        wait(lambda: get(self.admin, "/healthz/ready")[0] == 200, 10)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.admin, timeout=10)
        connection.request(method, "/api/v1" + path, json.dumps(body) if body is not None else None,
                           {"Authorization": "Bearer " + self.token, "Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status < 300, (path, answer.status, text)
        return json.loads(text)

    def say(self, text):
        """A kill switch with that text, or none."""
        target = self.call("GET", "/targets/shop/ios")
        self.call("POST", "/changes", {"targets": [{"app": "shop", "platform": "ios", "revision": target["revision"]}],
                                       "set": {"killSwitch": text and {"message": text}}})

    def unchanged(self):
        """How many polls were answered 304."""
        metrics = get(self.admin, "/metrics")[2].decode()
        return sum(float(line.rsplit(" ", 1)[1]) for line in metrics.splitlines() if 'status="304"' in line and 'listener="feeds"' in line)


def varnish(origin):
    port = free_port()
    text = (ROOT / "deploy/edge/varnish.vcl").read_text()
    assert '.port = "8081"' in text
    (WORK / "test.vcl").write_text(text.replace('.port = "8081"', f'.port = "{origin.feeds}"'))
    start(["/usr/sbin/varnishd", "-F", "-j", "none", "-n", WORK / "varnish", "-a", f"127.0.0.1:{port}", "-f", WORK / "test.vcl", "-s", "malloc,32m", "-T", "none"],
          stdout=open(WORK / "varnish.log", "w"), stderr=subprocess.STDOUT)
    return port


def nginx(origin):
    port = free_port()
    text = (ROOT / "deploy/edge/nginx.conf").read_text()
    for before, after in (("127.0.0.1:8081", f"127.0.0.1:{origin.feeds}"), ("listen 80;", f"listen 127.0.0.1:{port};"),
                          ("/var/cache/nginx/gatehouse", f"{WORK}/cache")):
        assert before in text, before
        text = text.replace(before, after)
    folders = "".join(f"{kind}_temp_path {WORK}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (WORK / "nginx.conf").write_text(f"pid {WORK}/pid; error_log {WORK}/nginx.log; daemon off; events {{}} http {{ access_log off; {folders}\n{text}\n}}")
    start(["/usr/sbin/nginx", "-e", "/dev/null", "-c", WORK / "nginx.conf"])
    return port


def run(name, edge):
    print(f"== {name}", flush=True)
    origin = Origin(name)
    port = edge(origin)
    serves = wait(lambda: get(port)[0] == 200, 30) is not None
    check("it serves", serves)
    if not serves:
        print("".join(log.read_text() for log in WORK.glob("*.log")))
        return
    status, headers, body = get(port)
    _, own, fresh = get(origin.feeds)
    check("the origin's bytes, ETag, Cache-Control and CORS", body == fresh and all(headers.get(field) == own[field] for field in (
        "ETag", "Cache-Control", "Access-Control-Allow-Origin", "Content-Type")), str(headers))
    check("a client's own ETag is answered 304", get(port, headers={"If-None-Match": own["ETag"]})[0] == 304)
    check("HEAD", get(port, method="HEAD")[0] == 200)

    slowest = 0
    for turn in range(3):
        text = f"Turn {turn}"
        get(port)
        origin.say(text)
        took = wait(lambda: text.encode() in get(port)[2], 10)
        slowest = max(slowest, 99 if took is None else took)
    check("a change is seen within 2 seconds", slowest <= 2.3, f"{slowest:.2f} s")

    before = origin.unchanged()
    time.sleep(2.2)
    get(port)
    check("an expired feed is asked for with its ETag and answered 304", origin.unchanged() > before)

    status, headers, body = get(port, "/feeds/late/launchgate.json")
    check("a feed that is not there is 404, in plain text", status == 404 and headers["Content-Type"].startswith("text/plain"), str(status))
    origin.call("POST", "/apps", {"key": "late", "name": "Late"})
    origin.call("PUT", "/apps/late/platforms/ios", {})
    took = wait(lambda: get(port, "/feeds/late/launchgate.json")[0] == 200, 5)
    check("and 200 as soon as it is", took is not None and took < 0.5, f"{took}")

    def steady(seconds, text):
        """The share of polls that were not 200 with that text, and the slowest."""
        end, wrong, count, slowest, seen = time.monotonic() + seconds, 0, 0, 0, {}
        while time.monotonic() < end:
            begun = time.monotonic()
            try:
                status, _, body = get(port)
            except OSError:
                status, body = 0, b""
            slowest = max(slowest, time.monotonic() - begun)
            count += 1
            if status != 200 or text.encode() not in body:
                wrong += 1
                seen[status, body[:60]] = round(time.monotonic() - end + seconds, 2)
            time.sleep(0.01)
        return wrong, f"{wrong} of {count} polls, the slowest {slowest:.2f} s{seen or ''}"

    get(port)
    origin.kill()
    wrong, detail = steady(6, "Turn 2")
    check("the origin killed: the last feed, from the first poll on", wrong == 0, detail)
    status, headers, _ = get(port, "/feeds/none/launchgate.json")
    check("nothing to serve: 503 in plain text, not to be kept", status == 503 and headers["Content-Type"].startswith("text/plain")
          and headers.get("Cache-Control") == "no-store", f"{status} {headers}")

    origin.start()
    origin.say("Back again")
    took = wait(lambda: b"Back again" in get(port)[2], 10)
    check("the origin back: a kill is seen within 3 seconds", took is not None and took <= 3, f"{took:.2f} s" if took else "never")

    origin.process.send_signal(signal.SIGSTOP)
    wrong, detail = steady(8, "Back again")
    check("the origin hangs: the last feed", wrong == 0, detail)
    origin.process.send_signal(signal.SIGCONT)
    origin.say(None)
    took = wait(lambda: b"Back again" not in get(port)[2], 10)
    check("it goes on: the kill is lifted within 3 seconds", took is not None and took <= 3, f"{took:.2f} s" if took else "never")
    origin.process.terminate()
    origin.process.wait()


for name, edge in (("varnish", varnish), ("nginx", nginx)):
    run(name, edge)
print(f"{len(failures)} failed" if failures else "All shown.")
raise SystemExit(1 if failures else 0)
