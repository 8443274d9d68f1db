"""Runs every command of deploy/RUNBOOK.md in order, in the situation that it is for, and checks the result."""
import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest

from machine import PASSWORD, ROOT, chapters

sys.path.insert(0, str(ROOT / "Tests/Faults"))
from postgres import Cluster  # noqa: E402

PAGE = (ROOT / "deploy/RUNBOOK.md").read_text(encoding="utf-8")
CHAPTERS = chapters(PAGE)


def nothing(machine):
    """A server that is well."""


def stopped(machine):
    machine.run("systemctl stop")


def damaged(machine):
    machine.run("gatectl kill shop ios -m Back. -y")
    machine.run("systemctl start gatehouse-backup.service")
    # The newest file is what somebody saved just before an earlier restore, when the database was damaged already.
    (machine.backups / "before.backup").write_text("half")
    machine.run("systemctl stop")
    database = machine.data / "gatehouse.sqlite"
    whole = database.read_bytes()
    database.write_bytes(whole[:4096] + b"\xA5" * (len(whole) - 4096))
    machine.run("systemctl start")
    assert json.loads(machine.ask("/healthz/ready")[1])["state"] == "degraded"


def full(machine):
    """No room left: the remains of an old restore and an old upgrade fill the disk. Without the right to mount, they take no room."""
    old = machine.data / "before-restore-20260101T000000"
    old.mkdir()
    (machine.data / "gatehouse.sqlite.schema-8").touch()
    if os.geteuid() != 0:
        return
    with pytest.raises(OSError, match="No space left"), open(old / "gatehouse.sqlite", "wb", buffering=0) as file:
        while True:
            file.write(bytes(4096))
    # Changes are accepted as long as the database's log still has room.
    said, number = "", 0
    while "507" not in said:
        number += 1
        assert number < 500, "the disk is not full"
        said = told(machine, f"gatectl alert shop ios -m 'Number {number}.' -y")
    assert machine.ask("/feeds/shop/ios/gate.json", port="8081")[0] == 200
    assert json.loads(machine.ask("/healthz/ready")[1])["state"] == "degraded"


def told(machine, command):
    """The output of a command that may be refused, with standard error and the status of the answer."""
    return machine.run(f"{command} -v 2>&1 || true")


def is_free(machine):
    """The remains are gone, a backup is there, and the same process accepts changes again."""
    assert list(machine.backups.glob("daily-*.backup"))
    assert not list(machine.data.glob("before-restore-*")) + list(machine.data.glob("*.schema-*"))
    if os.geteuid() == 0:
        assert (machine.path / "log").read_text().count('"message":"started"') <= 1, "nothing needs a restart"
    machine.run("gatectl kill shop ios -m 'Room again.' -y")
    return machine.state() == "blocked" and json.loads(machine.ask("/healthz/ready")[1])["state"] == "ok"


def killed(machine):
    machine.run("gatectl kill shop ios -m Wrong. -y")


def in_seconds(seconds):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")[:-4] + "Z"


def window(machine):
    return json.loads(machine.run("gatectl schedule show 1 --json"))["window"]


def missed(machine):
    """A window that should have begun and ended while the server was stopped."""
    end = time.monotonic() + 3
    machine.run(f"gatectl schedule add shop ios --from {in_seconds(1.5)} --until {in_seconds(3)} -y -- kill -m Later.")
    machine.run("systemctl stop")
    time.sleep(max(0, end - time.monotonic()))
    machine.run("systemctl start")
    until(lambda: window(machine)["state"] == "missed")
    assert machine.state() == "open"


def until(holds):
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.1)


# Makes the clock wrong in the server's process only. Deadlines go by another clock, which stays right.
CLOCK = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


def ahead(machine):
    """The server's clock is an hour ahead, so a window that is an hour away has begun."""
    machine.run(f"gatectl schedule add shop ios --from {in_seconds(3600)} --until {in_seconds(7200)} -y -- kill -m Later.")
    assert machine.state() == "open"
    # Once its housekeeping runs, the server has read the clock as well.
    until((machine.data / "anchor.json").exists)
    (machine.path / "clock").write_text("+3605\n")
    until(lambda: machine.state() == "blocked" and "clock was put forward" in (machine.path / "log").read_text())


