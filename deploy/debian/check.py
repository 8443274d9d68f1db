"""Tries the package, or the container's steps, in a fresh Debian 12 root; called by deploy/package --check and --container.

    check.py package|container PACKAGE.deb BEFORE.deb

There is no systemd in such a root: the units' command lines are run as the user, and with the environment, that the units name. Needs root.
"""
import contextlib
import glob
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

RELEASE = "bookworm"
PROJECT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
KEPT = os.path.join(PROJECT, ".build/package")
PASSWORD = "a long pass phrase"


def step(text):
    print(f"== {text}", flush=True)


def require(condition, text, more=""):
    print(("ok    " if condition else "FAIL  ") + text, flush=True)
    if not condition:
        if more:
            print(more, flush=True)
        sys.exit(1)


def mirror():
    """The address from which this machine's apt gets Debian; the usual one if apt does not say."""
    asked = ["apt-get", "indextargets", "--format", "$(ORIGIN)|$(CODENAME)|$(COMPONENT)|$(SITE)|$(REPO_URI)"]
    with contextlib.suppress(OSError):
        for line in subprocess.run(asked, capture_output=True, text=True).stdout.splitlines():
            origin, codename, component, _, address = line.split("|")
            if (origin, codename, component) == ("Debian", RELEASE, "main"):
                return address
    return "http://deb.debian.org/debian"


class Root:
    """A Debian root in a folder, with nothing in it but what every Debian has."""

    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="gatehouse-root-")
        os.chmod(self.path, 0o755)
        kept = f"{KEPT}/{RELEASE}.tar"
        if not os.path.exists(kept):
            subprocess.run(["debootstrap", "--variant=minbase", RELEASE, self.path, mirror()], check=True, stdout=subprocess.DEVNULL)
            os.makedirs(KEPT, exist_ok=True)
            subprocess.run(["tar", "-C", self.path, "-cf", kept + ".new", "."], check=True)
            os.rename(kept + ".new", kept)
        else:
            subprocess.run(["tar", "-C", self.path, "-xf", kept], check=True)
        shutil.copy("/etc/resolv.conf", self.path + "/etc/resolv.conf")

    def command(self, words, path=None):
        """A command that runs in the root, in its own mount namespace, so that nothing is left mounted however it ends."""
        path = path or self.path
        script = 'mkdir -p "$0/proc"; mount -t proc proc "$0/proc"; path=$0; exec /usr/sbin/chroot "$path" "$@"'
        return ["unshare", "--mount", "sh", "-c", script, path, *words]

    def run(self, *words, fails=False, environment=None, standard_input=None):
        done = subprocess.run(
            self.command(words), capture_output=True, text=True, input=standard_input,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", **(environment or {})},
        )
        if (done.returncode != 0) != fails:
            require(False, " ".join(words) + f" ended with {done.returncode}", done.stdout[-3000:] + done.stderr[-3000:])
        return done

    def install(self, *packages):
        """Installs packages given by file or by name, with their dependencies."""
        names = []
        for package in packages:
            if os.path.exists(package):
                shutil.copy(package, self.path + "/tmp/")
                package = "/tmp/" + os.path.basename(package)
            names.append(package)
        # A configuration that its owner altered stays as it is even if the package brings a new one, as in unattended upgrades.
        return self.run("apt-get", "install", "-y", "-q", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold", *names)

    def read(self, path):
        with open(self.path + path, encoding="utf-8") as file:
            return file.read()

    def has(self, path):
        return os.path.lexists(self.path + path)

    def close(self):
        shutil.rmtree(self.path, ignore_errors=True)


class Unit:
    """A unit as systemd would read it: its command, its user and its environment."""

    def __init__(self, root, name):
        self.root = root
        self.environment = {}
        files = []
        for line in root.read(f"/lib/systemd/system/{name}").splitlines():
            key, _, value = line.partition("=")
            if key == "Environment":
                for each in shlex.split(value):
                    self.environment.update([each.split("=", 1)])
            elif key == "EnvironmentFile":
                files.append(value.lstrip("-"))
            elif key in ("ExecStart", "User", "Group", "UMask"):
                setattr(self, key, value)
        for file in files:
            for line in root.read(file).splitlines():
                if re.match(r"[A-Z_]+=", line):
                    self.environment.update([line.split("=", 1)])

    def words(self, command=None):
        words = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", *[f"{name}={value}" for name, value in self.environment.items()]]
        as_user = ["setpriv", f"--reuid={self.User}", f"--regid={self.Group}", "--clear-groups", "--no-new-privs", "--bounding-set=-all"]
        return [*as_user, *words, "sh", "-c", f'umask {self.UMask}; exec "$@"', "unit", *(command or shlex.split(self.ExecStart))]


class Service:
    """A started unit; its log is kept in case it fails."""

    def __init__(self, command):
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log)
        line = self.process.stdout.readline()
        if not line:
            self.log.seek(0)
            require(False, "it starts", self.log.read().decode()[-3000:])
        ready = json.loads(line)
        self.admin = ready["admin"].replace("0.0.0.0", "127.0.0.1")
        self.feeds = ready["feeds"].replace("0.0.0.0", "127.0.0.1")

    def stop(self):
        self.process.terminate()
        status = self.process.wait(30)
        self.process.stdout.close()
        return status


