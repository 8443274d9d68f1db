"""R15: bytes of the database, its log, the anchor and the kept feeds are altered at random, and the server is started on them.
Phones get what was published last or nothing, never another feed; and if the health says that all is well, it is."""
import collections
import json
import pathlib
import random
import secrets
import shutil
import signal
import time

import history
from server import FEED, Server, ask

PATHS = (FEED, "/feeds/shop/ios/bellerophon.json", "/feeds/shop/android/bellerophon.json", "/feeds/shop/ios/gate.json", "/feeds/shop/android/gate.json")
# Why a server may refuse to start on it.
REFUSALS = ("is a database of another program", "schema")
DATABASE, LOG = "gatehouse.sqlite", "gatehouse.sqlite-wal"


def flip(path, dice):
    """A bit here and there."""
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice((1, 1, 1, 5, 50))):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)
    path.write_bytes(data)


def pages(path, dice):
    """Replaces whole pages by zeros, noise, or another part of the file."""
    data = bytearray(path.read_bytes())
    for _ in range(dice.choice((1, 1, 3, 20))):
        at = dice.randrange(max(1, len(data) // 4096)) * 4096
        other = dice.randrange(max(1, len(data) // 4096)) * 4096
        piece = dice.choice((bytes(4096), dice.randbytes(4096), bytes(data[other:other + 4096])))
        data[at:at + 4096] = piece[:len(data[at:at + 4096])]
    path.write_bytes(data)


def cut(path, dice):
    data = path.read_bytes()
    path.write_bytes(data[:dice.randrange(len(data))])


def gone(path, dice):
    path.unlink()


def run(folder, rounds, seed):
    seed = seed if seed is not None else secrets.randbits(32)
    dice = random.Random(seed)
    print(f"     seed {seed}", flush=True)
    folder.mkdir()
    log = folder / "log"
    server = Server(folder / "data", log=log.open("a"))
    for number in range(40):
        assert server.alert(f"Text {number}", ("ios", "android")[number % 2])[0] == 200
    server.end()
    (server.data / "anchor.json").unlink()
    server.start()
    # The anchor is written a second after the start and then once a minute, so it has the state up to here. The log and the kept feeds have
    # what comes after.
    server.anchored(server.call("GET", "/status")[1]["sequence"])
    for number in range(20):
        assert server.alert(f"Newest {number}", ("ios", "android")[number % 2])[0] == 200
    server.kept("Newest 18", "Newest 19")
    wanted = {path: ask(server.feeds, "GET", path)[2] for path in PATHS}
    last = server.call("GET", "/status")[1]["sequence"]
    server.end(signal.SIGKILL)
    good = pathlib.Path(f"{server.data}-good")
    shutil.copytree(server.data, good)
    assert (good / LOG).stat().st_size > 4096
    # An older copy of the same database, and a copy of another one.
    other = Server(folder / "other")
    other.alert("Another")
    other.end()

    def foreign(path, dice):
        shutil.copy(folder / "other" / path.name, path)

    kinds = [
        ("bits of the database", DATABASE, flip), ("pages of the database", DATABASE, pages), ("the database cut off", DATABASE, cut),
        ("bits of the log", LOG, flip), ("pages of the log", LOG, pages), ("the log cut off", LOG, cut), ("the log gone", LOG, gone),
        ("bits of the anchor", "anchor.json", flip), ("the anchor cut off", "anchor.json", cut), ("another database's anchor", "anchor.json", foreign),
        ("bits of the kept feeds", "publication/shop.json", flip), ("the kept feeds cut off", "publication/shop.json", cut),
    ]
    weights = [6, 6, 2, 6, 4, 6, 1, 2, 1, 1, 2, 1]
    states, wrong, untrue = collections.Counter(), [], []
    for turn in range(rounds):
        name, file, damage = kinds[turn] if turn < len(kinds) else dice.choices(kinds, weights)[0]
        shutil.rmtree(server.data)
        shutil.copytree(good, server.data)
        damage(server.data / file, dice)
        log.write_text("")
        server.launch()
        if not server.process.stdout.readline():
            # It says why and ends: without a feed, phones keep what they have.
            states["did not start"] += 1
            if server.process.wait(10) != 1:
                wrong.append(f"{turn}, {name}: ended with {server.process.returncode}")
            # Only a database that says itself that it belongs to another program or version may keep a server from starting.
            said = log.read_text()
            if file != DATABASE or not any(reason in said for reason in REFUSALS):
                wrong.append(f"{turn}, {name}: does not start: {said[-300:]}")
            server.process.stdout.close()
            continue
        for _ in range(2):
            for path in PATHS:
                status, _, body = ask(server.feeds, "GET", path)
                # If the kept feeds are intact they are served, whatever became of the rest.
                if (status != 503 or not file.startswith("publication/")) and (status != 200 or body != wanted[path]):
                    wrong.append(f"{turn}, {name}: {path} is {status} {body[:120]}")
            begun = time.monotonic()
            while (health := server.health())["state"] == "starting" and time.monotonic() - begun < 10:
                time.sleep(0.01)
        # Pages and indexes are checked while the server runs.
        begun = time.monotonic()
        while health["state"] == "ok" and time.monotonic() - begun < 1:
            time.sleep(0.05)
            health = server.health()
        states[health["state"]] += 1
        if health["state"] == "ok":
            # Then it goes on, and must have everything that there was.
            status, answer = server.call("GET", "/status")
            if status != 200 or answer["sequence"] != last:
                untrue.append(f"{turn}, {name}: well, at sequence {answer.get('sequence')} of {last}")
            status, answer, _ = server.alert("After the damage")
            if status != 200 or answer["change"]["sequence"] != last + 1:
                untrue.append(f"{turn}, {name}: well, and a change is {status} {answer}"[:300])
        elif health["state"] != "degraded" or not health["reasons"]:
            untrue.append(f"{turn}, {name}: {health}")
        ended = server.end()
        if health["state"] == "ok":
            sound, said = history.verify(server.data)
            if ended != 0 or not sound:
                untrue.append(f"{turn}, {name}: said to be well; {ended}, {said[:300]}")
        for line in (wrong + untrue)[-1:]:
            if line.startswith(f"{turn},"):
                print(f"     {line}", flush=True)
    yield f"{rounds} times damaged: phones get what was published last, or nothing", not wrong, f"{', '.join(f'{state} {count}' for state, count in states.items())}; seed {seed}; {len(wrong)} wrong {wrong[:2]}"
    yield "where the health says that all is well, nothing is missing and verify finds it sound", not untrue, f"{len(untrue)} {untrue[:3]}"
