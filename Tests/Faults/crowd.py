"""R63: more quiet connections from one address than a listener has places, and a phone from another address."""
import http.client
import resource
import socket
import time

from server import FEED, ask
from slow import Pace

# The listeners' places, and the crowds that come: more than fit.
FEEDS, ADMIN = 12_000, 256
CROWD = {"feeds": 12_400, "admin": 400}


def crowd(port, count, first=b""):
    """So many connections from 127.0.0.2, each sending `first` or nothing. The last ones may still be waiting in the kernel."""
    callers = []
    for _ in range(count):
        caller = socket.socket()
        caller.settimeout(5)
        caller.bind(("127.0.0.2", 0))
        caller.connect(("127.0.0.1", port))
        if first:
            caller.sendall(first)
        callers.append(caller)
    return callers


def metric(server, name, listener):
    page = ask(server.admin, "GET", "/metrics")[2].decode()
    return next(int(line.split()[1]) for line in page.splitlines() if line.startswith(f'{name}{{listener="{listener}"}}'))


def run(server):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most < CROWD["feeds"] + 1_000:
        return (yield "a crowd", False, f"the limit of open files is {most}")
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    poll = f"GET {FEED} HTTP/1.1\r\nHost: t\r\n\r\n".encode()
    for name, first in (("silent", b""), ("that asked once", poll)):
        kept = http.client.HTTPConnection("127.0.0.1", server.feeds, timeout=5)
        kept.request("GET", FEED)
        kept.getresponse().read()
        pace = Pace(server.feeds)
        begun = time.monotonic()
        callers = crowd(server.feeds, CROWD["feeds"], first)
        took = time.monotonic() - begun
        time.sleep(2)
        fast, figures = pace.stop()
        yield f"{CROWD['feeds']:,} connections {name}: phones from elsewhere are served meanwhile", fast, f"{figures}; opened in {took:.1f} s"
        open_now, crowded_out = metric(server, "gatehouse_connections", "feeds"), metric(server, "gatehouse_connections_crowded_out_total", "feeds")
        yield "and there is room left", open_now <= FEEDS * 0.9 + 50, f"{open_now:,} open, {crowded_out:,} crowded out"
        if took < 10:  # after fifteen seconds its own deadline would have closed it
            try:
                kept.request("GET", FEED)
                alive = kept.getresponse().read() == server.feed()
            except OSError as error:
                alive = repr(error)
            yield "and a phone keeps its connection, longer quiet than all of them", alive is True, str(alive)
        for caller in callers:
            caller.close()
        time.sleep(1)
    callers = crowd(server.admin, CROWD["admin"])
    begun = time.monotonic()
    status, _, _ = server.alert("While strangers crowd the admin listener")
    took = time.monotonic() - begun
    yield f"{CROWD['admin']} silent connections on the admin listener: a change is taken meanwhile", status == 200 and took < 1, f"{status} after {took * 1000:.0f} ms"
    for caller in callers:
        caller.close()
