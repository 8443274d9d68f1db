"""R1 and R12 by force: SIGKILL at random moments: a server during changes, while it makes backups, and while somebody else makes one; a
restore into an empty folder and into a used one; a migration. Afterwards the folder has every acknowledged change once, or what the backup
had, and nothing else; its feeds match; no backup is incomplete; and what was interrupted can be run again."""
import collections
import copy
import http.client
import json
import pathlib
import random
import re
import secrets
import shutil
import signal
import sqlite3
import subprocess
import threading
import time

import history
from server import FEED, GATEHOUSE, ROOT, Server, ask, free_port

PLATFORMS = ("ios", "android")
# How often each kind of round comes, as weights.
KINDS = {"storm": 4, "backups of the server": 4, "backup beside it": 4, "restore into an empty folder": 3, "restore into the used folder": 5, "migration": 3}
BACKUP_OPTIONS = ("--backup-every", "1m", "--backup-keep", "200")


class Caller(threading.Thread):
    """Changes one target as fast as it gets answers."""

    def __init__(self, server, platform, tag):
        super().__init__()
        self.server, self.platform, self.tag = server, platform, tag
        self.asked, self.heard, self.odd, self.over = set(), {}, [], threading.Event()
        self.start()

    def run(self):
        number = 0
        while not self.over.is_set():
            number += 1
            text = f"{self.platform} {self.tag} {number}"
            self.asked.add(text)
            try:
                status, answer, _ = self.server.alert(text, self.platform)
            except (OSError, http.client.HTTPException, ValueError):
                return
            if status == 200:
                self.heard[text] = answer["change"]["sequence"]
            else:
                # Until it is killed, the server must not fail.
                self.odd.append(f"{status} {answer}")


class Branch:
    """A folder's history as far as it is known; each restore begins a new one."""

    def __init__(self, texts):
        # The alert's text, by sequence.
        self.texts = texts

    def upto(self, sequence):
        return {at: text for at, text in self.texts.items() if at <= sequence}


class Wrong(Exception):
    pass


