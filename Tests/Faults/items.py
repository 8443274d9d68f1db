"""The weaknesses that an attack on the built server found, each by itself, in the order of issue 11's list."""
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import sqlite3
import stat
import subprocess
import threading
import time

from attackers import FAR, FAR_STARTS, HOST, ODD, PLATFORMS, bodies, request
from canary import one_time_code
from server import FEED, GATEHOUSE, ROOT, Server

PASSWORD, OTHER = "violet-harbour-41-lantern", "copper-meadow-17-anchor"


class House(Server):
    """A server with its log in a file."""

    def __init__(self, folder, *options):
        self.path = pathlib.Path(f"{folder}.log")
        super().__init__(folder, *options, log=open(self.path, "ab"))

    def said(self):
        """Every record of the log so far."""
        return [json.loads(line) for line in self.path.read_text().splitlines() if line.startswith("{")]

    def stop(self):
        """Its exit status; a sentence if it does not end by itself."""
        try:
            return self.end()
        except subprocess.TimeoutExpired:
            self.process.kill()
            return f"killed: {self.process.wait()}"

    def restart(self):
        status = self.end()
        self.start()
        return status

    def api(self, method, path, body=None, token=None, cookies=None, csrf=None, headers=None):
        headers = dict(headers or {})
        if cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
            token = None
        if csrf:
            headers["X-Gatehouse-CSRF"] = csrf
        status, fields, text = request(self.admin, method, "/api/v1" + path, body if body is not None or method == "GET" else {}, token, headers)
        return status, fields, json.loads(text) if text else {}

    def person(self, name, role="viewer", **more):
        status, answer = self.call("POST", "/users", {"username": name, "role": role, "password": PASSWORD} | more)
        assert status == 201, answer
        return answer

    def sign_in(self, name, password=PASSWORD, cookies=None, sender=None, **more):
        """The status, the answer, and every cookie that the browser has afterwards."""
        headers = {"X-Forwarded-For": sender} if sender else {}
        status, fields, answer = self.api("POST", "/session", {"username": name, "password": password} | more, cookies=cookies, headers=headers)
        jar = dict(cookies or {})
        for line in fields.get_all("Set-Cookie") or []:
            key, _, value = line.split(";")[0].partition("=")
            jar[key] = value
        return status, answer, jar

    def tried(self, name, password=PASSWORD, **more):
        """Signs in, and tries again while the server is busy, as it is for first-time callers after a crush."""
        while True:
            status, answer, jar = self.sign_in(name, password, **more)
            if status != 503:
                return status, answer, jar
            time.sleep(0.2)

    def until(self, patience, name, **more):
        """Signs in, and waits as told: seconds until it worked, or the last answer."""
        begun = time.monotonic()
        while True:
            status, answer, jar = self.sign_in(name, **more)
            took = time.monotonic() - begun
            if status == 200 or took > patience:
                return status == 200 and took <= patience, f"{took:.1f} s" if status == 200 else f"{status} {answer.get('code')} after {took:.1f} s", jar
            time.sleep(0.2)


