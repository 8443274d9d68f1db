"""Issue 11: one caller must not hurt all others. A minute with a hostile operator, an anonymous flood and a log that nobody reads, while others
are measured; then each thing that an attack found, by itself (see items.py).

What is measured: seconds from the first byte of a phone's or an operator's request to the last of its answer, on a new connection each
time, in separate processes. The attackers are on the same machine; they run only when nobody else does, on one of its processors, and pause
between requests, so that they take less than they could. The phone has priority over everybody, in quiet and under attack alike: half of
its wait was for a processor. The processor time that both still use is in the figures, so these are an upper bound."""
import os
import pathlib
import resource
import signal
import subprocess
import time

import items
from attackers import PLATFORMS, Party, flood, idlers, killer, operator, phone, request, share, viewer
from server import FEED, GATEHOUSE, ROOT, Server

QUIET, ATTACK = 15, 60
IDLE_FEEDS, IDLE_ADMIN = 2_000, 300
MEMORY = 512 << 20


def memory(over, pid):
    """The highest resident memory, in bytes."""
    most = 0
    while not over.wait(0.1):
        try:
            most = max(most, resident(pid))
        except OSError:
            break
    return most


def resident(pid):
    for line in open(f"/proc/{pid}/status"):
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def processor(pid):
    """Processor time of a process so far, in seconds."""
    words = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def furnish(server):
    """Makes the apps `bank` and `mine`, and a token for each caller."""
    for app, platforms in (("bank", ["ios"]), ("mine", [f"p{number}" for number in range(PLATFORMS)])):
        assert server.call("POST", "/apps", {"key": app, "name": app})[0] == 201
        for platform in platforms:
            assert server.call("PUT", f"/apps/{app}/platforms/{platform}", {})[0] == 201
    tokens = {}
    for name, role, apps in (("hostile", "operator", ["mine"]), ("killer", "operator", ["bank"]), ("viewer", "viewer", None)):
        status, answer = server.call("POST", "/tokens", {"name": name, "role": role, "apps": apps})
        assert status == 201, answer
        tokens[name] = answer["token"]
    return tokens


def verified(server):
    done = subprocess.run([GATEHOUSE, "verify", "--data", server.data, "--migrations", ROOT / "Migrations"], capture_output=True, text=True)
    return done.returncode == 0, (done.stdout + done.stderr).strip()[:200]


def ended(server, seconds=15):
    """Whether the server ends in order, without anybody reading its log."""
    server.process.send_signal(signal.SIGTERM)
    try:
        return server.process.wait(seconds)
    except subprocess.TimeoutExpired:
        server.process.kill()
        server.process.wait()
        return "killed: it did not end by itself"
    finally:
        server.process.stdout.close()


def starts_sound(server, seconds=30):
    """Whether the next start reaches a health without reasons, and how long that takes."""
    begun = time.monotonic()
    server.start(waits=False)
    health = None
    while time.monotonic() - begun < seconds:
        try:
            health = server.health()
            if health == {"state": "ok", "reasons": []}:
                return True, f"{time.monotonic() - begun:.1f} s"
        except OSError:
            pass
        time.sleep(0.05)
    return False, f"{health}"


def figures(took):
    return f"p50 {share(took, 0.5) * 1000:.2f} ms, p99 {share(took, 0.99) * 1000:.2f} ms, slowest {max(took, default=0) * 1000:.0f} ms of {len(took)}"


def attack(server, tokens):
    """Starts all attackers on a server."""
    ports = {server.feeds: IDLE_FEEDS, server.admin: IDLE_ADMIN}
    parties = {"operator": [Party(operator, server.admin, tokens["hostile"], is_elsewhere=True) for _ in range(2)]}
    parties["viewers"] = [Party(viewer, server.admin, tokens["viewer"], "/events?after=0", is_elsewhere=True) for _ in range(12)]
    parties["readers"] = [Party(viewer, server.admin, tokens["viewer"], path, is_elsewhere=True) for path in ("/changes?limit=500", "/windows?limit=500", "/targets?limit=500")]
    parties["flood"] = [Party(flood, port, f"127.0.0.{5 + place}", is_elsewhere=True) for place, port in enumerate(ports)]
    parties["idle"] = [Party(idlers, ports, "127.0.0.7", is_elsewhere=True)]
    return parties


def polled(server, seconds):
    """Seconds of each of a phone's polls, and what was wrong with some."""
    one = Party(phone, server.feeds, FEED, server.feed(), is_measured=True)
    time.sleep(seconds)
    return one.stop()


def beside(folder, server):
    """Polls a server that has nothing else to do, while the same attackers keep the machine busy with another server: what it costs a phone
    that there are only two processors, which is not the server's fault."""
    other = Server(folder / "other")
    try:
        parties = attack(other, furnish(other))
        time.sleep(2)
        took, _ = polled(server, QUIET)
        for party in sum(parties.values(), []):
            party.stop()
        return took
    finally:
        other.end(signal.SIGKILL)


