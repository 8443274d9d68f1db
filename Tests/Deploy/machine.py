"""A machine with Gatehouse, set up in a folder as by the Debian package, on which the commands of a page of text are run.

The system's paths are inside the folder. Scripts stand in for commands that need a real machine: `systemctl` starts and stops the
real server with the options of /etc/default/gatehouse, and makes a backup as the timer's service does, `journalctl` shows its log, and
`runuser` runs what it is given. The programs are the real ones, and apart from folders and ports the options are the package's own.
"""
import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "Tests/Faults"))
from ports import free_port  # noqa: E402
GATEHOUSE = pathlib.Path(os.environ.get("GATEHOUSE_BIN", ROOT / ".build/debug/gatehouse"))
PASSWORD = "a long pass phrase"

SCRIPTS = {
    "systemctl": """
        start() {
            set -a; . "$W/etc/default/gatehouse"; set +a
            : >"$W/ready"
            # Through env: the library that alters the clock needs a program before ours in which to set itself up.
            env "$GATEHOUSE" serve >"$W/ready" 2>>"$W/log" & echo $! >"$W/pid"
            for _ in $(seq 600); do
                [ -s "$W/ready" ] && exit 0
                kill -0 "$(cat "$W/pid")" 2>/dev/null || { tail -n 1 "$W/log" >&2; exit 1; }
                sleep 0.05
            done
            exit 1
        }
        stop() {
            [ -e "$W/pid" ] || return 0
            kill "$(cat "$W/pid")" 2>/dev/null || true
            while kill -0 "$(cat "$W/pid")" 2>/dev/null; do sleep 0.02; done
            rm -f "$W/pid"
        }
        case "$*" in
            "start gatehouse-backup.service") exec "$W/usr/lib/gatehouse/backup" daily ;;
        esac
        case "$1" in
            start) start ;;
            stop | disable) stop ;;
            is-active) [ -e "$W/pid" ] && kill -0 "$(cat "$W/pid")" 2>/dev/null ;;
            restart) stop; start ;;
            reload)
                before=$(grep -c SIGHUP "$W/log")
                kill -HUP "$(cat "$W/pid")"
                for _ in $(seq 200); do [ "$(grep -c SIGHUP "$W/log")" -gt "$before" ] && exit 0; sleep 0.05; done
                exit 1 ;;
            *) exit 64 ;;
        esac
    """,
    "journalctl": 'tail -n 50 "$W/log"',
    "runuser": 'shift 3; exec "$@"',
    # If the server's clock was altered, this sets it right.
    "timedatectl": """
        if [ "$1" = set-ntp ] && [ -e "$W/clock" ]; then echo +0 >"$W/clock"; fi
        echo 'System clock synchronized: yes'
    """,
    "chown": "exit 0",
    "apt": "exit 0",
    "gatehouse": 'exec "$GATEHOUSE" "$@"',
    "gatectl": 'exec "$GATECTL" "$@"',
}


# What deploy/run and deploy/package find in place of the compiler, and of what would install it. The programs that it "built" stand beside it.
BUILDING = {
    "swift": 'case "$*" in *--version) echo "Swift version 6.3.1" ;; *--show-bin-path) dirname "$0" ;; esac',
    # Says that every package is installed.
    "dpkg-query": 'echo "ii "',
}