def raw(port, text, source="127.0.0.1", seconds=5):
    """Everything that comes back for these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds, source_address=(source, 0)) as connection:
        got = b""
        try:
            connection.sendall(text)
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65536):
                got += piece
        except OSError:
            pass
    return got


# MARK: 1 and 2


def times(house):
    """1: what is accepted can be read, at once and after the next start."""
    _, target = house.call("GET", "/targets/mine/p0")
    revision, taken, answers = target["revision"], 0, {}
    for text in FAR:
        status, answer = house.call("POST", "/changes", {"targets": [{"app": "mine", "platform": "p0", "revision": revision}], "set": {"killSwitch": {"message": text, "until": text}}})
        revision += status == 200
        answers[text] = status
    for start in FAR_STARTS:
        answers[str(start)] = house.call("POST", "/windows", {"targets": [{"app": "mine", "platform": "p0", "revision": revision}], "set": {"alert": {"message": "x", "blocking": False}}, "start": start})[0]
        answers[f"until {start}"] = house.call("POST", "/windows", {"targets": [{"app": "mine", "platform": "p0", "revision": revision}], "set": {"alert": {"message": "x", "blocking": False}},
                                                                     "start": {"at": "2031-01-01T00:00:00Z", "zone": "UTC"}, "end": start})[0]
    for text in FAR:
        answers[f"token {text}"] = house.call("POST", "/tokens", {"name": "far", "role": "viewer", "expiresAt": text})[0]
        answers[f"simulated {text}"] = house.call("POST", "/simulate", {"app": "mine", "platform": "p0", "version": "1.0", "at": text})[0]
        for path in ("/changes", "/audit"):
            answers[f"since {path} {text}"] = house.call("GET", f"{path}?since={text.replace('+', '%2B')}")[0]
    taken = [name for name, status in answers.items() if status in (200, 201)]
    reads = lambda: {path: house.call("GET", path)[0] for path in ("/changes?limit=500", "/windows?limit=500", "/audit?limit=500", "/tokens", "/targets", "/apps", "/events?after=0")}
    yield "1 times in far years are refused, or can be read", set(answers.values()) <= {200, 201, 400, 422} and set(reads().values()) == {200}, \
        f"{len(answers) - len(taken)} refused, {len(taken)} taken, {sorted(set(answers.values()))}, then {reads()}"
    house.restart()
    yield "1 and the next start reads them", house.health() == {"state": "ok", "reasons": []} and set(reads().values()) == {200}, f"{house.health()} {set(reads().values())}"


def lock(house, token):
    """2 and 4: what one body may cost."""
    _, page = house.call("GET", "/targets?limit=500")
    revisions = {target["platform"]: target["revision"] for target in page["items"] if target["app"] == "mine"}
    slowest, taken, wrong, seen = (0, ""), (0, ""), [], set()
    for name, method, path, body in bodies(revisions):
        if name in seen or path == "/apply":
            continue
        seen.add(name)
        text = json.dumps(body).encode()
        found = []
        for _ in range(3):
            begun = time.monotonic()
            status = request(house.admin, method, "/api/v1" + path, text, token)[0]
            found.append((time.monotonic() - begun, status))
            if status < 300 and not body.get("dryRun"):
                break
        best, status = min(found)
        if 400 <= status < 500:
            slowest = max(slowest, (best, name))
        elif status < 300:
            taken = max(taken, (best, name))
        else:
            wrong.append((name, status))
    yield "2 every hostile body that is refused is refused within 50 ms", not wrong and slowest[0] <= 0.05, f"slowest {slowest[0] * 1000:.0f} ms: {slowest[1]}" + (f"; {wrong}" if wrong else "")
    yield "2 and what is taken is done within a second", taken[0] <= 1, f"slowest {taken[0] * 1000:.0f} ms: {taken[1]}"


# MARK: 3 and 4


def log(house):
    """3: strangers do not write the log."""
    before = house.path.stat().st_size
    count, waiting = 0, collections.deque()
    for number in range(10_000):
        port = house.feeds if number % 2 else house.admin
        try:
            connection = socket.create_connection(("127.0.0.1", port), timeout=2, source_address=(f"127.0.1.{number % 200 + 1}", 0))
            connection.sendall(ODD[number // 2 % len(ODD)])
            count += 1
        except OSError:
            continue
        # Some of them are not complete requests, and so get no answer: nobody waits for one, but a hundred connections stay open for a
        # while.
        waiting.append(connection)
        if len(waiting) > 100:
            waiting.popleft().close()
    for connection in waiting:
        connection.close()
    time.sleep(1)
    grown = house.path.stat().st_size - before
    yield "3 ten thousand anonymous requests leave less than 200 kB in the log", count > 9_000 and grown < 200_000, f"{grown / 1000:.0f} kB for {count}"


def sizes(house, token):
    """4: nothing is larger than it may be."""
    _, target = house.call("GET", "/targets/mine/p1")
    targets = [{"app": "mine", "platform": "p1", "revision": target["revision"]}]
    statuses = {}
    for name, message in (("a text of 250 KB", "x" * 250_000), ("480 languages", {"default": "x"} | {f"a{chr(97 + number // 26)}-{chr(65 + number % 26)}A": "x" * 480 for number in range(480)})):
        statuses[name] = request(house.admin, "POST", "/api/v1/changes", {"targets": targets, "set": {"alert": {"message": message, "blocking": False}}}, token)[0]
    yield "4 a gate of 250 KB is refused", set(statuses.values()) <= {400, 413, 422}, str(statuses)
    unit = (ROOT / "deploy" / "systemd" / "gatehouse.service").read_text()
    yield "4 the unit keeps a trap from dumping memory into the log", re.search(r"^Environment=.*SWIFT_BACKTRACE=enable=no", unit, re.MULTILINE) is not None, ""


# MARK: 5 to 7, signing in


def reset_race(house):
    """5: sign-ins with the old password end with it."""
    won, alive = [], 0
    for number in range(12):
        name = f"racer{number}"
        house.person(name)
        found = {}

        def sign_in():
            found["sign in"] = house.sign_in(name)

        thread = threading.Thread(target=sign_in)
        thread.start()
        # A hash takes about a tenth of a second: these delays go from before its beginning to after its end.
        time.sleep(0.012 * number)
        status = house.call("PATCH", f"/users/{name}", {"password": OTHER})[0]
        assert status == 200, status
        thread.join()
        status, _, jar = found["sign in"]
        if status == 200:
            alive += 1
            if house.api("GET", "/account", cookies=jar)[0] != 401:
                won.append(number)
    yield "5 no sign-in under way survives the reset of its password", not won, f"{alive} of 12 signed in meanwhile, {len(won)} of them go on"


def second_factor(house):
    """6: if there is a second factor, a password alone makes nothing fresh."""
    house.person("grace", "admin")
    status, answer, jar = house.sign_in("grace")
    csrf = answer["csrf"]
    status, _, started = house.api("POST", "/account/totp", cookies=jar, csrf=csrf)
    assert status in (200, 201), started
    code = lambda: one_time_code(started["secret"], int(time.time()) // 30)
    status, _, answer = house.api("POST", "/account/totp/confirm", {"code": code()}, cookies=jar, csrf=csrf)
    assert status == 200, answer
    recovery = answer["recoveryCodes"]
    change = {"currentPassword": PASSWORD, "newPassword": OTHER}
    status, _, without = house.api("POST", "/account/password", change, cookies=jar, csrf=csrf)
    wrong = house.api("POST", "/account/password", change | {"totp": "000000"}, cookies=jar, csrf=csrf)[0]
    yield "6 a new password takes the second factor too", 400 <= status < 500 and 400 <= wrong < 500, f"without {status} {without.get('code')}, with a wrong one {wrong}"
    again = house.api("POST", "/session/reauthenticate", {"password": PASSWORD}, cookies=jar, csrf=csrf)
    right = house.api("POST", "/account/password", change | {"totp": recovery[0]}, cookies=jar, csrf=csrf)
    yield "6 as does signing in anew, and with a code it works", 400 <= again[0] < 500 and right[0] == 200, f"{again[0]} {again[2].get('code')}, then {right[0]} {right[2].get('code', '')}"


def kept_out(house):
    """7: the right person gets in while others try their name. The server trusts the proxy at 127.0.0.1."""
    house.person("ann", "admin")
    _, _, jar = house.sign_in("ann", sender="198.51.100.7")
    device = {name: value for name, value in jar.items() if not name.endswith("gh_session")}
    tries = []

    def attack(first):
        for number in range(first, first + 30):
            tries.append(house.sign_in("ann", "wrong password", sender=f"203.0.{number}.{number + 1}")[0])

    threads = [threading.Thread(target=attack, args=(30 * place,)) for place in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    holds, detail, _ = house.until(5, "ann", cookies=device, sender="198.51.100.8")
    yield "7 during an attack on their name the right person is in within 5 s", holds, f"{detail}, after {len(tries)} wrong tries from as many networks"
    spread = [house.tried(f"nobody{number}", "wrong password", sender=f"2001:db8:1:{number:x}::1")[0] for number in range(60)]
    yield "7 tries from all over one /48 are counted together", 429 in spread, f"{spread.count(429)} of {len(spread)} put off"


def undeclared_proxy(house):
    """7: everybody comes through one proxy that was not declared to the server."""
    house.person("ben", "admin")
    _, _, jar = house.sign_in("ben", sender="198.51.100.7")
    device = {name: value for name, value in jar.items() if not name.endswith("gh_session")}
    for number in range(25):
        house.sign_in(f"nobody{number}", "wrong password", sender=f"203.0.113.{number}")
    holds, detail, _ = house.until(5, "ben", cookies=device, sender="198.51.100.7")
    yield "7 behind an undeclared proxy 25 strangers' failures keep nobody out who was there before", holds, detail
    records = [record for record in house.said() if "X-Forwarded-For" in json.dumps(record)]
    notices = house.call("GET", "/status")[1]["health"].get("notices")
    yield "7 and the log and the health say so, once", len(records) == 1 and "X-Forwarded-For" in json.dumps(notices), f"{len(records)} records; {notices}"


# MARK: 8 to 10


def hosts(house):
    """8: the admin listener answers only to its own names, except for /healthz, which monitors may ask by any name."""
    found = {}
    for host in ("evil.example", f"evil.example:{house.admin}", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "169.254.169.254", ""):
        for path in ("/", "/api/v1/status", "/metrics", "/openapi.json", "/app.js"):
            got = raw(house.admin, f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            found[f"{host} {path}"] = int(got.split(b" ")[1]) if got.startswith(b"HTTP/") else 0
    let_in = [name for name, status in found.items() if status not in (421, 400)]
    yield "8 foreign hosts are told 421", not let_in, f"{len(found)} asked" + (f", let in: {let_in[:4]}" if let_in else "")
    own = {}
    for host in ("127.0.0.1", f"127.0.0.1:{house.admin}", "localhost", f"localhost:{house.admin}", f"[::1]:{house.admin}"):
        own[host] = int(raw(house.admin, f"GET /openapi.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()).split(b" ")[1])
    feeds = int(raw(house.feeds, f"GET {FEED} HTTP/1.1\r\nHost: config.example.com\r\nConnection: close\r\n\r\n".encode()).split(b" ")[1])
    yield "8 its own are answered, and the feeds have any", set(own.values()) == {200} and feeds == 200, f"{own}, feeds {feeds}"


def forged(house, folder):
    """9: rows that were added with SQL are found and not obeyed, each on a copy of a stopped server's data."""
    house.person("mallory", "viewer")
    _, made = house.call("POST", "/tokens", {"name": "small", "role": "viewer", "apps": ["mine"]})
    secret = made["token"]
    _, target = house.call("GET", "/targets/mine/p2")
    status, window = house.call("POST", "/windows", {"targets": [{"app": "mine", "platform": "p2", "revision": target["revision"]}], "set": {"alert": {"message": "Hello.", "blocking": False}},
                                                     "start": {"at": "2031-01-01T00:00:00Z", "zone": "UTC"}})
    assert status == 201, window
    assert house.end() == 0

    def row(db, table, where, **values):
        """One more row like that one."""
        columns = [line[1] for line in db.execute(f"PRAGMA table_info({table})")]
        chosen = ", ".join(f":{column}" if column in values else column for column in columns)
        db.execute(f"INSERT INTO {table} ({', '.join(columns)}) SELECT {chosen} FROM {table} WHERE {where}", values)

    def forged_window(db):
        document = db.execute("SELECT document FROM windows").fetchone()[0].replace("Hello.", "Forged.").replace('"alert"', '"killSwitch"').replace(',"blocking":false', "")
        due = int(time.time()) * 1000 + 2_000
        db.execute("UPDATE windows SET document = ?", (document.replace("2031-01-01T00:00:00", time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(due / 1000))),))
        db.execute("UPDATE windows SET due_at = ?", (due,))

    attempts = {
        "a viewer becomes an administrator": lambda db: db.execute("UPDATE users SET role = 'admin' WHERE name = 'mallory'"),
        "an administrator is added": lambda db: row(db, "users", "name = 'mallory'", id=900, name="eve", name_folded="eve", role="admin"),
        "another's password is put in place": lambda db: db.execute("UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE name = 'mallory') WHERE name = 'faults'"),
        "a token becomes an administrator's": lambda db: db.execute("UPDATE tokens SET role = 'admin', apps = (SELECT apps FROM tokens WHERE name = 'faults') WHERE name = 'small'"),
        "a token is added": lambda db: row(db, "tokens", "name = 'small'", id="zzzzzzzz", role="admin"),
        "a window becomes a kill": forged_window,
        "a person is removed": lambda db: db.execute("DELETE FROM users WHERE name = 'mallory'"),
    }
    for number, (name, forge) in enumerate(attempts.items()):
        copy = folder / f"forged{number}"
        shutil.copytree(house.data, copy)
        copy.chmod(0o700)
        db = sqlite3.connect(copy / "gatehouse.sqlite")
        triggers = db.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for trigger, _ in triggers:
            db.execute(f"DROP TRIGGER {trigger}")
        forge(db)
        for _, sql in triggers:
            db.execute(sql)
        db.commit()
        db.close()
        verify = subprocess.run([GATEHOUSE, "verify", "--data", copy, "--migrations", ROOT / "Migrations"], capture_output=True, text=True)
        other = House.__new__(House)
        other.path, other.data, other.options, other.admin, other.feeds, other.token = folder / f"forged{number}.log", copy, house.options, house.admin, house.feeds, house.token
        other.log = open(other.path, "ab")
        other.start(waits=False)
        begun = time.monotonic()
        while other.health()["state"] == "starting" and time.monotonic() - begun < 10:
            time.sleep(0.05)
        obeyed = []
        for person in ("mallory", "eve", "faults"):
            status, answer, jar = other.sign_in(person)
            # `faults` has this password anyway; if another person's was put in its place, that is the same password here.
            if status == 200 and person != "faults" and answer["user"]["role"] == "admin":
                obeyed.append(person)
        for token in (secret, secret.replace(secret.split("_")[1], "zzzzzzzz", 1)):
            if other.api("GET", "/users", token=token)[0] == 200:
                obeyed.append("a token")
        if "window" in name:
            time.sleep(3)
            if b"Forged." in request(other.feeds, "GET", "/feeds/mine/p2/gate.json")[2]:
                obeyed.append("the window")
        other.end(signal.SIGKILL)
        yield f"9 {name}: verify finds it, and nobody obeys", verify.returncode != 0 and not obeyed, f"verify {verify.returncode}: {(verify.stdout + verify.stderr).strip()[:120]}" + (f"; obeyed: {obeyed}" if obeyed else "")
    house.start()