def is_right_again(machine):
    """The window that began too early was ended and does not come again, and the next change has a higher sequence than all before."""
    assert window(machine)["state"] == "done" and machine.state() == "open"
    until(lambda: "clock was put back" in (machine.path / "log").read_text())
    before = json.loads(machine.run("gatectl status shop ios --json"))["items"][0]["sequence"]
    machine.run("gatectl kill shop ios -m Now. -y")
    feed = json.loads(machine.ask("/feeds/shop/ios/gate.json", port="8081")[1])
    return feed["sequence"] == before + 1 and feed["gate"]["killSwitch"]["message"] == "Now."


def standing(machine):
    """Tokens that are not revoked."""
    return [each for each in json.loads(machine.run("gatectl tokens list --json"))["items"] if not each.get("revokedAt")]


def stolen(machine):
    machine.run("gatectl tokens add laptop --role operator --days 30")
    machine.words["TOKEN"] = next(each["id"] for each in standing(machine) if each["name"] == "laptop")


def guessed(machine):
    machine.run("gatectl users add sam --role operator")


def changed_since_the_backup(machine):
    machine.run("gatectl kill shop ios -m Kept. -y")
    machine.run("systemctl start gatehouse-backup.service")
    machine.run("gatectl open shop ios -y")


def is_as_it_was_kept(machine):
    """The backup's state is in force; the other backup, made just before the restore, is sound."""
    machine.run("gatehouse verify --from /var/backups/gatehouse/before.backup" + machine.migrations)
    return machine.state() == "blocked"


def on_two_machines(machine, commands):
    """Follows the commands for the old machine, then those for a new one, on which the package has already started a server."""
    begin = next(number for number, command in enumerate(commands) if "on the new machine" in command)
    machine.follow(commands[:begin])
    archive = machine.path / "mnt/other/gatehouse.tar.gz"
    assert archive.stat().st_mode & 0o777 == 0o600, "all keys are in it"
    shutil.rmtree(machine.data)
    machine.data.mkdir(0o700)
    machine.run("systemctl start gatehouse")
    machine.follow(commands[begin:])
    assert not archive.exists(), "all keys are in it"


def with_certificates(machine):
    for name, directory in (("", machine.path / "etc/gatehouse"), ("new-", machine.path / "mnt/other")):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}gatehouse", "-addext",
             "subjectAltName=DNS:gate.example.com,DNS:localhost", "-keyout", directory / f"{name}key.pem", "-out", directory / f"{name}chain.pem"],
            check=True, capture_output=True,
        )


def beside_an_app_that_sorts_first(machine):
    """An export has its apps in the order of their keys, and the one that is meant is not always the first."""
    machine.run("gatectl apps add bank --platforms ios -y")


def upgraded(machine):
    machine.run("gatectl kill shop ios -m Before. -y")
    machine.run("gatehouse backup --data /var/lib/gatehouse --out /var/backups/gatehouse/upgrade-20260101T000000Z.backup")
    machine.run("systemctl stop")
    note = machine.data / "version.json"
    note.write_text(re.sub(r'"version":"[^"]*"', '"version":"99.0.0"', note.read_text()))
    # This program, now the older one, does not start on that data.
    machine.run("systemctl start", status=1)
    machine.words["OLDER"] = "0.0.1_amd64"


def without_its_store(machine):
    """A server that publishes into a store that does not exist, once it has said so."""
    with open(machine.path / "etc/default/gatehouse", "a", encoding="utf-8") as file:
        file.write("GATEHOUSE_PUBLISH=s3://feeds/production\nGATEHOUSE_PUBLISH_ENDPOINT=http://127.0.0.1:9\nAWS_ACCESS_KEY_ID=key\nAWS_SECRET_ACCESS_KEY=secret\n")
    machine.run("systemctl restart gatehouse")
    end = time.monotonic() + 60
    while "publishing into the object store fails" not in (machine.path / "log").read_text():
        assert time.monotonic() < end, "nothing is said of the store"
        time.sleep(0.1)


def without_its_database(machine):
    machine.run("gatectl kill shop ios -m Back. -y")
    machine.cluster.control("-m", "immediate", "stop")
    until = time.monotonic() + 20
    while "not reachable since" not in machine.ask("/healthz/ready")[1]:
        assert time.monotonic() < until, machine.ask("/healthz/ready")[1]
        time.sleep(0.05)


