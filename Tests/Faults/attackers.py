"""Hostile callers, each in its own process that runs only when no other does, so that what is measured beside them is the server and not
they; and the callers that are measured: a phone, and an operator who kills."""
import gc
import http.client
import json
import multiprocessing
import os
import secrets
import select
import socket
import time

FORK = multiprocessing.get_context("fork")
JSON = "application/json"
# As many as an app has at most.
PLATFORMS = 32


def request(port, method, path, body=None, token=None, headers=None, timeout=15, source=None):
    """One request on its own connection: status, headers, body. `body` is an object, or bytes to send as they are."""
    headers = dict(headers or {})
    if token:
        headers["Authorization"] = "Bearer " + token
    if body is not None:
        headers.setdefault("Content-Type", JSON)
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout, source_address=source and (source, 0))
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def share(numbers, part):
    """The number that a given share of all does not exceed."""
    ordered = sorted(numbers)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("inf")


class Party:
    """A process that goes on until it is stopped, and then returns what it found."""

    def __init__(self, work, *arguments, is_elsewhere=False, is_measured=False):
        self.over = FORK.Event()
        self.here, there = FORK.Pipe(duplex=False)

        def run():
            if is_elsewhere:
                # It runs only when the processors have nothing else to do, as if it were on another machine: the work that it makes for the
                # server and the kernel counts, its own work does not (sched(7), SCHED_IDLE).
                os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
                # On one processor, so that the kernel's work on its behalf takes only one at a time, as for one other machine.
                os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
            if is_measured and os.geteuid() == 0:
                # A real phone has its own processor: waiting for one here would not be the server's fault, so it goes before everything
                # else (sched(7), SCHED_FIFO).
                os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
            # A garbage collection during a measurement would be measured too.
            gc.disable()
            there.send(work(self.over, *arguments))

        self.process = FORK.Process(target=run, daemon=True)
        self.process.start()

    def stop(self, seconds=30):
        """What it found; None when it does not end."""
        self.over.set()
        found = self.here.recv() if self.here.poll(seconds) else None
        self.process.join(1)
        if self.process.is_alive():
            self.process.kill()
        return found


# MARK: Those who are measured


def phone(over, port, path, wanted):
    """Polls a feed a hundred times a second, each time on a new connection from its own address: seconds of each, and what was wrong."""
    took, wrong = [], []
    text = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode()
    while not over.wait(0.01):
        begun = time.monotonic()
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5, source_address=("127.0.0.9", 0)) as connection:
                connection.sendall(text)
                answer = b""
                while piece := connection.recv(65536):
                    answer += piece
            if not answer.startswith(b"HTTP/1.1 200") or not answer.endswith(wanted):
                wrong.append(repr(answer[:60]))
        except OSError as error:
            wrong.append(repr(error))
        took.append(time.monotonic() - begun)
    return took, wrong


def killer(over, port, token):
    """Kills and opens `bank/ios` about once a second, as gatectl does, with a read and a write. Seconds and status of each."""
    found, isKilled = [], False
    while not over.wait(1):
        begun, status = time.monotonic(), 0
        try:
            status, _, text = request(port, "GET", "/api/v1/targets/bank/ios", token=token, timeout=10)
            if status == 200:
                body = {"targets": [{"app": "bank", "platform": "ios", "revision": json.loads(text)["revision"]}],
                        "set": {"killSwitch": None if isKilled else {"message": "Closed for a moment."}}}
                status, _, text = request(port, "POST", "/api/v1/changes", body, token=token, timeout=10)
                isKilled = isKilled != (status == 200)
        except (OSError, http.client.HTTPException, ValueError) as error:
            status = repr(error)
        found.append((time.monotonic() - begun, status))
    return found


# MARK: The hostile operator, who has only the app `mine`