def get(address):
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as answer:
        return answer.code, answer.read().decode()


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def blocked(feeds):
    status, text = get(feeds + "/feeds/shop/ios/gate.json")
    require(status == 200, "a phone gets its feed")
    return "killSwitch" in json.loads(text)["gate"]


def smoke(gatectl, feeds, first=True):
    """After init: makes an app, kills it, polls it, opens it and polls it again."""
    if first:
        gatectl("apps", "add", "shop", "--name", "Shop", "--platforms", "ios,android")
        require(not blocked(feeds), "open: the feed lets phones in")
    gatectl("kill", "shop", "ios", "-m", "Back at 09:30.", "-y")
    require(blocked(feeds), "killed: the feed shuts phones out")
    gatectl("open", "shop", "ios", "-y")
    require(not blocked(feeds), "opened: the feed lets phones in again")


def age(database):
    """Gives a database the schema of an older release by removing what was added since; what that release wrote stays as it is."""
    subprocess.run(
        ["sqlite3", database],
        input="""
            ALTER TABLE users DROP COLUMN origin;
            DROP INDEX users_by_invitation; ALTER TABLE users DROP COLUMN invitation_expires_at; ALTER TABLE users DROP COLUMN invitation_digest;
            DROP TABLE shared_keys; DROP TABLE server_polls; DROP TABLE servers; DROP TABLE own_feeds; ALTER TABLE apps DROP COLUMN own_feed_count; DELETE FROM migrations WHERE number >= 11; PRAGMA user_version = 10;
        """,
        text=True, check=True,
    )


def schema(database):
    return int(subprocess.run(["sqlite3", database, "PRAGMA user_version"], capture_output=True, text=True, check=True).stdout)


