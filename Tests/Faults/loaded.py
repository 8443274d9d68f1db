"""Where waits come from on an overloaded machine: phones and changes beside processes that take all of the CPU, all of the disk, or both,
with the server at the same priority as these or a very low one. Each wait of a quarter of a second or more is compared with what the kernel
says about the server's threads meanwhile: whether they waited for a processor, for the disk, or for something of their own making.

The callers and the observer run at a real-time priority (as root), so that the server's wait is measured and not theirs."""
import collections
import http.client
import multiprocessing
import os
import pathlib
import signal
import subprocess
import time

from server import FEED, Server

SECONDS = 20
# The shortest wait that is looked into, and how often the threads are sampled.
SLOW, TICK = 0.25, 0.01
# The share of a wait that has to be explained.
ENOUGH = 0.7
BURNER = "while :; do :; done"
# Flushed like SQLite's log, but in larger pieces.
WRITER = "while :; do dd if=/dev/zero of=load.$$ bs=1M count=32 conv=fsync 2>/dev/null; done"
# The kernel functions in which a thread waits for the disk.
DISK = ("io_schedule", "folio_wait", "jbd2", "wait_on_", "blk_", "bio_", "balance_dirty", "rq_qos", "submit_", "ext4_", "wbt_", "do_get_write_access", "file_write_and_wait")
# Name, processes for each processor that only burn its time, writers, and the server's nice value.
CASES = [("nothing else", 0, 0, 0), ("processors taken", 4, 0, 0), ("disk taken", 0, 2, 0), ("both taken", 4, 2, 0), ("processors taken, the server at nice 15", 4, 0, 15)]


