"""Three servers on one PostgreSQL, changed from all three while one of them is killed, frozen or cut off, or the database is restarted or frozen.

No acknowledged change is lost or doubled, the sequence has no gap, each window is carried out once, a server that is cut off says so and
refuses changes, and soon after each fault all feeds are the same again. The servers share their keys by a secret: the second and the third
start with an empty folder, and now and then the key that signs feeds is changed in one folder. Run as root, each server has its own network
namespace; otherwise no link is cut. Not part of deploy/test: GATEHOUSE_BIN=… python3 Tests/Faults/shared.py --minutes 20 [--seed N]"""
import argparse
import collections
import datetime
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid

import network
from postgres import Cluster
from server import GATEHOUSE, ROOT, Caller, ask, free_port, until

APPS = ("shop", "bank", "news")
PLATFORMS = ("ios", "android")
FEEDS = [f"/feeds/{app}/launchgate.json" for app in APPS + ("sale",)]
SIGNED = "/feeds/shop/ios/gate.json"
# Seconds after a fault ends within which all servers must answer alike.
SOON = 2


def keys(*words):
    made = subprocess.run([GATEHOUSE, "keys", *map(str, words)], capture_output=True, text=True, check=True)
    return re.search(r"[0-9a-f]{16}", made.stdout)[0]


class Server(Caller):
    def __init__(self, folder, cluster, room=None, first=None):
        self.secret = folder.parent / "keys-secret"
        self.data, self.cluster, self.process, self.room = folder / "data", cluster, None, room
        self.address = room.address if room else "127.0.0.1"
        self.log = folder / "log"
        self.admin, self.feeds = free_port(), free_port()
        if first:
            self.data.mkdir(parents=True, mode=0o700)
            self.token = first.token
        else:
            folder.mkdir()
            subprocess.run([GATEHOUSE, "keys", "secret", "--out", self.secret], check=True)
            made = subprocess.run(
                [GATEHOUSE, "init", "--data", self.data, "--database", cluster.url, "--username", "faults", "--password-stdin", "--token", "faults",
                 "--migrations", ROOT / "Migrations", "--keys-secret-file", self.secret],
                input="violet-harbour-41-lantern\n", capture_output=True, text=True, check=True,
            )
            self.token = made.stdout.strip()

    def start(self):
        self.ended = False
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [str(word) for word in (*(self.room.enter if self.room else []), GATEHOUSE, "serve", "--data", self.data, "--database",
                                        self.cluster.network_url or self.cluster.url, "--server-name", self.data.parent.name,
                                        "--keys-secret-file", self.secret,
                                        "--listen", f"{self.address}:{self.admin}", "--feeds", f"{self.address}:{self.feeds}",
                                        "--public", ROOT / "Public", "--migrations", ROOT / "Migrations")],
                stdout=subprocess.PIPE, stderr=log,
            )
        if not self.process.stdout.readline():
            sys.exit(f"gatehouse did not start: {self.log.read_text(encoding='utf-8')[-2000:]}")

    def end(self, number):
        self.ended = True
        self.process.send_signal(number)
        self.process.stdout.close()
        self.process.wait(30)

    def state(self):
        """All feeds and the health, or None while it does not answer."""
        try:
            feeds = [ask(self.feeds, "GET", path, timeout=2, address=self.address) for path in FEEDS]
            return [(status, body) for status, _, body in feeds], self.health()
        except (OSError, http.client.HTTPException, ValueError):
            return None, None

    def signer(self):
        """The key that a feed for native clients is signed with, or None."""
        try:
            return ask(self.feeds, "GET", SIGNED, timeout=2, address=self.address)[1]["Gatehouse-Signature"][:16]
        except (OSError, http.client.HTTPException, TypeError):
            return None

    def health(self):
        return json.loads(ask(self.admin, "GET", "/healthz/ready", timeout=2, address=self.address)[2])


class Unread(Exception):
    """The state that a change starts from could not be read."""


