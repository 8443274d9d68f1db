"""Every command of deploy/RUNBOOK.md, run in its order where it is needed, and what comes of it."""
import json
import re
import subprocess
import time

import pytest

from machine import PASSWORD, ROOT, chapters

PAGE = (ROOT / "deploy/RUNBOOK.md").read_text(encoding="utf-8")
CHAPTERS = chapters(PAGE)


def nothing(machine):
    """A server that is well."""


def stopped(machine):
    machine.run("systemctl stop")


def damaged(machine):
    machine.run("gatectl kill shop ios -m Back. -y")
    machine.run("gatectl backup create")
    machine.run("systemctl stop")
    database = machine.data / "gatehouse.sqlite"
    whole = database.read_bytes()
    database.write_bytes(whole[:4096] + b"\xA5" * (len(whole) - 4096))
    machine.run("systemctl start")
    assert json.loads(machine.ask("/healthz/ready")[1])["state"] == "degraded"


def full_of_copies(machine):
    (machine.data / "before-restore-20260101T000000").mkdir()
    (machine.data / "gatehouse.sqlite.schema-8").touch()


def killed(machine):
    machine.run("gatectl kill shop ios -m Wrong. -y")


def scheduled(machine):
    machine.run("gatectl schedule add shop ios --from 'tomorrow 09:00' --until 'tomorrow 10:00' -y -- kill -m Later.")


def standing(machine):
    """Tokens that open something."""
    return [each for each in json.loads(machine.run("gatectl tokens list --json"))["items"] if not each.get("revokedAt")]


def stolen(machine):
    machine.run("gatectl tokens add laptop --role operator --days 30")
    machine.words["TOKEN"] = next(each["id"] for each in standing(machine) if each["name"] == "laptop")


def guessed(machine):
    machine.run("gatectl users add sam --role operator")


def changed_since_the_backup(machine):
    machine.run("gatectl kill shop ios -m Kept. -y")


def with_certificates(machine):
    for name, directory in (("", machine.path / "etc/gatehouse"), ("new-", machine.path / "mnt/other")):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}gatehouse", "-addext",
             "subjectAltName=IP:127.0.0.1", "-keyout", directory / f"{name}key.pem", "-out", directory / f"{name}chain.pem"],
            check=True, capture_output=True,
        )


def upgraded(machine):
    machine.run("gatectl kill shop ios -m Before. -y")
    machine.run("gatehouse backup --data /var/lib/gatehouse --out /var/backups/gatehouse/upgrade-20260101T000000Z.backup")
    machine.run("systemctl stop")
    note = machine.data / "version.json"
    note.write_text(re.sub(r'"version":"[^"]*"', '"version":"99.0.0"', note.read_text()))
    # The older program, which is this one, does not start on it.
    machine.run("systemctl start", status=1)
    machine.words["OLDER"] = "0.0.1_amd64"


def without_its_store(machine):
    """A server that publishes into a store which nobody runs, for as long as it takes to say so."""
    with open(machine.path / "etc/default/gatehouse", "a", encoding="utf-8") as file:
        file.write("GATEHOUSE_PUBLISH=s3://feeds\nGATEHOUSE_PUBLISH_ENDPOINT=http://127.0.0.1:9\nAWS_ACCESS_KEY_ID=key\nAWS_SECRET_ACCESS_KEY=secret\n")
    machine.run("systemctl restart gatehouse")
    end = time.monotonic() + 60
    while "publishing into the object store fails" not in (machine.path / "log").read_text():
        assert time.monotonic() < end, "nothing is said of the store"
        time.sleep(0.1)


# Who is in which trouble before, and what must be so afterwards.
SITUATIONS = {
    "What is wrong": (nothing, lambda machine: machine.state() == "open"),
    "The server does not start": (stopped, lambda machine: machine.state() == "open"),
    "The database cannot be read": (damaged, lambda machine: machine.state() == "blocked"),
    "The disk is full": (full_of_copies, lambda machine: not list(machine.data.glob("before-restore-*")) + list(machine.data.glob("*.schema-*"))),
    "A bad kill": (killed, lambda machine: json.loads(machine.run("gatectl history shop ios --limit 1 --json"))["items"][0]["reason"] == "INC-123"),
    "A window is late": (scheduled, lambda machine: machine.state() == "blocked" and json.loads(machine.run("gatectl schedule list --json"))["items"] == []),
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
    "Somebody guesses passwords": (guessed, lambda machine: True),
    "A backup must be restored": (changed_since_the_backup, lambda machine: machine.state() == "blocked"),
    "The machine must be left": (killed, lambda machine: machine.state() == "blocked"),
    "The clock is wrong": (nothing, lambda machine: machine.state() == "open"),
    "The certificate is over": (with_certificates, lambda machine: "the certificate was read anew" in (machine.path / "log").read_text()),
    "The edge is behind": (nothing, lambda machine: machine.state() == "open"),
    "The object store is behind": (
        without_its_store,
        lambda machine: any("object store" in reason for reason in json.loads(machine.ask("/healthz/ready")[1])["reasons"]),
    ),
    "A new version that must go": (upgraded, lambda machine: machine.state() == "blocked"),
    "The server is gone and phones must be told something": (
        nothing,
        lambda machine: "killSwitch" in json.loads((machine.path / "srv/site/feeds/shop/ios/gate.json").read_text())["gate"],
    ),
}


def test_every_chapter_has_commands_that_are_tried():
    assert list(CHAPTERS) == list(SITUATIONS)
    assert all(CHAPTERS.values())


@pytest.mark.parametrize("chapter", SITUATIONS)
def test_the_commands_work_as_they_stand(chapter, machine):
    prepare, holds = SITUATIONS[chapter]
    if prepare is with_certificates:
        here = machine()
        with_certificates(here)
        folder = here.path / "etc/gatehouse"
        with open(here.path / "etc/default/gatehouse", "a", encoding="utf-8") as file:
            file.write(f"GATEHOUSE_TLS_CERTIFICATE={folder}/chain.pem\nGATEHOUSE_TLS_KEY={folder}/key.pem\n")
        here.environment.update(GATECTL_SERVER=f"https://127.0.0.1:{here.ports['8080']}", GATECTL_CA_FILE=f"{folder}/chain.pem")
        here.fill()
    else:
        here = machine().fill()
        prepare(here)
    here.follow(CHAPTERS[chapter])
    assert holds(here)
