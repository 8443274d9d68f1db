"""Runs the README's commands in order on a server of their own, and checks that the tests it names exist."""
import json
import os
import pty
import re
import select
import subprocess
import time

import pytest

from machine import GATEHOUSE, ROOT, chapters, free_port

PAGE = (ROOT / "README.md").read_text(encoding="utf-8")
CHAPTERS = chapters(PAGE)
# What an app polls today, edited by hand.
HOSTED = {"ios": {"optionalUpdate": {"optionalVersion": "2.0", "message": "2.0 is out."}}, "android": {}}


def on_a_terminal(commands, folder, environment):
    """Runs them in one shell on a terminal, answers yes to each question, and stops at the first that fails."""
    # A server left in the background would keep the terminal open.
    (folder / "commands.sh").write_text("set -e\ntrap 'kill $(jobs -p); wait' EXIT\n" + "\n".join(commands) + "\n", encoding="utf-8")
    here, there = pty.openpty()
    shell = subprocess.Popen(["bash", "-x", "commands.sh"], cwd=folder, env=environment, stdin=there, stdout=there, stderr=there, start_new_session=True)
    os.close(there)
    printed, answered = b"", 0
    until = time.monotonic() + 100
    while time.monotonic() < until and select.select([here], [], [], until - time.monotonic())[0]:
        try:
            printed += os.read(here, 65_536)
        except OSError:
            # The other end is closed.
            break
        if printed.count(b"[y/N] ") > answered:
            answered += 1
            os.write(here, b"y\n")
    os.close(here)
    text = printed.decode().replace("\r\n", "\n")
    assert shell.wait(10) == 0, text[-4000:]
    return text


@pytest.fixture
def place(tmp_path):
    """An empty folder with the programs on the PATH; whatever serves in it is stopped afterwards."""
    ports = {"8080": free_port(), "8081": free_port()}
    (tmp_path / "bin").mkdir()
    server = tmp_path / "bin/gatehouse"
    # Ports of its own: somebody may run a Gatehouse on this machine.
    server.write_text(
        f'#!/bin/bash\necho $$ >>"{tmp_path}/pids"\nif [ "$1" = serve ]; then exec "{GATEHOUSE}" "$@" --listen 127.0.0.1:{ports["8080"]}'
        f' --feeds 127.0.0.1:{ports["8081"]} --public "{ROOT}/Public" --migrations "{ROOT}/Migrations" >"{tmp_path}/ready" 2>"{tmp_path}/log"; fi\n'
        f'case "$1" in init) exec "{GATEHOUSE}" "$@" --migrations "{ROOT}/Migrations" ;; esac\nexec "{GATEHOUSE}" "$@"\n'
    )
    server.chmod(0o755)
    (tmp_path / "bin/gatectl").symlink_to(GATEHOUSE.with_name("gatectl"))
    (tmp_path / "config.json").write_text(json.dumps(HOSTED))
    environment = {
        "PATH": f"{tmp_path}/bin:/usr/bin:/bin", "HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "TERM": "dumb", "PAGER": "cat",
        # A time zone where it is noon, since the README's windows begin in the evening.
        "TZ": f"Etc/GMT{time.gmtime().tm_hour - 12:+d}",
    }

    def here(command):
        for port, own in ports.items():
            command = command.replace(f"127.0.0.1:{port}", f"127.0.0.1:{own}")
        return command

    yield tmp_path, environment, here
    if (tmp_path / "pids").exists():
        for number in (tmp_path / "pids").read_text().split():
            try:
                os.kill(int(number), 15)
            except ProcessLookupError:
                pass


def test_the_commands_work_in_their_order(place):
    folder, environment, here = place
    flip = CHAPTERS["The first flip"]
    assert len(flip) == 5
    # Without what the first flip has already made: the data, its token, and the app.
    terminal = [command for command in CHAPTERS["From the terminal"] if not command.startswith(("gatehouse init", "export ", "gatectl apps add"))]
    commands = [here(command) for command in flip + terminal]
    printed = on_a_terminal(commands, folder, environment)
    polled = re.findall(r'^\{"schema":"gatehouse/v1".*?"killSwitch":\{"message":"Back at 09:30."', printed, re.M)
    assert polled, printed


def test_a_hosted_file_is_taken_over_as_it_stands(place):
    folder, environment, here = place
    takeover = [command for command in CHAPTERS["What an app polls"] if "config.json" in command]
    assert len(takeover) == 3
    printed = on_a_terminal([here(command) for command in CHAPTERS["The first flip"][:4] + takeover], folder, environment)
    served = re.findall(r'^\{"(?:android|ios)":.*\}', printed, re.M)[-1]
    assert json.loads(served) == HOSTED


def test_the_loop_with_a_phone_shows_what_it_says(place):
    folder, environment, here = place
    demo = GATEHOUSE.with_name("gatekit-demo")
    if not demo.exists():
        pytest.skip(f"{demo} is not there: build it")
    polls = CHAPTERS["What an app polls"]
    phone = next(command for command in polls if command.startswith("swift run gatekit-demo ")).replace("swift run gatekit-demo", str(demo))
    kill = next(command for command in polls if command.startswith("gatectl kill ") and "foreground" in command)

    def shown(decision):
        return f"timeout 30 bash -c 'until grep {decision} said; do sleep 0.1; done'"

    commands = [
        *CHAPTERS["The first flip"][:4], "mkfifo typed", f"{phone} <typed >said &", "exec 3>typed", shown("open"), kill, "echo foreground >&3",
        shown("blocked"),
    ]
    printed = on_a_terminal([here(command) for command in commands], folder, environment)
    assert '"decision":"blocked","message":"Back at 09:30.","retryInterval":15' in printed


def test_the_commands_to_start_are_there():
    for command in CHAPTERS["Start"]:
        words = command.split()
        assert os.access(ROOT / words[0], os.X_OK), words[0]


def test_the_tests_and_files_that_it_names_are_there():
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "Tests").rglob("*.swift"))
    suites = set(re.findall(r"\b([A-Z][A-Za-z]+Tests)\b", PAGE))
    assert len(suites) > 15
    for suite in suites:
        assert re.search(rf"\b(struct|class|enum|extension) {suite}\b", sources) or (ROOT / "Tests" / suite).is_dir(), suite
    for path in re.findall(r"(?<![\w/.{])((?:Tests|deploy|Sources|Public|Migrations)/[\w./-]+)", PAGE):
        assert (ROOT / path.rstrip("/.")).exists(), path
    # Its two pictures exist and are PNG files.
    for scheme in ("light", "dark"):
        assert (ROOT / f"deploy/pictures/{scheme}.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
