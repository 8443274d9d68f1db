"""A real server in a temporary folder, and the admin API as the tests use it."""

import json
import os
import pathlib
import re
import select
import subprocess
import urllib.error
import urllib.request

from steps import PASSWORD, eventually

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = pathlib.Path(os.environ.get("GATEHOUSE_BIN", ROOT / ".build" / "debug" / "gatehouse"))
USERNAME = "admin"


class Refused(Exception):
    """An answer of the server that is not a success."""

    def __init__(self, status, body):
        super().__init__(f"{status} {body}")
        self.status = status


class Server:
    """One `gatehouse serve`. `admin` and `feeds` are its addresses; `setup` is its set-up link while it has no user."""

    def __init__(self, folder, *, environment=None, protected=False, users=True, options=()):
        self.folder = folder
        self.options = (["--environment", environment] if environment else []) + (["--protected"] if protected else []) + list(options)
        self.token = self._init() if users else None
        self.process = None
        self.start()

    def _init(self):
        done = subprocess.run(
            [BINARY, "init", "--data", self.folder, "--migrations", ROOT / "Migrations", "--username", USERNAME, "--password-stdin", "--token", "tests"],
            input=PASSWORD + "\n", capture_output=True, text=True, timeout=30,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def start(self, listen="127.0.0.1:0", feeds="127.0.0.1:0"):
        self.log = open(self.folder / "server.log", "ab")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--data", self.folder, "--listen", listen, "--feeds", feeds, "--public", ROOT / "Public", "--migrations", ROOT / "Migrations", *self.options],
            stdout=subprocess.PIPE, stderr=self.log, text=True,
        )
        # A server that hangs is a test that fails, and not a run that never ends.
        assert select.select([self.process.stdout], [], [], 60)[0], "the server did not say within 60 s that it is ready"
        line = self.process.stdout.readline()
        assert line, "the server ended before it was ready: " + (self.folder / "server.log").read_text()[-2000:]
        ready = json.loads(line)
        self.admin, self.feeds, self.setup = ready["admin"], ready["feeds"], ready.get("setup")
        # It looks through its history first, and takes no change before.
        eventually(lambda: self._health() != "starting", "the server has looked through its history", seconds=60)

    def _health(self):
        try:
            with urllib.request.urlopen(self.admin + "/healthz/ready", timeout=20) as answer:
                return json.loads(answer.read())["state"]
        except urllib.error.HTTPError as error:
            return json.loads(error.read())["state"]

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        self.process.stdout.close()
        self.log.close()

    def restart(self):
        """Starts again at the same addresses."""
        address = lambda url: url.split("//")[1]
        self.start(address(self.admin), address(self.feeds))

    # The admin API

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            self.admin + "/api/v1" + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as error:
            raise Refused(error.code, error.read().decode()) from None

    def own_token(self, name):
        """A token that belongs to the administrator, as `gatectl auth login` makes one."""
        headers = {"Content-Type": "application/json"}
        body = json.dumps({"username": USERNAME, "password": PASSWORD}).encode()
        with urllib.request.urlopen(urllib.request.Request(self.admin + "/api/v1/session", data=body, headers=headers), timeout=20) as answer:
            headers |= {"Cookie": answer.headers["Set-Cookie"].split(";")[0], "X-Gatehouse-CSRF": json.loads(answer.read())["csrf"]}
        request = urllib.request.Request(self.admin + "/api/v1/tokens", data=json.dumps({"name": name}).encode(), headers=headers)
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.loads(answer.read())["token"]

    def add_app(self, key, name, *platforms):
        self.call("POST", "/apps", {"key": key, "name": name})
        for platform in platforms:
            self.call("PUT", f"/apps/{key}/platforms/{platform}", {})

    def target(self, name):
        return self.call("GET", f"/targets/{name}")

    def change(self, name, rules, reason="test"):
        """Sets rules of a target past the dashboard, as a colleague with a terminal would."""
        app, platform = name.split("/")
        body = {"targets": [{"app": app, "platform": platform, "revision": self.target(name)["revision"]}], "set": rules, "reason": reason}
        plan = self.call("POST", "/changes", body | {"dryRun": True})["plan"]
        return self.call("POST", "/changes", body | ({"confirm": plan["confirm"]} if plan["confirm"] else {}))

    def changes(self, name):
        app, platform = name.split("/")
        return self.call("GET", f"/changes?app={app}&platform={platform}")["items"]

    # What phones get

    def feed(self, path):
        with urllib.request.urlopen(f"{self.feeds}/feeds/{path}", timeout=20) as answer:
            return json.loads(answer.read())

    def setup_code(self):
        return re.search(r"#/setup/(.+)$", self.setup).group(1)