def crowded(house):
    """10: as many idle connections as possible, all from one address, and a phone from another."""
    crowd = []
    try:
        for number in range(12_400):
            connection = socket.socket()
            connection.setblocking(False)
            connection.bind(("127.0.0.7", 0))
            connection.connect_ex(("127.0.0.1", house.feeds))
            crowd.append(connection)
            if number % 500 == 499:
                time.sleep(0.05)
        took, wrong = [], []
        for number in range(20):
            begun = time.monotonic()
            try:
                status, _, _ = request(house.feeds, "GET", FEED, timeout=5, source=f"127.0.0.{20 + number}")
                if status != 200:
                    wrong.append(status)
            except OSError as error:
                wrong.append(repr(error))
            took.append(time.monotonic() - begun)
        yield "10 a phone is served beside 12,400 idle connections of one address", not wrong and max(took) <= 2, f"slowest {max(took) * 1000:.0f} ms of {len(took)}" + (f", not served: {len(wrong)} {wrong[:2]}" if wrong else "")
    finally:
        for connection in crowd:
            connection.close()


# MARK: 11


def small_ones(house):
    house.person("carol", "operator")
    _, answer, jar = house.tried("carol")
    status, _, own = house.api("POST", "/tokens", {"name": "check"}, cookies=jar, csrf=answer["csrf"])
    assert status == 201, own
    before = house.api("GET", "/status", token=own["token"])[0]
    assert house.call("PATCH", "/users/carol", {"password": OTHER})[0] == 200
    after = house.api("GET", "/status", token=own["token"])[0]
    yield "11 a token ends with the reset of its owner's password", before == 200 and after == 401, f"{before}, then {after}"

    tokens = [house.call("POST", "/tokens", {"name": "check", "role": "operator"})[1] for _ in range(2)]
    actors = []
    for token in tokens:
        _, target = house.call("GET", "/targets/mine/p3")
        status, _, answer = house.api("POST", "/changes", {"targets": [{"app": "mine", "platform": "p3", "revision": target["revision"]}], "set": {"alert": {"message": token["id"], "blocking": False}}}, token=token["token"])
        assert status == 200, answer
        actors.append(answer["change"]["actor"])
    yield "11 two tokens of one name are told apart", [actor.get("id") for actor in actors] == [token["id"] for token in tokens], str(actors)

    _, scoped = house.call("POST", "/tokens", {"name": "scoped", "role": "admin", "apps": ["mine"]})
    status, _ = house.call("PATCH", "/apps/bank", {"aliases": [{"path": "/bank-of-nobody.json", "feed": "launchgate.json"}]})
    assert status == 200
    status, _, answer = house.api("PATCH", "/apps/mine", {"aliases": [{"path": "/bank-of-nobody.json", "feed": "launchgate.json"}]}, token=scoped["token"])
    yield "11 an app out of scope is not named", status in (409, 422) and "bank" not in json.dumps(answer).replace("/bank-of-nobody.json", ""), f"{status} {answer.get('detail')}"

    query = "&".join(f"parameter{number}=value" for number in range(150))
    answered = {}
    for port in (house.feeds, house.admin):
        for path in (FEED, "/api/v1/status", "/none"):
            got = raw(port, f"GET {path}?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
            answered[f"{port == house.admin and 'admin' or 'feeds'} {path}"] = got.split(b" ")[1].decode() if got.startswith(b"HTTP/1.1 ") else "nothing"
    yield "11 150 query parameters get an answer", "nothing" not in answered.values() and answered[f"feeds {FEED}"] in ("200", "414", "431"), str(answered)

    before = len(audit(house))
    refused = 0
    for number in range(1_500):
        refused += house.api("GET", f"/targets/none{number}/ios", token="gate_" + f"{number:08}" + "_" + "A" * 49, headers={"X-Forwarded-For": f"203.{number % 250}.{number // 250}.9"})[0] == 401
    rows = len(audit(house)) - before
    yield "11 refusals do not fill the audit", refused == 1_500 and rows <= 200, f"{refused} refused, {rows} rows"


def audit(house):
    items, cursor = [], ""
    while len(items) < 5_000:
        _, page = house.call("GET", "/audit?limit=500" + cursor)
        items += page["items"]
        if not page.get("next"):
            break
        cursor = "&cursor=" + page["next"]
    return items


def files(house):
    """11: the files in the data folder."""
    assert house.end() == 0
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in house.data.iterdir()}
    loose = {name: oct(mode) for name, mode in modes.items() if mode & 0o077}
    yield "11 no file of the data folder is readable by others", not loose and {"anchor.json", "reach.json"} <= set(modes), str(loose or sorted(modes))
    kept = (house.data / "reach.json").read_text()
    outcomes = {}
    for name, text in (("a huge number", re.sub(r"\d+", "9" * 40, kept)), ("an exponent", re.sub(r"\d+", "1e400", kept)), ("below nothing", re.sub(r"\d+", "-9223372036854775808", kept)),
                       ("the largest", re.sub(r"\d+", "9223372036854775807", kept)), ("another document", '{"apps":[{"x":1e999}]}'), ("none at all", "\0" * 100)):
        (house.data / "reach.json").write_text(text)
        house.start()
        for _ in range(30):
            request(house.feeds, "GET", FEED)
        house.call("GET", "/targets")
        time.sleep(1.2)
        outcomes[name] = house.process.poll() is None and house.health()["state"] == "ok" and house.end() == 0
    yield "11 reach.json ends nothing, whatever stands in it", all(outcomes.values()), str({name: holds for name, holds in outcomes.items() if not holds} or f"{len(outcomes)} tried")
    house.data.chmod(0o777)
    opened = subprocess.run([str(word) for word in (GATEHOUSE, "verify", "--data", house.data, "--migrations", ROOT / "Migrations")], capture_output=True, text=True)
    process = subprocess.Popen(
        [str(word) for word in (GATEHOUSE, "serve", "--data", house.data, "--listen", "127.0.0.1:0", "--feeds", "127.0.0.1:0", "--public", ROOT / "Public", "--migrations", ROOT / "Migrations")],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )
    try:
        words = process.communicate(timeout=5)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        words = process.communicate()[1]
    house.data.chmod(0o700)
    yield "11 a data folder that others can write in is not taken in silence", "chmod" in words or "data folder" in words.lower(), f"{words.strip()[:160]}; verify {opened.returncode}"
    house.start()