class Killing:
    def __init__(self, folder, seed):
        folder.mkdir()
        self.folder, self.random = folder, random.Random(seed)
        self.kept = folder / "kept"
        self.kept.mkdir()
        self.server = Server(folder / "data", "--backup-dir", folder / "backups", *BACKUP_OPTIONS)
        self.branch, self.handed, self.asked = Branch({}), 0, set()
        # File, the branch that it was made from, its last change.
        self.backups, self.judged = [], {}
        self.cut, self.spans, self.counts = collections.Counter(), {}, collections.Counter()
        self.round = 0
        self.older = None

    # MARK: Programs

    def words(self, *words):
        return [str(word) for word in (GATEHOUSE, *words)] + ([] if words[0] == "backup" else ["--migrations", str(ROOT / "Migrations")])

    def whole(self, *words):
        done = subprocess.run(self.words(*words), capture_output=True, text=True)
        if done.returncode:
            raise Wrong(f"gatehouse {words[0]} ends with {done.returncode}: {done.stderr.strip()[:300]}")
        return done.stdout

    def killed(self, kind, *words):
        """Runs a program and kills it at a random moment of the time that it takes; returns whether it was cut off."""
        begun = time.monotonic()
        process = subprocess.Popen(self.words(*words), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            said = process.communicate(timeout=self.random.uniform(0, self.spans.get(kind, 0.3) * 1.1))[1]
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.cut[kind] += 1
            return True
        if process.returncode:
            raise Wrong(f"gatehouse {words[0]} ends with {process.returncode}: {said.strip()[:300]}")
        self.spans[kind] = time.monotonic() - begun
        return False

    # MARK: The state afterwards

    def alerts(self, server):
        """What phones show, by platform."""
        shown = {}
        for platform in PLATFORMS:
            status, _, text = ask(server.feeds, "GET", f"/feeds/shop/{platform}/gate.json")
            if status != 200:
                raise Wrong(f"the feed of {platform} is {status}: {text[:200]}")
            shown[platform] = (json.loads(text)["gate"].get("alert") or {}).get("message")
        status, _, text = ask(server.feeds, "GET", FEED)
        if status != 200:
            raise Wrong(f"the feed of both is {status}: {text[:200]}")
        return shown, text

    def newest(self, texts):
        """What phones should show after these changes."""
        shown = dict.fromkeys(PLATFORMS)
        for sequence in sorted(texts):
            shown[texts[sequence].split()[0]] = texts[sequence]
        return shown

    def judge(self, server, wanted, heard, asked, exactly=False):
        """Checks a server that has just been started.

        - `wanted`: what is known of its history, by sequence.
        - `heard`, `asked`: the texts of this round, of which the first have their sequence.
        - `exactly`: nothing else may be there.
        Gives the history by sequence."""
        health = server.health()
        if health["state"] not in ("ok", "degraded") or (health["state"] == "degraded" and any(not reason.startswith("backup") for reason in health["reasons"])):
            raise Wrong(f"health: {health}")
        items = history.changes(server)
        written = history.alerts(items)
        twice = [text for text, sequences in written.items() if len(sequences) > 1]
        if twice:
            raise Wrong(f"there twice: {twice[:3]}")
        texts = {sequences[0]: text for text, sequences in written.items()}
        lost = {at: text for at, text in wanted.items() if texts.get(at) != text} | {at: text for text, at in heard.items() if texts.get(at) != text}
        if lost:
            raise Wrong(f"lost: {sorted(lost.items())[:3]} of {len(wanted) + len(heard)}")
        more = {at: text for at, text in texts.items() if at not in wanted and (exactly or text not in asked)}
        if more:
            raise Wrong(f"there, and asked for by nobody: {sorted(more.items())[:3]}")
        last = 0
        for change in reversed(items):
            first = change["skipped"]["from"] if "skipped" in change else change["sequence"]
            if first != last + 1:
                raise Wrong(f"a gap: {change['sequence']} after {last}")
            last = change["sequence"]
        shown, both = self.alerts(server)
        if shown != self.newest(texts):
            raise Wrong(f"feeds show {shown}, the history {self.newest(texts)}")
        for platform in PLATFORMS:
            _, target = server.call("GET", f"/targets/shop/{platform}")
            native = json.loads(ask(server.feeds, "GET", f"/feeds/shop/{platform}/gate.json")[2])
            if native["revision"] != target["revision"] or native["gate"] != target["gate"] or (shown[platform] or "").encode() not in both:
                raise Wrong(f"the feed of {platform} is not its state: {native['revision']} {target['revision']}")
        return texts, last

    def sound(self, data):
        good, said = history.verify(data)
        if not good:
            raise Wrong(f"verify: {said[:300]}")

    def settle(self, callers=()):
        """After the used folder's server was killed: starts it and checks."""
        heard, asked = {}, set()
        for caller in callers:
            caller.over.set()
            caller.join()
            heard |= caller.heard
            asked |= caller.asked
            if caller.odd:
                raise Wrong(f"refused, of {len(caller.asked)}: {caller.odd[:2]}")
        self.counts["answered"] += len(heard)
        self.counts["not answered"] += len(asked) - len(heard)
        self.sound(self.server.data)
        self.server.start()
        self.branch.texts, last = self.judge(self.server, self.branch.texts, heard, asked)
        self.handed = max(self.handed, last)

    def take_in(self, files, told={}, least=0):
        """Checks backups that have their final name: each must be sound, whatever was killed.

        - `told`: what the server answered of them, by their names.
        - `least`: a change that was answered before they were requested."""
        for file in files:
            said = self.whole("verify", "--from", file)
            sequence = int(re.search(r"change (\d+)", said).group(1))
            if told.get(file.name, sequence) != sequence or sequence < least:
                raise Wrong(f"{file.name} is of change {sequence}, answered as of {told.get(file.name)}, and {least} was answered before")
            self.counts["backups"] += 1
            kept = self.kept / f"{self.round}-{len(self.backups)}.backup"
            shutil.copy(file, kept)
            self.backups.append((kept, self.branch, sequence))
            self.judged[file.name] = True
        while len(self.backups) > 12:
            self.backups.pop(self.random.randrange(len(self.backups) - 4))[0].unlink()

    def new_ones(self):
        names = (self.folder / "backups").iterdir()
        return sorted(path for path in names if path.name.endswith(".backup") and path.name not in self.judged)

    def callers(self):
        return [Caller(self.server, platform, f"{self.round}-{secrets.token_hex(2)}") for platform in PLATFORMS]

    # MARK: Rounds

    def storm(self):
        callers = self.callers()
        time.sleep(self.random.uniform(0.01, 0.5))
        self.server.end(signal.SIGKILL)
        self.cut["storm"] += 1
        self.settle(callers)

    def backups_of_the_server(self):
        callers = self.callers()
        answered, over = [], threading.Event()

        def ask_for_backups():
            while not over.is_set():
                try:
                    answered.append(self.server.call("POST", "/backups"))
                except (OSError, http.client.HTTPException, ValueError):
                    return

        asker = threading.Thread(target=ask_for_backups)
        asker.start()
        time.sleep(self.random.uniform(0.01, 0.8))
        self.server.end(signal.SIGKILL)
        over.set()
        asker.join()
        left = [path.name for path in (self.folder / "backups").iterdir() if not path.name.endswith(".backup")]
        self.cut["backups of the server"] += bool(left)
        named = {path.name for path in (self.folder / "backups").iterdir()}
        files = self.new_ones()
        self.settle(callers)
        lost = [answer["name"] for status, answer in answered if status == 201 and answer["name"] not in named]
        if lost:
            raise Wrong(f"a backup that was acknowledged is not there: {lost}")
        odd = [(status, answer) for status, answer in answered if status not in (201, 409, 503)]
        if odd:
            raise Wrong(f"POST /backups: {odd[:2]}")
        # The backup that the start makes by itself is checked in the next round of this kind.
        self.take_in(files, {answer["name"]: answer["sequence"] for status, answer in answered if status == 201})
        for file in files[:-1]:
            file.unlink()

    def backup_beside_it(self):
        callers = self.callers()
        time.sleep(self.random.uniform(0.01, 0.2))
        file = self.folder / "beside.backup"
        # Half of the time a backup of that name is there already, and stays until there is a new one.
        before = file.read_bytes() if file.exists() else None
        if before and self.random.random() < 0.5:
            file.unlink()
            before = None
        least = max((sequence for caller in callers for sequence in list(caller.heard.values())), default=0)
        cut = self.killed("backup beside it", "backup", "--data", self.server.data, "--out", file)
        self.server.end(signal.SIGKILL)
        self.settle(callers)
        if cut and before is not None and not file.exists():
            raise Wrong("the backup of before is gone")
        if file.exists() and file.read_bytes() != before:
            self.take_in([file], least=least)

    def restore_into_an_empty_folder(self):
        if not self.backups:
            return self.storm()
        file, branch, sequence = self.random.choice(self.backups)
        data = self.folder / "empty"
        for _ in range(self.random.randint(1, 3)):
            if not self.killed("restore into an empty folder", "restore", "--data", data, "--from", file):
                break
        self.whole("restore", "--data", data, "--from", file)
        self.sound(data)
        other = self.beside(data)
        other.start()
        _, last = self.judge(other, branch.upto(sequence), {}, set(), exactly=True)
        status, answer, _ = other.alert("ios after a restore")
        if status != 200 or answer["change"]["sequence"] <= self.handed:
            raise Wrong(f"the next change: {status} {answer}")
        if other.end() != 0:
            raise Wrong("a restored server does not end in order")
        shutil.rmtree(data)

    def restore_into_the_used_folder(self):
        if not self.backups:
            return self.storm()
        file, branch, sequence = self.random.choice(self.backups)
        callers = self.callers()
        time.sleep(self.random.uniform(0.01, 0.2))
        self.server.end(signal.SIGKILL)
        self.settle(callers)
        before, after = self.newest(self.branch.texts), self.newest(branch.upto(sequence))
        if self.random.random() < 0.5:
            self.server.end(signal.SIGKILL)
        elif self.server.end() != 0:
            raise Wrong("the server does not end in order")
        for _ in range(self.random.randint(1, 3)):
            if not self.killed("restore into the used folder", "restore", "--data", self.server.data, "--from", file):
                break
            if self.random.random() < 0.5:
                # If somebody starts the server on what is there, phones get the one state or the other, and nothing else.
                self.server.start(waits=False)
                shown, _ = self.alerts(self.server)
                if shown not in (before, after):
                    raise Wrong(f"half restored, feeds show {shown}, before {before}, in the backup {after}")
                self.counts["starts on half a restore"] += 1
                self.server.end(signal.SIGKILL)
        # Backups that the server made by the clock meanwhile are of the history before.
        self.take_in(self.new_ones())
        self.whole("restore", "--data", self.server.data, "--from", file)
        self.sound(self.server.data)
        self.server.start()
        self.branch = Branch(branch.upto(sequence))
        _, last = self.judge(self.server, self.branch.texts, {}, set(), exactly=True)
        if last <= self.handed:
            raise Wrong(f"the restore has sequence {last}, {self.handed} was handed out")
        self.handed = last
        # What the restore kept aside does not matter here.
        for path in self.server.data.glob("before-restore-*"):
            shutil.rmtree(path)

    def migration(self):
        if self.older is None:
            self.older = self.make_older()
        data, texts = self.folder / "older", self.older_texts
        shutil.copytree(self.older, data)
        serves = self.random.random() < 0.5
        for _ in range(self.random.randint(1, 3)):
            if serves:
                other = self.beside(data, "--migrate")
                other.launch()
                time.sleep(self.random.uniform(0, self.spans.get("migration", 0.3) * 1.2))
                other.end(signal.SIGKILL)
                self.cut["migration"] += 1
            elif not self.killed("migration", "migrate", "--data", data):
                break
        copies = list(data.glob("gatehouse.sqlite.schema-*[0-9]"))
        for path in copies:
            # Under its final name it is complete, and has the schema that it names.
            database = sqlite3.connect(path)
            found = database.execute("PRAGMA integrity_check").fetchone()[0], database.execute("PRAGMA user_version").fetchone()[0], database.execute("SELECT count(*) FROM changes").fetchone()[0]
            database.close()
            if found[0] != "ok" or f"-{found[1]}" != path.name[path.name.rindex("-"):] or found[2] != self.older_count:
                raise Wrong(f"{path.name}: {found}")
        if not serves:
            self.whole("migrate", "--data", data)
        other = self.beside(data, *(["--migrate"] if serves else []))
        other.start()
        self.judge(other, texts, {}, set(), exactly=True)
        if other.alert("ios after a migration")[0] != 200:
            raise Wrong("no change is taken after a migration")
        if other.end() != 0:
            raise Wrong("a migrated server does not end in order")
        self.sound(data)
        shutil.rmtree(data)

    def beside(self, data, *options):
        """A server on another folder, with the same token."""
        other = copy.copy(self.server)
        other.data, other.options, other.admin, other.feeds = pathlib.Path(data), options, free_port(), free_port()
        if "older" in str(data) and self.older is not None:
            other.token = self.older_token
        self.others.append(other)
        return other

    def make_older(self):
        """A folder with a history, in the schema before the last migrations."""
        made = self.folder / "of-before"
        server = Server(made)
        for number in range(60):
            assert server.alert(f"{PLATFORMS[number % 2]} before {number}", PLATFORMS[number % 2])[0] == 200
        items = history.changes(server)
        self.older_texts = {sequences[0]: text for text, sequences in history.alerts(items).items()}
        self.older_count, self.older_token = len(items), server.token
        assert server.end() == 0
        names = sorted((ROOT / "Migrations").glob("*.sql"))
        older_schema(made / "gatehouse.sqlite", names)
        return made


def older_schema(path, names):
    """Takes the last migrations back: the tables of what servers share; the table of servers; the column of whom a proxy signs in; the table of own feeds; the columns and the index of invitations; the column of restores, and the trigger that they made anew."""
    assert [name.name for name in names[9:]] == ["0010_restores.sql", "0011_invitations.sql", "0012_own_feeds.sql", "0013_own_feed_counts.sql", "0014_people_of_a_proxy.sql", "0015_servers.sql", "0016_shared_polls_and_keys.sql"], "teach older_schema to take the newest migration back"
    trigger = re.search(r"CREATE TRIGGER changes_are_gapless .*?\nEND;", "\n".join(name.read_text() for name in names[:9]), re.DOTALL).group()
    database = sqlite3.connect(path, isolation_level=None)
    for table in ("shared_keys", "server_polls", "servers"):
        database.execute(f"DROP TABLE {table}")
    database.execute("ALTER TABLE users DROP COLUMN origin")
    database.execute("DROP TABLE own_feeds")
    database.execute("ALTER TABLE apps DROP COLUMN own_feed_count")
    database.execute("DROP INDEX users_by_invitation")
    for column in ("invitation_expires_at", "invitation_digest"):
        database.execute(f"ALTER TABLE users DROP COLUMN {column}")
    database.execute("DROP TRIGGER changes_are_gapless")
    database.execute("ALTER TABLE changes DROP COLUMN skipped")
    database.execute(trigger.rstrip(";"))
    database.execute("DELETE FROM migrations WHERE number > 9")
    database.execute("PRAGMA user_version = 9")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def run(folder, rounds, seed):
    seed = seed if seed is not None else secrets.randbits(32)
    print(f"     seed {seed}", flush=True)
    killing = Killing(folder, seed)
    killing.others = []
    done, wrong, begun = collections.Counter(), [], time.monotonic()
    names, weights = list(KINDS), list(KINDS.values())
    try:
        for number in range(rounds):
            killing.round = number
            # Each kind comes once, however few rounds there are.
            kind = names[number] if number < len(names) else killing.random.choices(names, weights)[0]
            try:
                getattr(killing, kind.replace(" ", "_"))()
            except Wrong as error:
                wrong.append(f"round {number}, {kind}: {error}")
                print(f"     {wrong[-1]}", flush=True)
                break
            done[kind] += 1
            if number % 20 == 19:
                print(f"     {number + 1} rounds in {time.monotonic() - begun:.0f} s: {dict(killing.counts)}, cut off {dict(killing.cut)}", flush=True)
        if not wrong:
            killing.take_in(killing.new_ones())
    finally:
        for other in [killing.server, *killing.others]:
            if other.process.poll() is None:
                other.end(signal.SIGKILL)
    counts = killing.counts
    yield f"{rounds} rounds: every acknowledged change is there once, or what the backup had; feeds are those of it", not wrong and counts["answered"] > 0, (
        f"{counts['answered']:,} changes answered, {counts['not answered']} not; {', '.join(f'{count} {kind}' for kind, count in done.items())}; seed {seed}{'; ' + wrong[0] if wrong else ''}")
    yield "what was killed was at work", sum(killing.cut.values()) >= rounds // 2, ", ".join(f"{kind} {count} times" for kind, count in killing.cut.items())
    yield "a backup that has its name is sound", not wrong and counts["backups"] > 0, f"{counts['backups']} looked at; {counts['starts on half a restore']} starts on half a restore"
    yield "and the chain is whole", history.verify(killing.server.data)[0], ""
