"""Memory with 10,000 idle connections, and how much they slow down other callers."""
import re
import resource
import socket
import time

from feeds import APPS, PATH
from harness import Gatehouse, heading, report, wrk

IDLE = 10_000


def resident(process):
    text = open(f"/proc/{process.pid}/status").read()
    return int(re.search(r"VmRSS:\s+(\d+) kB", text)[1]) / 1024


if __name__ == "__main__":
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < IDLE + 2_000:
        raise SystemExit(f"The limit of open files is {most}; this needs {IDLE + 2_000}.")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    heading(f"{IDLE:,} idle connections on the feeds listener, {APPS} apps x 2 platforms")
    server = Gatehouse(apps=APPS)
    server.wait_for_writes()
    report("resident before", f"{resident(server.process):.0f} MiB")
    callers = []
    for number in range(IDLE):
        # Several loopback addresses: one has too few ports where many are in use.
        caller = socket.socket()
        caller.bind((f"127.0.0.{2 + number % 4}", 0))
        caller.connect(("127.0.0.1", server.feeds))
        callers.append(caller)
    time.sleep(1)
    open_now = sum(1 for line in open("/proc/net/tcp") if line.split()[1].endswith(f":{server.feeds:04X}") and line.split()[3] == "01")
    at_full = resident(server.process)
    report("connections open", f"{open_now:,}", f">= {IDLE:,}", open_now >= IDLE)
    report("resident", f"{at_full:.0f} MiB", "< 256 MiB", at_full < 256)
    rate, slowest = wrk(server.feeds, PATH, connections=16)
    report("the others' p99 meanwhile", f"{slowest:.1f} ms")
    for caller in callers:
        caller.close()
    server.stop()
