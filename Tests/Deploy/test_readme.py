"""Runs the README's commands in order on a server of their own, and checks that what it and the other pages name exists."""
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
    commands = [here(command) for command in flip + CHAPTERS["From the terminal"]]
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


def described(program):
    """A program's commands and options, as it describes them itself."""
    words = [GATEHOUSE.with_name(program), "--experimental-dump-help"]
    return json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)["command"]


def below(command):
    """The commands below one, by all of their names."""
    return {name: each for each in command.get("subcommands", []) for name in [each["commandName"], *each.get("aliases", [])]}


def options(command):
    names = [name for each in command.get("arguments", []) for name in each.get("names", [])]
    return {("-" if name["kind"] == "short" else "--") + name["name"] for name in names}


def unknown(line, programs):
    """The first word of a line of commands that no program knows, with what stands before it; None where all are known."""
    for program, rest in re.findall(r"(?:^|[|&;(] ?|-- |/bin/)(gatehouse|gatectl) ([a-z][^|&;#)<>]*)", line):
        command, words, path = programs[program], rest.split(), program
        while words and words[0] in below(command):
            path += " " + words[0]
            command = below(command)[words.pop(0)]
        if path == program:
            return f"{program} {words[0]}"
        if "defaultSubcommand" in command:
            command = below(command)[command["defaultSubcommand"]]
        # What follows -- is another command's, such as what a window does.
        for word in words[: words.index("--") if "--" in words else None]:
            option = re.match(r"--?[a-z][\w-]*", word)
            if option and option[0] not in options(command) | {"--help", "--version"}:
                return f"{path} {option[0]}"
    return None


def test_every_command_that_a_page_names_is_one():
    programs = {program: described(program) for program in ("gatehouse", "gatectl")}
    assert unknown("gatectl people", programs) == "gatectl people"
    assert unknown("echo | gatehouse init --user x", programs) == "gatehouse init --user"
    found = 0
    for page in [ROOT / "README.md", *(path for part in ("Sources", "Tests", "deploy") for path in (ROOT / part).rglob("*.md"))]:
        text = page.read_text(encoding="utf-8")
        blocks = re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S)
        lines = [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]
        for line in lines + re.findall(r"(?<!`)`([^`]+)`(?!`)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
            found += len(re.findall(r"\b(?:gatehouse|gatectl) [a-z]", line))
            assert not unknown(line.replace("\n", " "), programs), f"{page.relative_to(ROOT)}: {line}"
    assert found > 150