def check_package(package, before):
    step("A Debian 12 root without Swift")
    root = Root()
    try:
        root.run("apt-get", "update", "-q")
        require(root.run("sh", "-c", "command -v swift", fails=True).stdout == "", "there is no swift in it")

        step(f"Installing the previous version: {os.path.basename(before)}")
        root.install("systemd-standalone-sysusers", "systemd-standalone-tmpfiles", before)
        older = root.run("dpkg-query", "-W", "-f", "${Version}", "gatehouse").stdout
        print(f"      version {older}")
        for program in ("gatehouse", "gatectl"):
            linked = root.run("ldd", f"/usr/bin/{program}").stdout
            require("not found" not in linked and "swift" not in linked, f"{program} finds its libraries, none of them Swift's")
            print(f"      {program} --version: " + root.run(program, "--version").stdout.strip())
        for path in ("/var/lib/gatehouse", "/var/backups/gatehouse"):
            says = root.run("stat", "-c", "%U %a", path).stdout.strip()
            require(says == "gatehouse 700", f"{path} is for its user only ({says})")
        for path in ("/usr/share/man/man1/gatehouse.1.gz", "/usr/share/man/man1/gatectl.1.gz"):
            page = subprocess.run(["gzip", "-dc", root.path + path], capture_output=True, text=True, check=True).stdout
            require(".SH COMMANDS" in page, path)
        root.run("bash", "-n", "/usr/share/bash-completion/completions/gatectl")
        units = [f"{root.path}/lib/systemd/system/{name}" for name in ("gatehouse.service", "gatehouse-backup.service")]
        if shutil.which("systemd-analyze"):
            for unit in units:
                said = subprocess.run(
                    ["systemd-analyze", "security", "--offline=true", "--threshold=20", "--no-pager", unit], capture_output=True, text=True
                )
                last = said.stdout.strip().splitlines()[-1] if said.stdout.strip() else said.stderr
                require(said.returncode == 0, f"systemd-analyze security {os.path.basename(unit)}: {last.strip()}")

        step("Starting the unit's command line as its user")
        ports = free_port(), free_port()
        with open(root.path + "/etc/default/gatehouse", "a", encoding="utf-8") as file:
            file.write(f"GATEHOUSE_LISTEN=127.0.0.1:{ports[0]}\nGATEHOUSE_FEEDS=127.0.0.1:{ports[1]}\n")
        unit = Unit(root, "gatehouse.service")
        made = root.run(
            *unit.words(["gatehouse", "init", "--data", "/var/lib/gatehouse", "--username", "admin", "--password-stdin", "--token", "ci"]),
            standard_input=PASSWORD + "\n",
        )
        token = made.stdout.strip()
        require(token.startswith("gate_"), "gatehouse init printed a token")

        def gatectl(*words):
            return root.run("gatectl", *words, environment={"GATECTL_SERVER": service.admin, "GATECTL_TOKEN": token, "HOME": "/root"})

        def start():
            unit = Unit(root, "gatehouse.service")
            print(f"      {unit.User}: {unit.ExecStart}")
            return Service(root.command(unit.words()))

        service = start()
        smoke(gatectl, service.feeds)
        gatectl("kill", "shop", "ios", "-m", "Upgrading.", "-y")
        print("      " + gatectl("doctor").stdout.strip().replace("\n", "\n      "))
        timer = Unit(root, "gatehouse-backup.service")
        print("      " + root.run(*timer.words()).stdout.strip())
        daily = glob.glob(root.path + "/var/backups/gatehouse/daily-*.backup")
        require(len(daily) == 1, "the timer's command made a backup beside the server")
        print("      " + root.run("gatehouse", "verify", "--from", daily[0].removeprefix(root.path)).stdout.strip())

        step("An upgrade that cannot be backed up first is refused")
        os.rename(root.path + "/var/backups/gatehouse", root.path + "/var/backups/away")
        shutil.copy(package, root.path + "/tmp/")
        refused = root.run("dpkg", "--force-confold", "-i", "/tmp/" + os.path.basename(package), fails=True)
        require("could not be backed up" in refused.stderr, "dpkg says why")
        still = root.run("dpkg-query", "-W", "-f", "${Status} ${Version}", "gatehouse").stdout
        require(still == f"install ok installed {older}", f"the previous version is still there: {still}")
        require(blocked(service.feeds), "and goes on answering phones")
        os.rename(root.path + "/var/backups/away", root.path + "/var/backups/gatehouse")

        step(f"Upgrading to {os.path.basename(package)} while it runs")
        root.install(package)
        newer = root.run("dpkg-query", "-W", "-f", "${Version}", "gatehouse").stdout
        require(newer != older, f"version {newer} after {older}")
        require(len(glob.glob(root.path + "/var/backups/gatehouse/upgrade-*.backup")) == 1, "a backup was made first")
        require(f"127.0.0.1:{ports[0]}" in root.read("/etc/default/gatehouse"), "the configuration is as its owner left it")
        require(blocked(service.feeds), "phones were answered all the time")
        require(service.stop() == 0, "the old program stops, as systemd would restart it")
        database = root.path + "/var/lib/gatehouse/gatehouse.sqlite"
        newest = max(int(name[:4]) for name in os.listdir(root.path + "/usr/share/gatehouse/Migrations") if name.endswith(".sql"))
        if schema(database) == newest:
            # The previous version is this one under a lower number, or has the same schema.
            age(database)
        written = schema(database)
        require(written < newest, f"the database has schema {written}, the package {newest}")
        service = start()
        require(schema(database) == newest, f"the server has brought it to {newest}")
        require(blocked(service.feeds), "what was blocked is still blocked")
        copies = [os.path.basename(name) for name in glob.glob(database + ".schema-*")]
        require(copies == [f"gatehouse.sqlite.schema-{written}"], f"it was copied before it was migrated: {copies}")
        print("      version.json: " + root.read("/var/lib/gatehouse/version.json").strip())
        history = json.loads(gatectl("history", "shop", "ios", "--json").stdout)["items"]
        require(len(history) >= 4, f"the history is still there, {len(history)} changes")
        smoke(gatectl, service.feeds, first=False)
        require(service.stop() == 0, "it stops")
        print("      " + root.run("gatehouse", "verify", "--data", "/var/lib/gatehouse").stdout.strip())

        step("Removing")
        root.run("apt-get", "remove", "-y", "-q", "gatehouse")
        require(not root.has("/usr/bin/gatehouse") and not root.has("/usr/share/gatehouse"), "programs and files are gone")
        require(root.has("/var/lib/gatehouse/gatehouse.sqlite") and root.has("/etc/default/gatehouse"), "data and configuration stay")

        step("Purging")
        said = root.run("apt-get", "purge", "-y", "-q", "gatehouse")
        require(not root.has("/var/lib/gatehouse") and not root.has("/etc/default/gatehouse"), "data and configuration are gone")
        require(root.has("/var/backups/gatehouse") and "Backups of Gatehouse are left" in said.stdout + said.stderr, "backups stay, and it says so")
        require(root.run("dpkg-query", "-W", "gatehouse", fails=True).returncode != 0, "dpkg knows nothing of it")

        step("Installing again")
        root.install(package)
        require(root.has("/var/lib/gatehouse"), "it can be installed again")
    finally:
        with contextlib.suppress(NameError, UnboundLocalError, ProcessLookupError):
            service.process.kill()
        root.close()