def minute(folder):
    """The first line of the issue's "Done when": everything at the same time."""
    server = Server(folder / "minute", log=subprocess.PIPE)
    try:
        tokens = furnish(server)
        pid, wanted = server.process.pid, server.feed()
        quiet, _ = polled(server, QUIET)
        busy = beside(folder, server)
        before = processor(pid)
        # Nobody reads the log: the lines of the start fill part of the pipe, those of requests the rest.
        attackers = attack(server, tokens)
        gauge = Party(memory, pid)
        # The measured callers start when all the others are there.
        time.sleep(2)
        polls, kills = Party(phone, server.feeds, FEED, wanted, is_measured=True), Party(killer, server.admin, tokens["killer"])
        time.sleep(ATTACK)
        polls, kills, most = polls.stop(), kills.stop(), gauge.stop()
        found = {name: [party.stop() for party in parties] for name, parties in attackers.items()}
        used = (processor(pid) - before) / (ATTACK + 2) if server.process.poll() is None else 0
        yield "the server lives", server.process.poll() is None, f"{used:.2f} processors used"

        slow = [f"{seconds:.2f} s: {status}" for seconds, status in kills or () if seconds > 1 or status != 200]
        times = [seconds for seconds, _ in kills or ()]
        yield "another caller's kill takes at most 1 s each time", bool(times) and not slow, f"{figures(times)}" + (f"; {len(slow)} too slow or refused: {slow[:3]}" if slow else "")
        took, wrong = polls or ([], ["the phone did not come back"])
        yield "every poll of another's feed is answered, with the right bytes", bool(took) and not wrong, f"{len(took)} polls" + (f", {len(wrong)} wrong: {wrong[:2]}" if wrong else "")
        print(f"     a phone's polls beside another server under the same attack {figures(busy)}", flush=True)
        yield "feeds' p99 stays within twice the quiet one", share(took, 0.99) <= 2 * share(quiet, 0.99), f"quiet {figures(quiet)}; attacked {figures(took)}"
        yield "and within twice that of a server beside the attack", share(took, 0.99) <= 2 * share(busy, 0.99), (
            f"{figures(took)}; {share(took, 0.99) / share(busy, 0.99):.1f} times that, {share(took, 0.99) / share(quiet, 0.99):.1f} times the quiet one")
        yield "resident memory stays under 512 MiB", most is not None and 0 < most < MEMORY, f"{(most or 0) >> 20} MiB"
        largest = max((one[1] for one in found["viewers"] + found["readers"] if one), default=0)
        yield "no answer to a viewer is above 2 MiB", 0 < largest <= 2 << 20, f"{largest >> 10} KiB; {sum(one[0] for one in found['viewers'] if one)} answers to twelve who ask for events"
        sent, slowest = {}, {}
        for one in found["operator"]:
            for name, counts in (one or ({}, {}))[0].items():
                for status, count in counts.items():
                    sent.setdefault(name, {})[status] = sent.setdefault(name, {}).get(status, 0) + count
            for name, seconds in (one or ({}, {}))[1].items():
                slowest[name] = max(slowest.get(name, 0), seconds)
        for name, counts in sent.items():
            print(f"     {name}: {', '.join(f'{status} {count} times' for status, count in sorted(counts.items(), key=str))}, the slowest {slowest[name] * 1000:.0f} ms", flush=True)
        knocks, (idle, held) = sum(one or 0 for one in found["flood"]), (found["idle"][0] or (0, 0))
        statuses = {status for counts in sent.values() for status in counts}
        yield "the attackers were there", bool(sent) and knocks > ATTACK * 10 and idle > IDLE_FEEDS, f"{sum(sum(counts.values()) for counts in sent.values())} of the operator, {knocks} odd ones, {idle} idle connections, {held} at the end"
        yield "what the operator sends is never a fault of the server", not {status for status in statuses if isinstance(status, str) or status >= 500 and status != 503}, str(sorted(statuses, key=str))
        hold = longest_hold(server)
        yield "no request held the writers' lock for more than 50 ms", hold is not None and hold <= 0.05, "no such metric" if hold is None else f"{hold * 1000:.1f} ms"

        status = ended(server)
        yield "it ends in order with its log unread", status == 0, str(status)
        yield "verify finds nothing", *verified(server)
        size = sum(path.stat().st_size for path in server.data.glob("gatehouse.sqlite*"))
        server.log = subprocess.DEVNULL
        holds, detail = starts_sound(server)
        yield "the next start is sound", holds, f"{detail}; the database has {size >> 20} MiB"
        status, answer, took = server.alert("After all of it")
        yield "and a change is taken", status == 200, f"{status} in {took * 1000:.0f} ms"
    finally:
        if server.process.poll() is None:
            server.end(signal.SIGKILL)


def longest_hold(server):
    """The longest time since the start that one writer kept all others waiting, in seconds; None if the server does not say."""
    try:
        text = request(server.admin, "GET", "/metrics")[2].decode()
    except OSError:
        return None
    for line in text.splitlines():
        if line.startswith("gatehouse_writers_lock_seconds_max"):
            return float(line.rsplit(" ", 1)[1])
    return None


def run(folder):
    folder = pathlib.Path(folder)
    folder.mkdir()
    # Child processes inherit these limits: the server needs as many descriptors as its unit allows.
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print(f"     two processors are what this is made for; there are {os.cpu_count()}, and {os.getloadavg()[0]:.1f} were wanted before it began", flush=True)
    yield from minute(folder)
    yield from items.run(folder)