def programs(folder, scripts):
    """Makes a folder of programs for a PATH: scripts of bash, by their names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, script in scripts.items():
        file = folder / name
        file.write_text(f"#!/bin/bash\n{script}\n")
        file.chmod(0o755)


class Machine:
    def __init__(self, folder, clock=None, **options):
        """`clock`: a library that shifts the server's clock by what the file `clock` says, such as +3600 for an hour ahead."""
        self.path = pathlib.Path(folder)
        self.words = {}
        self.mounted = []
        self.ports = {"8080": free_port(), "8081": free_port()}
        self.data = self.path / "var/lib/gatehouse"
        self.backups = self.path / "var/backups/gatehouse"
        for name in ("var/lib/gatehouse", "var/backups/gatehouse", "etc/default", "etc/gatehouse", "mnt/other", "srv", "usr/lib/gatehouse"):
            (self.path / name).mkdir(parents=True)
        self.data.chmod(0o700)
        self.backups.chmod(0o700)
        programs(self.path / "bin", SCRIPTS)
        # Without the step that changes to another user.
        backup = (ROOT / "deploy/debian/backup").read_text(encoding="utf-8").replace('[ "$(id -u)" -eq 0 ]', "false").replace("/usr/bin/", "")
        script = self.path / "usr/lib/gatehouse/backup"
        script.write_text(re.sub(r"/(var|etc)/", rf"{self.path}/\1/", backup))
        script.chmod(0o755)
        self.options = {
            "GATEHOUSE_DATA": self.data, "GATEHOUSE_PUBLIC": ROOT / "Public", "GATEHOUSE_MIGRATIONS": ROOT / "Migrations",
            "GATEHOUSE_LISTEN": f"127.0.0.1:{self.ports['8080']}", "GATEHOUSE_FEEDS": f"127.0.0.1:{self.ports['8081']}",
            "GATEHOUSE_MIGRATE": "true", **options,
        }
        if clock:
            (self.path / "clock").write_text("+0\n")
            self.options |= {
                "LD_PRELOAD": clock, "FAKETIME_TIMESTAMP_FILE": self.path / "clock", "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            }
        (self.path / "etc/default/gatehouse").write_text("".join(f"{name}={value}\n" for name, value in self.options.items()))
        (self.path / "log").touch()
        self.environment = {
            "PATH": f"{self.path}/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(self.path), "LC_ALL": "C.UTF-8", "TZ": "UTC", "W": str(self.path),
            "GATEHOUSE": str(GATEHOUSE), "GATECTL": str(GATEHOUSE.with_name("gatectl")), "GATECTL_SERVER": f"http://127.0.0.1:{self.ports['8080']}",
            # Commands other than serve would look for the folder beside the programs, where the package has it.
            "GATEHOUSE_MIGRATIONS": str(ROOT / "Migrations"),
        }

    def fill(self):
        """Makes the first administrator with a token, starts the server, and adds an app."""
        made = self.run(
            "gatehouse init --data /var/lib/gatehouse --username admin --password-stdin --token night" + self.migrations, input=PASSWORD + "\n"
        )
        self.environment["GATECTL_TOKEN"] = made.strip()
        self.run("systemctl start")
        self.run("gatectl apps add shop --name Shop --platforms ios,android")
        if "GATEHOUSE_BACKUP_DIR" not in self.options:
            return self
        # Every start makes a backup; until it is there, no other is made.
        until = time.monotonic() + 20
        while not json.loads(self.run("gatectl backup list --json"))["items"] and time.monotonic() < until:
            time.sleep(0.05)
        return self

    # For commands that would look for the folder beside the programs, where the package has it.
    @property
    def migrations(self):
        return f" --migrations {ROOT / 'Migrations'}"

    def here(self, command):
        """The page's command, with this machine's paths, ports and words in it."""
        for word, value in self.words.items():
            command = re.sub(rf"\b{word}\b", value, command)
        for port, own in self.ports.items():
            command = command.replace(f"127.0.0.1:{port}", f"127.0.0.1:{own}")
        command = command.replace("https://feeds.example.com", f"http://127.0.0.1:{self.ports['8081']}")
        return re.sub(r"(?<![\w/.:-])/(var|etc|mnt|srv)/", rf"{self.path}/\1/", command)

    def run(self, command, status=0, input=None):
        """Runs a command that must end with the status; returns its standard output."""
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", self.here(command)], cwd=ROOT, env=self.environment, input=input, capture_output=True, text=True,
            timeout=60, stdin=subprocess.DEVNULL if input is None else None,
        )
        assert done.returncode == status, f"{command}\nended with {done.returncode} and not {status}\n{done.stdout}{done.stderr}"
        return done.stdout

    def follow(self, commands):
        """Runs the commands of a page in order. `# ends with N` after one is its expected status; `ls -t` finds the newest BACKUP."""
        for command in commands:
            status = re.search(r"# ends with (\d+)", command)
            printed = self.run(command, int(status[1]) if status else 0)
            if command.startswith("ls -t"):
                self.words["BACKUP"] = printed.split()[0]

    def ask(self, path, port="8080", method="GET", body=None, headers={}):
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[port], timeout=10)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def mount(self, folder, size):
        """Mounts a small disk there until the machine is closed; needs root."""
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "tmpfs", folder], check=True)
        self.mounted.append(folder)

    def state(self):
        """The state of shop/ios, such as blocked or open."""
        return json.loads(self.run("gatectl status shop ios --json"))["items"][0]["state"]

    def close(self):
        subprocess.run(["bash", self.path / "bin/systemctl", "stop"], env=self.environment, check=False)
        for folder in self.mounted:
            subprocess.run(["umount", folder], check=True)
        shutil.rmtree(self.path, ignore_errors=True)


def chapters(page):
    """The commands in the `sh` blocks of a Markdown page, in order, by chapter."""
    found, title, inside = {}, "", False
    for line in page.splitlines():
        if not inside and line.startswith("## "):
            title = line.removeprefix("## ")
            found[title] = []
        elif line.startswith("```"):
            inside = line == "```sh"
        elif inside and line.strip() and not line.lstrip().startswith("#"):
            found.setdefault(title, []).append(line)
    return found