class Trial:
    def __init__(self, folder, seed, faults):
        self.faults = faults
        if os.geteuid() == 0:
            self.rooms = [network.Room(net) for net in [network.Network()] for _ in range(3)]
            self.cluster = Cluster(network.Network.DATABASE)
        else:
            print("no links are cut: only root may")
            self.rooms, self.faults = [None] * 3, [fault for fault in faults if not fault.startswith("cut")]
            self.cluster = Cluster()
        self.random = random.Random(seed)
        first = Server(folder / "one", self.cluster, self.rooms[0])
        self.servers = [first] + [Server(folder / name, self.cluster, room, first) for name, room in zip(("two", "three"), self.rooms[1:])]
        for server in self.servers:
            server.start()
        self.key, self.keys = keys("add", "--data", first.data), 1
        until(lambda: all((server.state()[1] or {"state": "starting"})["state"] == "ok" for server in self.servers), "all servers are well")
        for app in APPS + ("sale",):
            assert first.call("POST", "/apps", {"key": app, "name": app})[0] == 201
            for platform in PLATFORMS:
                assert first.call("PUT", f"/apps/{app}/platforms/{platform}", {})[0] == 201
        self.over, self.going, self.lock = threading.Event(), threading.Event(), threading.Lock()
        self.going.set()
        self.heard, self.asked, self.answers, self.windows = {}, set(), collections.Counter(), {}
        self.busy = 0
        self.healings, self.odd, self.looks = [], [], 0

    def written(self, rng, path, make, expected):
        """One write, sent again under the same key, to any server, until one says what became of it."""
        key, body = uuid.UUID(int=rng.getrandbits(128)).hex, None
        while not self.over.is_set() or body is not None:
            server = rng.choice(self.servers)
            try:
                if body is None:
                    body = make(server)
                    if body is None:
                        return None
                status, answer = server.call("POST", path, body, key)
            except Unread as unread:
                self.answers[f"{unread} for the target"] += 1
                time.sleep(0.1)
                continue
            except (OSError, http.client.HTTPException, ValueError):
                self.answers["no answer"] += 1
                time.sleep(0.1)
                continue
            self.answers[str(status) + ("" if status == expected else " " + (answer or {}).get("code", ""))] += 1
            if status == expected:
                return answer
            # Or it took so long until a server answered that the window's time is past.
            if status in (409, 412) or (answer or {}).get("code") == "past_time":
                return None
            if status not in (429, 500, 502, 503):
                self.odd.append(f"{status} {answer}")
                return None
            time.sleep(0.1)
        return None

    def change(self, number):
        rng = random.Random(number)
        count = 0
        while not self.over.is_set():
            self.going.wait()
            with self.lock:
                self.busy += 1
            count += 1
            text = f"caller {number} change {count}"
            app, platform = rng.choice(APPS), rng.choice(PLATFORMS)

            def make(server):
                status, target = server.call("GET", f"/targets/{app}/{platform}")
                if status != 200:
                    if status != 503:
                        self.odd.append(f"{status} for the target from {server.data.parent.name}: {target}")
                    raise Unread(status)
                self.asked.add(text)
                return {"targets": [{"app": app, "platform": platform, "revision": target["revision"]}],
                        "set": {"alert": {"message": text, "blocking": False}}}

            answer = self.written(rng, "/changes", make, 200)
            if answer:
                self.heard[text] = answer["change"]["sequence"]
            with self.lock:
                self.busy -= 1
            time.sleep(0.02)

    def window(self):
        rng = random.Random(99)
        while not self.over.wait(5):
            start = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=3)

            def make(server):
                status, target = server.call("GET", "/targets/sale/ios")
                if status != 200:
                    if status != 503:
                        self.odd.append(f"{status} for the target from {server.data.parent.name}: {target}")
                    raise Unread(status)
                rules = {"alert": {"message": f"window {len(self.windows)} {start.timestamp()}", "blocking": False}}
                return {"targets": [{"app": "sale", "platform": "ios", "revision": target["revision"]}], "set": rules,
                        "start": {"at": start.strftime("%Y-%m-%dT%H:%M:%SZ"), "zone": "UTC"}, "then": "open"}

            answer = self.written(rng, "/windows", make, 201)
            if answer:
                self.windows[answer["window"]["id"]] = start

    def change_key(self):
        """Changes a key in the folder of one server, which may be cut off or gone just after."""
        data = self.random.choice(self.servers).data
        self.key = keys("add", "--data", data)
        keys("activate", self.key, "--data", data)
        self.keys += 1

    def fault(self):
        if self.random.random() < 0.25:
            self.change_key()
        kind = self.random.choice(self.faults)
        self.answers["fault: " + kind] += 1
        if kind == "kill":
            server = self.random.choice(self.servers)
            server.end(signal.SIGKILL)
            time.sleep(self.random.uniform(0, 3))
            server.start()
        elif kind == "restart":
            self.cluster.control("-m", "immediate", "restart")
        elif kind == "freeze a server":
            server = self.random.choice(self.servers)
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(self.random.uniform(0.5, 5))
            server.process.send_signal(signal.SIGCONT)
        elif kind == "cut a link":
            server = self.random.choice(self.servers)
            server.room.cut()
            cut = time.monotonic()
            time.sleep(self.random.uniform(0.5, 12))
            if time.monotonic() - cut > 6:
                self.look_at(server)
            server.room.mend()
        else:
            self.cluster.signal(signal.SIGSTOP)
            time.sleep(self.random.uniform(0.5, 5))
            self.cluster.signal(signal.SIGCONT)
        return kind

    def look_at(self, server):
        """A server that is cut off serves its feeds, says so, and refuses changes at once."""
        begun = time.monotonic()
        feeds, health = server.state()
        if not feeds or any(status != 200 for status, _ in feeds) or not health or health["state"] == "ok":
            self.odd.append(f"cut off: {[status for status, _ in feeds or []]}, {health}")
        status, answer = server.call("POST", "/changes", {"targets": [{"app": "shop", "platform": "ios"}], "set": {"alert": None}}, uuid.uuid4().hex)
        if status != 503 or time.monotonic() - begun > 2:
            self.odd.append(f"cut off, after {time.monotonic() - begun:.1f} s: {status} {answer}")
        self.looks += 1

    def heal(self, kind):
        """With nobody writing: how long until all feeds are the same and all servers are healthy."""
        begun = time.monotonic()
        self.going.clear()
        same = well = asked = apart = signed = None
        while same is None or well is None or signed is None:
            states = [server.state() for server in self.servers]
            feeds = [feeds for feeds, _ in states]
            with self.lock:
                quiet = self.busy == 0
            # A change that is still under way need not be at the other servers yet.
            if asked is None and quiet:
                asked = time.monotonic() - begun
            if any(other != feeds[0] for other in feeds):
                apart = time.monotonic() - begun
            if same is None and quiet and feeds[0] and all(other == feeds[0] for other in feeds):
                same = time.monotonic() - begun
            if well is None and all(health and health["state"] == "ok" for _, health in states):
                well = time.monotonic() - begun
            if signed is None and all(server.signer() == self.key for server in self.servers):
                signed = time.monotonic() - begun
            if time.monotonic() - begun > 60:
                for server, found in zip(self.servers, feeds):
                    print(server.data.parent.name, [(status, hash(body)) for status, body in found or []], flush=True)
                print(f"60 s after {kind}: same {same}, well {well}, signed {signed}, {[health for _, health in states]}, busy {self.busy}", flush=True)
                self.odd.append(f"not healed after {kind}")
                break
            time.sleep(0.02)
        self.going.set()
        if same and same > SOON:
            print(f"after {kind}: the last answer after {asked:.2f} s, feeds apart until {apart or 0:.2f} s, the same after {same:.2f} s", flush=True)
        self.healings.append((kind, same or 60, well or 60, signed or 60))

    def judge(self):
        server = self.servers[0]
        texts, sequences, scheduled, cursor = collections.defaultdict(list), [], 0, None
        while True:
            status, page = server.call("GET", "/changes?limit=500" + (f"&cursor={cursor}" if cursor else ""))
            assert status == 200, page
            for change in page["items"]:
                sequences.append(change["sequence"])
                scheduled += change["source"] == "schedule"
                for target in change["targets"]:
                    if (alert := target["after"].get("alert")) and target["app"] != "sale":
                        texts[alert["message"]].append(change["sequence"])
            cursor = page["next"]
            if not cursor:
                break
        windows = {number: server.call("GET", f"/windows/{number}")[1] for number in self.windows}
        over = collections.Counter(window["state"] for window in windows.values())
        starts = [[event for event in window["events"] if event["what"] == "started"] for window in windows.values()]
        checks = {
            "no acknowledged change is lost": all(texts.get(text) == [at] for text, at in self.heard.items()),
            "none is there twice": all(len(at) == 1 for at in texts.values()) and set(texts) <= self.asked,
            "the sequence has no gap": sequences == list(range(len(sequences), 0, -1)),
            "each window was carried out once": set(over) <= {"done"} and all(len(found) == 1 for found in starts),
            f"feeds are the same within {SOON} s of each healing": all(same <= SOON for _, same, _, _ in self.healings),
            "who is cut off says so, and nothing odd was answered": not self.odd,
        }
        for other in self.servers:
            other.end(signal.SIGTERM)
            verified = subprocess.run([GATEHOUSE, "verify", "--data", other.data, "--database", self.cluster.url, "--migrations", ROOT / "Migrations"],
                                      capture_output=True, text=True, check=False)
            checks[f"verify beside {other.data.parent.name} finds the database sound"] = verified.returncode == 0
            if verified.returncode:
                print(verified.stderr)
        self.cluster.end()
        for room in filter(None, self.rooms):
            room.end()
        print(f"{len(sequences)} changes, {len(self.heard)} acknowledged of {len(self.asked)} asked for; {len(windows)} windows {dict(over)}, {scheduled} steps changed a gate")
        print("answers:", dict(self.answers))
        print(f"{self.looks} looks at a server that was cut off for more than six seconds")
        print(f"{self.keys} keys, made in any of the folders")
        for kind in sorted({kind for kind, *_ in self.healings}):
            found = [seconds for other, *seconds in self.healings if other == kind]
            said = (f"{what} after {statistics.median(took):.2f} s, at most {max(took):.2f} s"
                    for what, took in zip(("feeds the same", "well", "signed with the last key"), zip(*found)))
            print(f"after {kind} ({len(found)}): {'; '.join(said)}")
        for name, holds in checks.items():
            print("ok " if holds else "NOT", name)
        for odd in self.odd[:10]:
            print("odd:", odd)
        return all(checks.values())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--seed", type=int, default=random.randrange(10_000))
    parser.add_argument("--faults", default="kill,kill,restart,restart,freeze a server,freeze the database,cut a link,cut a link")
    options = parser.parse_args()
    if os.geteuid() == 0:
        network.alone()
    print("seed", options.seed, flush=True)
    with tempfile.TemporaryDirectory(prefix="gatehouse-shared-") as folder:
        trial = Trial(pathlib.Path(folder), options.seed, options.faults.split(","))
        threads = [threading.Thread(target=trial.change, args=(number,)) for number in range(4)] + [threading.Thread(target=trial.window)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + 60 * options.minutes
        while time.monotonic() < end:
            time.sleep(6)
            trial.heal(trial.fault())
        trial.over.set()
        trial.going.set()
        for thread in threads:
            thread.join()
        # Waits for the last windows to end.
        time.sleep(5)
        passed = False
        try:
            passed = trial.judge()
        finally:
            for server in trial.servers:
                if server.process.poll() is not None and not server.ended:
                    print(f"{server.data.parent.name} ended by itself with {server.process.returncode}", flush=True)
            if not passed and os.environ.get("KEEP"):
                shutil.copytree(folder, os.environ["KEEP"], dirs_exist_ok=True)
    sys.exit(0 if passed else 1)


main()