def instructions(path):
    """The lines of a Containerfile as (word, rest), continued lines joined."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"\\\n", " ", "".join(line for line in file if not line.lstrip().startswith("#")))
    return [tuple(line.split(None, 1)) for line in text.splitlines() if line.strip()]


def check_container(package, before):
    step("The steps of deploy/Containerfile in a Debian 12 root")
    root = Root()
    image = tempfile.mkdtemp(prefix="gatehouse-image-")
    os.chmod(image, 0o755)
    environment, state = {}, {}
    current = root.path
    try:
        for word, rest in instructions(PROJECT + "/deploy/Containerfile"):
            print(f"      {word} {rest[:110]}", flush=True)
            if word == "FROM":
                require(rest.split()[0] in ("debian:bookworm-slim", "scratch"), f"FROM {rest.split()[0]}")
                current = image if rest.split()[0] == "scratch" else root.path
            elif word == "COPY" and rest.startswith("--from="):
                _, source, target = rest.split()
                subprocess.run(["cp", "-a", f"{root.path}{source}.", f"{image}{target}"], check=True)
            elif word == "COPY":
                source, target = rest.split()
                require(os.path.basename(source) == "gatehouse_*.deb", "the package is what is copied")
                shutil.copy(package, current + target)
            elif word == "RUN":
                root.run("sh", "-c", rest)
            elif word == "ENV":
                environment.update(each.split("=", 1) for each in shlex.split(rest))
            else:
                state[word] = rest
        require(state["USER"] not in ("root", "0"), f"it runs as {state['USER']}, not as root")
        size = int(subprocess.run(["du", "-sb", image], capture_output=True, text=True, check=True).stdout.split()[0])
        require(size < 120_000_000, f"the image is {size / 1e6:.0f} MB, under 120 MB")
        authorities = image + "/etc/ssl/certs/ca-certificates.crt"
        require(os.path.exists(authorities) and os.path.getsize(authorities) > 100_000, "it has the authorities that object stores are trusted by")
        with open(image + "/etc/passwd", encoding="utf-8") as file:
            numbers = next(line.split(":")[2:4] for line in file if line.startswith(state["USER"] + ":"))

        def inside(words, **more):
            chroot = root.command(words, image)
            chroot[4] = chroot[4].replace("/usr/sbin/chroot ", f"/usr/sbin/chroot --userspec={':'.join(numbers)} ")
            return {"args": chroot, "env": {"PATH": "/usr/bin:/bin", **environment, **more}}

        ports = free_port(), free_port()
        more = {"GATEHOUSE_LISTEN": f"127.0.0.1:{ports[0]}", "GATEHOUSE_FEEDS": f"127.0.0.1:{ports[1]}"}
        entry = json.loads(state["ENTRYPOINT"])
        init = inside([*entry, "init", "--data", environment["GATEHOUSE_DATA"], "--username", "admin", "--password-stdin", "--token", "ci"])
        made = subprocess.run(init["args"], env=init["env"], input=PASSWORD + "\n", capture_output=True, text=True)
        require(made.returncode == 0, "gatehouse init, in the image", made.stdout + made.stderr)
        serve = inside([*entry, *json.loads(state["CMD"])], **more)
        process = subprocess.Popen(serve["args"], env=serve["env"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            line = process.stdout.readline()
            require(bool(line), "its command starts", "" if line else process.stderr.read().decode()[-2000:])
            with open(f"/proc/{process.pid}/status", encoding="utf-8") as file:
                user = re.search(r"^Uid:\s+(\d+)", file.read(), re.M)[1]
            require(user == numbers[0], f"as user {user}")
            gatectl_root = lambda *words: root.run(
                "gatectl", *words, environment={
                    "GATECTL_SERVER": f"http://127.0.0.1:{ports[0]}", "GATECTL_TOKEN": made.stdout.strip(), "HOME": "/root",
                },
            )
            smoke(gatectl_root, f"http://127.0.0.1:{ports[1]}")
            options, _, command = state["HEALTHCHECK"].partition("CMD ")
            for expected, what in ((True, "healthy while it runs"), (False, "unhealthy when it has stopped")):
                if not expected:
                    process.terminate()
                    require(process.wait(30) == 0, "it stops")
                health = inside(json.loads(command), **more)
                done = subprocess.run(health["args"], env=health["env"], capture_output=True, text=True, timeout=20)
                require((done.returncode == 0) == expected, f"HEALTHCHECK: {what}", done.stdout + done.stderr)
        finally:
            if process.poll() is None:
                process.kill()
    finally:
        root.close()
        shutil.rmtree(image, ignore_errors=True)


def main():
    what, package, before = sys.argv[1:]
    if os.geteuid() != 0:
        sys.exit("A Debian root is made as root: sudo deploy/package --check")
    began = time.monotonic()
    {"package": check_package, "container": check_container}[what](package, before)
    print(f"All checks passed. ({what}, {time.monotonic() - began:.0f} s)")


if __name__ == "__main__":
    main()