def edges(house):
    """11: a bare CR, and the suspicion that one answer was glued to another's body."""
    second = f"GET /healthz/live HTTP/1.1\r\n{HOST}\r\n"
    rows = {
        "a bare CR in a value": f"GET /healthz/live HTTP/1.1\r\n{HOST}X: a\rGET /healthz/live HTTP/1.1\r\n\r\n",
        "a bare CR as the end of a line": f"GET /healthz/live HTTP/1.1\r{HOST}\r\r",
        "a request behind an HTTP/1.0 one": f"GET /healthz/live HTTP/1.0\r\n\r\n{second}",
        "a request behind a length and a chunk": f"POST /api/v1/session HTTP/1.1\r\n{HOST}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{second}",
        "a request behind an odd chunk": f"POST /api/v1/session HTTP/1.1\r\n{HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\rX\r\n0\r\n\r\n{second}",
        "a request in a body that is not taken": f"POST {FEED} HTTP/1.1\r\n{HOST}Content-Length: {len(second)}\r\n\r\n{second}",
    }
    found = {}
    for port, listener in ((house.feeds, "feeds"), (house.admin, "admin")):
        for name, text in rows.items():
            found[f"{name}, {listener}"] = raw(port, text.encode(), seconds=3).count(b"HTTP/1.")
    twice = {name: count for name, count in found.items() if count > 1}
    yield "11 no odd request gets a second answer", not twice, str(twice or f"{len(found)} asked")


