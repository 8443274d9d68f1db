"""A server that is given secrets, and everything that comes out of it; see canary.py."""
import base64
import http.client
import json
import os
import pathlib
import pty
import re
import secrets
import signal
import socket
import subprocess
import threading
import urllib.parse

from server import GATEHOUSE, ROOT, until

GATECTL = str(pathlib.Path(GATEHOUSE).with_name("gatectl"))
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC"}


class Canaries:
    """The secrets that must not be seen, by name."""

    def __init__(self):
        self.texts = {}

    def new(self, name):
        """A new secret text, such as a password."""
        return self.keep(name, f"canary {secrets.token_hex(12)} of mine")

    def keep(self, name, text):
        self.texts[name] = text
        return text

    def forms(self, text):
        """The forms in which a secret may be written: plain, in a URL, in hexadecimal, in base64 at each of its three alignments."""
        raw = text.encode()
        forms = {raw, urllib.parse.quote(text).encode(), urllib.parse.quote_plus(text).encode(), raw.hex().encode(), raw.hex().upper().encode()}
        for shift in range(3):
            coded = base64.b64encode(b"\0" * shift + raw)
            # Only the characters that do not depend on neighbouring bytes.
            middle = coded[4 if shift else 0:len(coded) - 4]
            forms |= {middle, middle.replace(b"+", b"-").replace(b"/", b"_")}
        return {form for form in forms if len(form) >= 8}

    def in_(self, data):
        """The names of the secrets in `data`."""
        found = set()
        for name, text in self.texts.items():
            if text.isdigit():
                # Six digits count only if they are not part of a longer number.
                if re.search(rb"(?<!\d)" + text.encode() + rb"(?!\d)", data):
                    found.add(name)
            elif any(form in data for form in self.forms(text)):
                found.add(name)
        return found


class Processes(threading.Thread):
    """Records the command lines of all processes while it runs."""

    def __init__(self):
        super().__init__(daemon=True)
        self.lines, self.over = set(), threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(0.005):
            for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    self.lines.add(path.read_bytes())
                except OSError:
                    pass

    def stop(self):
        self.over.set()
        self.join()
        return b"\n".join(self.lines)


class House:
    """A server with all its requests and answers."""

    def __init__(self, folder):
        self.folder, self.canaries, self.process = folder, Canaries(), None
        folder.mkdir()
        self.data = folder / "data"
        self.log = open(folder / "log", "ab")
        # (the request, the answer's bytes, the names of the secrets that this answer is meant to show)
        self.answers = []
        self.said = []

    def gatehouse(self, *words, input=None):
        done = subprocess.run([GATEHOUSE, *map(str, words), "--migrations", str(ROOT / "Migrations")], input=input, capture_output=True, text=True)
        self.said.append((f"gatehouse {words[0]}", (done.stdout + done.stderr).encode()))
        return done

    def start(self):
        self.process = subprocess.Popen(
            [GATEHOUSE, "serve", "--data", str(self.data), "--listen", "127.0.0.1:0", "--feeds", "127.0.0.1:0", "--public", str(ROOT / "Public"), "--migrations", str(ROOT / "Migrations")],
            stdout=subprocess.PIPE, stderr=self.log, text=True,
        )
        ready = json.loads(self.process.stdout.readline())
        self.admin, self.feeds = (int(ready[name].rsplit(":", 1)[1]) for name in ("admin", "feeds"))
        until(lambda: json.loads(self.ask("GET", "/healthz/ready")[2])["state"] != "starting", "gatehouse has looked through its history")
        return ready

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.said.append(("standard output of gatehouse serve", self.process.stdout.read().encode()))
        self.process.stdout.close()
        return self.process.wait(30)

    def ask(self, method, path, body=None, headers=None, shows=(), port=None):
        """`body` is an object, or bytes to send as they are."""
        headers = dict(headers or {})
        if isinstance(body, dict):
            headers.setdefault("Content-Type", "application/json")
            body = json.dumps(body).encode()
        connection = http.client.HTTPConnection("127.0.0.1", port or self.admin, timeout=20)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        self.answers.append((f"{method} {path.split('?')[0][:60]} → {answer.status}", f"{answer.headers}".encode() + text, set(shows)))
        return answer.status, answer.headers, text

    def api(self, method, path, body=None, session=None, token=None, headers=None, shows=()):
        headers = dict(headers or {})
        if session:
            headers |= {"Cookie": f"gh_session={session['cookie']}", "X-Gatehouse-CSRF": session["csrf"]}
        if token:
            headers["Authorization"] = "Bearer " + token
        status, fields, text = self.ask(method, "/api/v1" + path, {} if body is None and method != "GET" else body, headers, shows)
        return status, fields, json.loads(text) if text else None

    def raw(self, name, request, port):
        """Sends bytes that no HTTP library would send; returns everything that comes back."""
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            got = b""
            try:
                connection.sendall(request)
                connection.shutdown(socket.SHUT_WR)
                while piece := connection.recv(65536):
                    got += piece
            except OSError:
                pass
        self.answers.append((f"raw: {name}", got, set()))

    def session(self, answer, name):
        """The session that a sign-in's answer made; its cookie and CSRF token become canaries."""
        status, fields, body = answer
        assert status == 200, body
        cookie = re.search(r"gh_session=([^;]+)", fields["Set-Cookie"]).group(1)
        session = {"cookie": self.canaries.keep(f"cookie {name}", cookie), "csrf": self.canaries.keep(f"csrf {name}", body["csrf"])}
        label, bytes_, shows = self.answers.pop()
        self.answers.append((label, bytes_, shows | {f"cookie {name}", f"csrf {name}"}))
        return session

    def shown(self, *names):
        """Notes that the last answer was meant to show these secrets."""
        label, bytes_, shows = self.answers.pop()
        self.answers.append((label, bytes_, shows | set(names)))

    def gatectl(self, *words, home, input="", more=None):
        done = subprocess.run([GATECTL, *words], input=input, capture_output=True, text=True, cwd=home, env=ENVIRONMENT | {"HOME": str(home)} | (more or {}))
        self.said.append((f"gatectl {' '.join(words)}", (done.stdout + done.stderr).encode()))
        return done

    def gatectl_on_terminal(self, *words, home, typed, more):
        """Runs gatectl on its own terminal: each of `typed` is (the prompt to wait for, what to type then)."""
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(home)
            os.execve(GATECTL, [GATECTL, *words], ENVIRONMENT | {"HOME": str(home), "TERM": "xterm", "NO_COLOR": "1"} | more)
        seen, wanted = b"", list(typed)
        while True:
            try:
                piece = os.read(terminal, 65536)
            except OSError:
                break
            if not piece:
                break
            seen += piece
            if wanted and seen.rstrip(b" ").endswith(wanted[0][0].encode()):
                os.write(terminal, wanted.pop(0)[1].encode() + b"\n")
        os.close(terminal)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        self.said.append((f"gatectl {' '.join(words)} on a terminal", seen))
        return status, seen