def hurry():
    """Gives this process priority over everybody else; returns whether that was possible."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(10))
    except PermissionError:
        return False
    return True


# MARK: Who asks


def polls(port, keeps, until, pipe):
    """Twenty polls a second, on a kept connection or each on a new one; waits are (begun, ended, what)."""
    hurry()
    waits, wrong, connection, due = [], [], None, time.monotonic()
    while time.monotonic() < until:
        due += 0.05
        time.sleep(max(0, due - time.monotonic()))
        begun = time.monotonic()
        try:
            if connection is None:
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            connection.request("GET", FEED)
            answer = connection.getresponse()
            body = answer.read()
            if answer.status != 200:
                wrong.append(f"{answer.status} {body[:60]}")
        except (OSError, http.client.HTTPException) as error:
            wrong.append(repr(error))
            connection = None
        waits.append((begun, time.monotonic(), "poll" if keeps else "poll of a new connection"))
        if connection is not None and (not keeps or answer.headers.get("Connection") == "close"):
            connection.close()
            connection = None
        due = max(due, time.monotonic() - 0.05)
    pipe.send((waits, wrong))


def changes(server, until, pipe):
    hurry()
    waits, wrong, number = [], [], 0
    while time.monotonic() < until:
        number += 1
        begun = time.monotonic()
        try:
            status, answer, _ = server.alert(f"loaded {number}")
            if status != 200:
                wrong.append(f"change: {status} {answer}")
        except (OSError, http.client.HTTPException) as error:
            wrong.append(f"change: {error!r}")
        waits.append((begun, time.monotonic(), "change"))
        time.sleep(0.4)
    pipe.send((waits, wrong))


# MARK: Who looks on


def text(path):
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        # A thread that has ended.
        return ""


def queued(ports):
    """Callers in the kernel whom nobody has accepted yet."""
    count = 0
    for line in text("/proc/net/tcp").splitlines()[1:]:
        words = line.split()
        if words[3] == "0A" and int(words[1].split(":")[1], 16) in ports:
            count += int(words[4].split(":")[1], 16)
    return count


def look(pid, ports, until, pipe):
    """Every ten milliseconds: of each thread what it ran, what it waited for a processor (both in seconds), and where it stands; and who is queued."""
    hurry()
    seen = []
    while time.monotonic() < until:
        threads = {}
        for name in os.listdir(f"/proc/{pid}/task"):
            path = f"/proc/{pid}/task/{name}/"
            times = text(path + "schedstat").split()
            if times:
                threads[name] = (int(times[0]) / 1e9, int(times[1]) / 1e9, text(path + "wchan"))
        seen.append((time.monotonic(), threads, queued(ports)))
        time.sleep(TICK)
    pipe.send((seen, {name: text(f"/proc/{pid}/task/{name}/comm").strip() for name in os.listdir(f"/proc/{pid}/task")}))


def reason(wait, seen):
    """What that wait was for: "processor", "disk", or what the threads did instead."""
    begun, ended, _ = wait
    # The kernel counts a wait for a processor when it is over.
    looks = [one for one in seen if begun - TICK <= one[0] <= ended + 5 * TICK]
    length = ended - begun
    if len(looks) < 2:
        return "nobody looked"
    first, last = looks[0][1], looks[-1][1]
    waited = sum(last[name][1] - first[name][1] for name in last if name in first)
    if waited >= ENOUGH * length:
        return "processor"
    standing = sum(any(where in thread[2] for thread in one[1].values() for where in DISK) for one in looks)
    if standing >= ENOUGH * len(looks) or standing * length / len(looks) + waited >= ENOUGH * length:
        return "disk"
    # None of the two: where each of its threads stood, and whether anybody waited to be accepted.
    places = collections.Counter(thread[2] for one in looks for thread in one[1].values())
    return f"{length:.2f} s: {waited:.2f} s for a processor, {dict(places.most_common(4))}, {max(one[2] for one in looks)} queued"


# MARK: The run


def case(folder, burners, writers, niceness):
    """Waits, those that went wrong, and the reasons of the slow ones."""
    server = Server(folder / "data")
    if niceness:
        for name in os.listdir(f"/proc/{server.process.pid}/task"):
            os.setpriority(os.PRIO_PROCESS, int(name), niceness)
    load = [subprocess.Popen(["sh", "-c", BURNER]) for _ in range(burners * os.cpu_count())]
    load += [subprocess.Popen(["sh", "-c", WRITER], cwd=folder, start_new_session=True) for _ in range(writers)]
    try:
        until = time.monotonic() + SECONDS
        here, there = zip(*(multiprocessing.Pipe(duplex=False) for _ in range(4)))
        ask = [
            multiprocessing.Process(target=polls, args=(server.feeds, True, until, there[0])), multiprocessing.Process(target=polls, args=(server.feeds, False, until, there[1])),
            multiprocessing.Process(target=changes, args=(server, until, there[2])),
        ]
        # A little longer than they ask, for the last wait's end.
        looker = multiprocessing.Process(target=look, args=(server.process.pid, {server.feeds, server.admin}, until + 5, there[3]))
        for process in [looker, *ask]:
            process.start()
        waits, wrong = [], []
        for end in here[:3]:
            more, odd = end.recv()
            waits += more
            wrong += odd
        seen, _ = here[3].recv()
        for process in [looker, *ask]:
            process.join()
    finally:
        for process in load:
            if process.args[-1] == WRITER:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
            process.wait()
        for file in folder.glob("load.*"):
            file.unlink()
    slow = [(wait, reason(wait, seen)) for wait in waits if wait[1] - wait[0] >= SLOW]
    longest = max((one[2] for one in seen), default=0)
    # With the load gone it answers at once: nothing is left hanging.
    begun = time.monotonic()
    status = server.alert("Afterwards")[0]
    if status != 200 or time.monotonic() - begun > 2:
        wrong.append(f"afterwards: {status} after {time.monotonic() - begun:.2f} s")
    ended = server.end()
    return waits, wrong, slow, longest, ended


def run(folder):
    folder.mkdir()
    print(f"     {'at real-time priority' if os.geteuid() == 0 else 'without root: waits of the callers are counted too'}; load of the machine {os.getloadavg()[0]:.1f}", flush=True)
    for number, (name, burners, writers, niceness) in enumerate(CASES):
        place = folder / str(number)
        place.mkdir()
        before = os.getloadavg()[0]
        waits, wrong, slow, queue, ended = case(place, burners, writers, niceness)
        spans = {kind: sorted(end - begin for begin, end, one in waits if one == kind) for kind in ("poll", "poll of a new connection", "change")}
        figures = "; ".join(f"{len(span)} × {kind}: p50 {span[len(span) // 2] * 1000:.1f} ms, slowest {span[-1]:.2f} s" for kind, span in spans.items())
        reasons = collections.Counter(why if why in ("processor", "disk") else "other" for _, why in slow)
        other = [f"{wait[2]} {why}" for wait, why in slow if why not in ("processor", "disk")]
        print(f"     {name}: {figures}; {dict(reasons)} {other[:5]}", flush=True)
        yield f"{name}: each wait of {SLOW} s and more was one for a processor or the disk", not other and all(spans.values()), (
            f"{figures}; {len(slow)} such waits: {', '.join(f'{count} for {why}' for why, count in reasons.items()) or 'none'}; at most {queue} queued; load of the machine before {before:.1f}; {other[:3]}")
        yield f"{name}: and nothing went wrong", not wrong and ended == 0, f"{len(wrong)} {wrong[:3]}"