# MARK: 12


def causes(house):
    """12: each failure has a log line with cause and request id; what `accept` overrides is said."""
    _, target = house.call("GET", "/targets/mine/p4")
    other = sqlite3.connect(house.data / "gatehouse.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    status, problem = house.call("POST", "/changes", {"targets": [{"app": "mine", "platform": "p4", "revision": target["revision"]}], "set": {"alert": {"message": "private words", "blocking": False}}})
    other.execute("ROLLBACK")
    other.close()
    time.sleep(0.5)
    lines = [record for record in house.said() if record.get("requestId") == problem["requestId"] and "operation" in record]
    good = len(lines) == 1 and lines[0].get("sqlite") == 5 and lines[0].get("path", "").endswith("gatehouse.sqlite") and lines[0].get("target") == "mine/p4" and "private" not in json.dumps(lines)
    yield "12 a locked database leaves one line with its cause and the request's id", status == 503 and good and str(house.data) not in json.dumps(problem), f"{status} {problem.get('code')}; {lines[:2]}"
    assert house.call("PUT", "/apps/mine/platforms/p5", {"releases": ["1.8", "1.9"]})[0] == 200
    _, target = house.call("GET", "/targets/mine/p5")
    status, problem = house.call("POST", "/changes", {"targets": [{"app": "mine", "platform": "p5", "revision": target["revision"]}], "set": {"requiredUpdate": {"minimumVersion": "2.0", "message": "x"}}})
    yield "12 a refusal that accept overrides says so in a member", status == 422 and problem.get("overridable") is True, f"{status} {problem.get('code')} overridable {problem.get('overridable')}"


def full_disk(folder, mounts):
    """12: the same on a disk that is really full; needs root for a small tmpfs."""
    if os.geteuid() != 0:
        return print("--   12 a full disk: needs root for a small tmpfs")
    disk = folder / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m,mode=0700", "tmpfs", disk], check=True)
    mounts.append(disk)
    house = House(folder / "disk" / "data")
    # The log is on another disk: on the same one it could not be written either.
    house.end()
    house.path = folder / "full.log"
    house.log = open(house.path, "ab")
    house.start()
    house.alert("Noted: that the token was used")
    ballast = disk / "ballast"
    with open(ballast, "wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass
    refused = []
    for number in range(400):
        status, answer, _ = house.alert(f"Filling {number} " + "x" * 400)
        if status != 200:
            refused.append(answer["requestId"])
        if len(refused) == 5:
            break
    # Housekeeping fails every second meanwhile.
    time.sleep(4)
    ballast.unlink()
    time.sleep(3)
    records = [record for record in house.said() if "operation" in record]
    each = [sum(record["requestId"] == one for record in records) for one in refused]
    own = [record for record in records if record["requestId"] not in refused]
    told = [record["message"] for record in own]
    yield "12 a full disk leaves one line a request, with its cause", each == [1] * 5 and all(record.get("sqlite") or record.get("errno") for record in records if record["requestId"] in refused), f"{each}, {next((record for record in records if record['requestId'] in refused), None)}"
    yield "12 and what goes on by itself is told when it begins and when it ends", 2 <= len(told) <= 8 and any("works again" in message for message in told), str(told)
    house.end()


def stale_apply(house):
    """R64: a file that was exported before a kill does not lift it."""
    status, exported = house.call("GET", "/export?app=bank")
    assert status == 200, exported
    _, target = house.call("GET", "/targets/bank/ios")
    assert house.call("POST", "/changes", {"targets": [{"app": "bank", "platform": "ios", "revision": target["revision"]}], "set": {"killSwitch": {"message": "Closed."}}})[0] == 200
    status, answer = house.call("POST", "/apply", {"document": exported, "sequence": exported.get("sequence")})
    _, target = house.call("GET", "/targets/bank/ios")
    yield "an export from before a kill does not lift it", status in (409, 412, 422, 428) and target["state"] == "blocked", f"{status} {answer.get('code')}, {target['state']}"


def run(folder):
    mounts = []

    def checked(name, check, *arguments):
        """A check that raises has failed, and the others still run."""
        try:
            yield from check(*arguments)
        except Exception as error:
            yield f"{name} was looked at to its end", False, repr(error)[:300]

    def furnished(name, *options):
        house = House(folder / name, *options)
        for app, platforms in (("bank", ["ios"]), ("mine", [f"p{number}" for number in range(PLATFORMS)])):
            assert house.call("POST", "/apps", {"key": app, "name": app})[0] == 201
            for platform in platforms:
                assert house.call("PUT", f"/apps/{app}/platforms/{platform}", {})[0] == 201
        return house

    houses = []
    try:
        # A request that holds the lock delays everything after it, so this has a server of its own.
        heavy = furnished("heavy")
        houses.append(heavy)
        yield from checked("2", lock, heavy, heavy.call("POST", "/tokens", {"name": "hostile", "role": "operator", "apps": ["mine"]})[1]["token"])
        heavy.end(signal.SIGKILL)
        house = furnished("items")
        houses.append(house)
        token = house.call("POST", "/tokens", {"name": "hostile", "role": "operator", "apps": ["mine"]})[1]["token"]
        yield from checked("1", times, house)
        yield from checked("3", log, house)
        yield from checked("4", sizes, house, token)
        yield from checked("5", reset_race, house)
        yield from checked("6", second_factor, house)
        yield from checked("8", hosts, house)
        yield from checked("10", crowded, house)
        yield from checked("11", edges, house)
        yield from checked("12", causes, house)
        yield from checked("apply", stale_apply, house)
        yield from checked("9", forged, house, folder)
        yield from checked("11", files, house)
        yield from checked("7", undeclared_proxy, house)
        status, sound = house.stop(), subprocess.run([GATEHOUSE, "verify", "--data", house.data, "--migrations", ROOT / "Migrations"], capture_output=True, text=True)
        yield "after all of it the server ends in order and the database is sound", status == 0 and sound.returncode == 0, f"{status}; {(sound.stdout + sound.stderr).strip()[:150]}"
        proxied = furnished("proxied", "--trusted-proxy", "127.0.0.1")
        houses.append(proxied)
        yield from checked("7", kept_out, proxied)
        yield from checked("11", small_ones, proxied)
        yield from checked("12", full_disk, folder, mounts)
    finally:
        for house in houses:
            if house.process.poll() is None:
                house.end(signal.SIGKILL)
        for mount in mounts:
            subprocess.run(["umount", "-l", mount])