def comes_back_by_itself(machine):
    assert json.loads(machine.ask("/feeds/shop/ios/gate.json", port="8081")[1])["gate"]["killSwitch"]
    assert "503" in told(machine, "gatectl open shop ios -y")
    machine.cluster.control("start")
    until = time.monotonic() + 20
    while json.loads(machine.ask("/healthz/ready")[1])["state"] != "ok":
        assert time.monotonic() < until, machine.ask("/healthz/ready")[1]
        time.sleep(0.05)
    machine.run("gatectl open shop ios -y")
    return machine.state() == "open"


# By chapter: the trouble before its commands, and what must be true after them.
SITUATIONS = {
    "What is wrong": (nothing, lambda machine: machine.state() == "open"),
    "The server does not start": (stopped, lambda machine: machine.state() == "open"),
    "The database cannot be read": (damaged, lambda machine: machine.state() == "blocked"),
    "The disk is full": (full, is_free),
    "A bad kill": (killed, lambda machine: json.loads(machine.run("gatectl history shop ios --limit 1 --json"))["items"][0]["reason"] == "INC-123"),
    "A window is late": (missed, lambda machine: machine.state() == "blocked" and json.loads(machine.run("gatectl schedule list --json"))["items"] == []),
    "Nobody can sign in": (
        nothing,
        lambda machine: [
            machine.ask(
                "/api/v1/session", method="POST", body=json.dumps({"username": "admin", "password": password}),
                headers={"Content-Type": "application/json"},
            )[0]
            for password in ("a new long pass phrase", PASSWORD)
        ] == [200, 401],
    ),
    "A token was stolen": (
        stolen,
        lambda machine: machine.words["TOKEN"] not in [each["id"] for each in standing(machine)],
    ),
    "Somebody is guessing passwords": (guessed, lambda machine: True),
    "A backup must be restored": (changed_since_the_backup, is_as_it_was_kept),
    "Moving to another machine": (killed, lambda machine: machine.state() == "blocked"),
    "The clock is wrong": (ahead, is_right_again),
    "The certificate has expired": (with_certificates, lambda machine: "the certificate was read anew" in (machine.path / "log").read_text()),
    "The edge is behind": (nothing, lambda machine: machine.state() == "open"),
    "The object store is behind": (
        without_its_store,
        lambda machine: any("object store" in reason for reason in json.loads(machine.ask("/healthz/ready")[1])["reasons"]),
    ),
    "The shared database is away": (without_its_database, comes_back_by_itself),
    "Going back to the previous version": (upgraded, lambda machine: machine.state() == "blocked"),
    "The server is gone and phones must be told something": (
        beside_an_app_that_sorts_first,
        lambda machine: "killSwitch" in json.loads((machine.path / "srv/site/feeds/shop/ios/gate.json").read_text())["gate"],
    ),
}


def test_every_chapter_has_commands_that_are_tried():
    assert list(CHAPTERS) == list(SITUATIONS)
    assert all(CHAPTERS.values())


@pytest.mark.parametrize("chapter", SITUATIONS)
def test_the_commands_work_as_they_stand(chapter, ended, machine):
    prepare, holds = SITUATIONS[chapter]
    if prepare is with_certificates:
        here = machine()
        with_certificates(here)
        folder = here.path / "etc/gatehouse"
        with open(here.path / "etc/default/gatehouse", "a", encoding="utf-8") as file:
            file.write(f"GATEHOUSE_TLS_CERTIFICATE={folder}/chain.pem\nGATEHOUSE_TLS_KEY={folder}/key.pem\n")
        here.environment.update(GATECTL_SERVER=f"https://localhost:{here.ports['8080']}", GATECTL_CA_FILE=f"{folder}/chain.pem")
        here.fill()
    elif prepare is full:
        here = machine()
        if os.geteuid() == 0:
            here.mount(here.data, "8m")
        prepare(here.fill())
    elif prepare is without_its_database:
        cluster = Cluster()
        ended(cluster.end)
        here = machine(GATEHOUSE_DATABASE=cluster.url)
        here.environment["GATEHOUSE_DATABASE"] = cluster.url
        here.cluster = cluster
        prepare(here.fill())
    elif prepare is ahead:
        if CLOCK is None:
            pytest.skip("faketime is not installed")
        here = machine(clock=CLOCK)
        prepare(here.fill())
    else:
        here = machine().fill()
        prepare(here)
    if chapter == "Moving to another machine":
        on_two_machines(here, CHAPTERS[chapter])
    else:
        here.follow(CHAPTERS[chapter])
    assert holds(here)