def tags(count):
    """So many language tags, each of an accepted form."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    for number in range(count):
        first, rest = divmod(number, 676)
        yield f"{letters[first // 26]}{letters[first % 26]}-{letters[rest // 26].upper()}{letters[rest % 26].upper()}"


def languages(count, text):
    return {"default": text} | {tag: text for tag in tags(count)}


def alert(message):
    return {"alert": {"message": message, "blocking": False}}


FAR = ("9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59+00:00", "9998-12-31T23:59:59-23:59", "0000-01-01T00:00:00Z",
       "0001-01-01T00:00:00+23:59", "1969-12-31T23:59:59Z", "10000-01-01T00:00:00Z", "+99999-01-01T00:00:00Z", "9999-12-31T24:00:00Z")
FAR_STARTS = ({"at": "9999-12-31T23:30:00Z", "zone": "Pacific/Kiritimati"}, {"at": "9999-12-31T11:00:00Z", "zone": "Pacific/Kiritimati"},
              {"at": "9998-12-31T23:59:59Z", "zone": "Pacific/Kiritimati"}, {"wallTime": "9999-12-31T23:59:59", "zone": "America/New_York"},
              {"wallTime": "9998-12-31T23:59:59", "zone": "America/New_York"}, {"wallTime": "1970-01-01T00:00:00", "zone": "Asia/Tokyo"})


def bodies(revisions):
    """What an operator of one app may send, by name: method, path, body. `revisions` are those of all targets of `mine`."""
    own = [{"app": "mine", "platform": platform, "revision": revision} for platform, revision in revisions.items()]
    one, first = own[:1], next(iter(revisions))
    invented = [{"app": "mine", "platform": f"invented{number}", "revision": 1} for number in range(400)]
    half = "x" * 480
    change = lambda name, targets, rules, **more: (name, "POST", "/changes", {"targets": targets, "set": rules} | more)
    yield change("6,000 languages for 400 invented platforms", invented, alert(languages(6_000, "x")))
    yield change("1,900 languages for 400 invented platforms", invented, alert(languages(1_900, "x")))
    yield change("1,900 languages for every target", own, alert(languages(1_900, "x")))
    yield change("1,900 languages, tried out", own, alert(languages(1_900, "x")), dryRun=True)
    yield change("24,000 blocked versions", one, {"requiredUpdate": {"minimumVersion": "1", "message": "x", "blockedVersions": [str(number) for number in range(24_000)]}})
    yield change("24,000 blocked versions, tried out", own, {"requiredUpdate": {"minimumVersion": "1", "message": "x", "blockedVersions": [f"1.{number}" for number in range(24_000)]}}, dryRun=True)
    yield change("a message of 250 KB", one, alert("x" * 250_000))
    yield change("250 KB of messages in 480 languages", one, alert(languages(480, half)))
    yield change("250 KB of messages, tried out", own, alert(languages(480, half)), dryRun=True)
    yield change("40 languages for every target", own, alert(languages(40, half)))
    yield change("a set of its own for every target", [target | {"set": alert(languages(8, "x" * 200))} for target in own], {}, dryRun=True)
    yield change("every target killed and opened", own, {"killSwitch": {"message": f"{time.monotonic()}"}}, confirm=f"kill {len(own)} targets")
    file = {f"invented{number}": {"alert": {"message": "x" * 400, "blocking": False}} for number in range(400)}
    yield "a file of 400 platforms", "POST", "/import", {"app": "mine", "format": "launchgate", "document": json.dumps(file), "dryRun": True}
    file = {platform: {"requiredUpdate": {"minimumVersion": "1.2.3.4.5.6", "message": "x" * 1_500}} for platform in revisions}
    yield "a file for every target", "POST", "/import", {"app": "mine", "format": "launchgate", "document": json.dumps(file), "revisions": revisions, "skipInvalid": True}
    yield "1,900 languages, simulated", "POST", "/simulate", {"app": "mine", "platform": first, "version": "1.0", "set": alert(languages(1_900, "x"))}
    for time_ in FAR:
        yield change("an end in a far year", one, {"killSwitch": {"message": "x", "until": time_}})
    for start in FAR_STARTS:
        yield "a window in a far year", "POST", "/windows", {"targets": one, "set": alert("x"), "start": start}
    soon = lambda seconds: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds))
    for number in range(10):
        yield "a window of every target", "POST", "/windows", {"targets": own, "set": alert(f"x{number}"), "start": {"at": soon(86_400 + 60 * number), "zone": "UTC"},
                                                                   "end": {"at": soon(900_000), "zone": "UTC"}, "then": "restore"}
    yield "everything, as only administrators may", "POST", "/apply", {"document": {"apps": {}}, "padding": "x" * 2_000_000}
    for _ in range(20):
        yield change("a key that is kept with its answer", one, {"killSwitch": None})


def operator(over, port, token):
    """Sends them one after the other, again and again: by name, how often each was answered with what, and the slowest."""
    found, slowest, kinds = {}, {}, ("a key that is kept with its answer",)
    while not over.is_set():
        try:
            # All that it may see.
            _, _, text = request(port, "GET", "/api/v1/targets?limit=500", token=token)
            revisions = {target["platform"]: target["revision"] for target in json.loads(text)["items"]}
        except (OSError, http.client.HTTPException, ValueError, KeyError):
            revisions = {}
        for name, method, path, body in bodies(revisions or {"p0": 1}):
            if over.wait(0.02):
                break
            headers = {"Idempotency-Key": secrets.token_hex(16)} if name in kinds else {}
            begun = time.monotonic()
            try:
                status = request(port, method, "/api/v1" + path, body, token, headers)[0]
            except (OSError, http.client.HTTPException) as error:
                status = type(error).__name__
            slowest[name] = max(slowest.get(name, 0), time.monotonic() - begun)
            counts = found.setdefault(name, {})
            counts[status] = counts.get(status, 0) + 1
    return found, slowest


def viewer(over, port, token, path):
    """A caller who asks for as much as there is: the answers, and the largest of them in bytes."""
    count, largest, wrong = 0, 0, 0
    while not over.wait(0.2):
        try:
            status, _, text = request(port, "GET", "/api/v1" + path, token=token)
            count, largest, wrong = count + 1, max(largest, len(text)), wrong + (status != 200)
        except (OSError, http.client.HTTPException):
            wrong += 1
    return count, largest, wrong


# MARK: The anonymous flood

HOST = "Host: 127.0.0.1\r\n"
ODD = [text.encode("latin-1") for text in (
    f"GET / HTTP/1.1\r\n{HOST}\r\n", f"GET /feeds/none/launchgate.json HTTP/1.1\r\n{HOST}\r\n", f"GET /{'a' * 7_000} HTTP/1.1\r\n{HOST}\r\n", f"GET /%00 HTTP/1.1\r\n{HOST}\r\n",
    f"GET /feeds/../../etc/passwd HTTP/1.1\r\n{HOST}\r\n", f"POST /feeds/shop/launchgate.json HTTP/1.1\r\n{HOST}Content-Length: 5\r\n\r\nhello", f"FOO / HTTP/1.1\r\n{HOST}\r\n",
    f"GET / HTTP/1.1\r\n{HOST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", f"GET / HTTP/1.1\r\n{HOST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    f"GET / HTTP/1.1\r\n{HOST}Content-Length: +5\r\n\r\nhello", f"GET / HTTP/1.1\r\n{HOST}Transfer-Encoding: gzip, chunked\r\n\r\n", f"GET / HTTP/1.1\r\n{HOST}X Y: 1\r\n\r\n",
    f"GET / HTTP/1.1\r\n{HOST}X-A: 1\r\n 2\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", f"GET / HTTP/1.1\r\n{HOST}{HOST}\r\n", f"GET http://evil.example/ HTTP/1.1\r\n{HOST}\r\n", "GET / HTTP/1.0\r\n\r\n",
    f"GET / HTTP/1.1\n{HOST}\n", "\r\n\r\n\r\n", "\0" * 64, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", f"GET / HTTP/1.1\r\n{HOST}{'X: y' * 3_000}\r\n\r\n",
    f"GET /?{'&'.join(f'a{number}=1' for number in range(150))} HTTP/1.1\r\n{HOST}\r\n", f"GET / HTTP/1.1\r\n{HOST}X: a\rb\r\n\r\n", f"OPTIONS * HTTP/1.1\r\n{HOST}\r\n", "GET /",
    f"POST /api/v1/session HTTP/1.1\r\n{HOST}Content-Type: application/json\r\nContent-Length: 200000\r\n\r\n" + "[" * 2_000,
    f"GET /api/v1/targets HTTP/1.1\r\n{HOST}Authorization: Bearer gate_abcdefgh_{'A' * 43}abcdef\r\n\r\n", f"GET /api/v1/changes HTTP/1.1\r\n{HOST}Cookie: gh_session={'A' * 43}\r\n\r\n",
)]


def flood(over, port, source):
    """Odd requests, each on a new connection, up to a hundred a second; half of the callers do not stay for the answer."""
    count = 0
    while not over.wait(0.01):
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=0.3, source_address=(source, 0)) as connection:
                connection.sendall(ODD[count % len(ODD)])
                if count % 2:
                    connection.recv(4096)
        except OSError:
            pass
        count += 1
    return count


def idlers(over, ports, source):
    """Connections on which nothing is ever sent, as many as `ports` says for each port; those that are cut are opened again."""
    open_, count = {}, 0
    waiting = select.poll()
    while not over.wait(0.2):
        for handle, _ in waiting.poll(0):
            waiting.unregister(handle)
            open_.pop(handle)[1].close()
        for port, wanted in ports.items():
            present = sum(1 for number, _ in open_.values() if number == port)
            # Not all at once, or an overflowing queue in the kernel would be measured and not the server.
            for _ in range(min(200, wanted - present)):
                connection = socket.socket()
                connection.settimeout(0.2)
                try:
                    connection.bind((source, 0))
                    connection.connect(("127.0.0.1", port))
                except OSError:
                    connection.close()
                    break
                open_[connection.fileno()] = (port, connection)
                waiting.register(connection.fileno(), select.POLLIN | select.POLLHUP | select.POLLRDHUP)
                count += 1
    held = len(open_)
    for _, connection in open_.values():
        connection.close()
    return count, held
