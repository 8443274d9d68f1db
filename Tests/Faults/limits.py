"""R22, R23 and R43: without descriptors or memory, with more than the limits allow, and with bodies that are bombs, the process neither
ends nor hangs."""
import http.client
import json
import resource
import socket
import time

from server import FEED, ask

SIGN_IN = {"username": "faults", "password": "violet-harbour-41-lantern"}


def answers(port, path, seconds):
    """Whether a new connection gets an answer within so many seconds."""
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
        try:
            if ask(port, "GET", path, timeout=2)[0] == 200:
                return True, f"after {time.monotonic() - begun:.1f} s"
        except OSError:
            time.sleep(0.1)
    return False, f"not within {seconds} s"


def status_of(process, name):
    for line in open(f"/proc/{process.pid}/status"):
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024


def sign_in(server):
    status, _, body = ask(server.admin, "POST", "/api/v1/session", SIGN_IN, {"Content-Type": "application/json"})
    return status, json.loads(body).get("code")


def run(server):
    pid = server.process.pid
    # Descriptors
    soft, hard = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    crowd = []
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (64, hard))
    try:
        for _ in range(300):
            crowd.append(socket.create_connection(("127.0.0.1", server.feeds), timeout=5))
        time.sleep(2)
        yield "64 descriptors, 300 callers: the server lives", server.process.poll() is None, ""
        # Accepted connections that send nothing are cut after ten seconds, so the others get their turn, one set after the other.
        yield "and goes on answering, as the quiet ones are cut", *answers(server.feeds, FEED, 90)
    finally:
        for one in crowd:
            one.close()
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
    yield "with descriptors again feeds are answered", *answers(server.feeds, FEED, 5)
    status, _, _ = server.alert("After descriptors came back")
    yield "and changes are taken", status == 200, str(status)

    # Memory
    soft, hard = resource.prlimit(pid, resource.RLIMIT_AS)
    resource.prlimit(pid, resource.RLIMIT_AS, (status_of(server.process, "VmSize") + (4 << 20), hard))
    refused = [sign_in(server) for _ in range(3)]
    yield "without memory for a password, signing in is put off", set(refused) == {(503, "no_memory")}, str(refused)
    sizes = []
    for number in range(200):
        body = b'{"targets":"' + b"x" * 200_000 + b'"}'
        try:
            sizes.append(large(server, body))
        except OSError as error:
            sizes.append(repr(error))
    yield "and the server lives", server.process.poll() is None, f"answers to large bodies: {sorted(set(map(str, sizes)))}"
    yield "and feeds are answered", *answers(server.feeds, FEED, 5)
    resource.prlimit(pid, resource.RLIMIT_AS, (soft, hard))
    again = sign_in(server)
    yield "with memory again signing in works", again == (200, None), str(again)

    bombs(server)
    before = status_of(server.process, "VmRSS")
    (took, name), found = bombs(server)
    grown = status_of(server.process, "VmRSS") - before
    yield "bodies that are bombs are refused within 50 ms each, and memory stays", found <= {400, 413, 422} and took <= 50 and grown < 8 << 20, f"{sorted(found)}, slowest {took:.0f} ms: {name}; {grown >> 10} KiB more"

    # Caps, each a thousand times
    before = status_of(server.process, "VmRSS")
    wanted = {"/" + "a" * 20_000: {414}, "header": {431}, "body": {413}, "chunked": {413}}
    found = {}
    for name in wanted:
        found[name[:8]] = set()
        for _ in range(1000):
            found[name[:8]].add(capped(server.admin, name))
    good = all(found[name[:8]] <= statuses for name, statuses in wanted.items())
    grown = status_of(server.process, "VmRSS") - before
    yield "a thousand of each that is too large are refused as such, and memory stays", good and grown < 64 << 20, f"{found}, {grown >> 20} MiB more"


# Bodies that a reader may choke on, each within the accepted size.
BOMBS = {
    "depth 17": b'{"a":' * 17 + b"1" + b"}" * 17, "depth 100,000": b"[" * 100_000, "2,001 members": b"{" + b",".join(b'"m%d":0' % number for number in range(2_001)) + b"}",
    "60,000 elements": b'{"a":[' + b"0," * 60_000 + b"0]}", "200,000 digits": b'{"revision":' + b"9" * 200_000 + b"}", "1e400": b'{"revision":1e400}', "an exponent of 200,000 digits": b'{"a":1e' + b"9" * 200_000 + b"}",
    "bad UTF-8": b'{"a":"' + b"\xff" * 200_000 + b'"}', "lone surrogates": b'{"a":"' + b"\\ud800" * 30_000 + b'"}', "escapes": b'{"a":"' + b"\\u0041" * 40_000 + b'"}', "one long key": b'{"' + b"k" * 200_000 + b'":1}',
    "equal keys": b"{" + b",".join([b'"a":1'] * 40_000) + b"}", "blanks": b" " * 260_000, "combining marks": b'{"reason":"' + "e\u0301\u0323".encode() * 40_000 + b'"}',
}


def bombs(server):
    """The slowest of them, each measured as the fastest of three, and the answers."""
    slowest, found = (0, ""), set()
    for name, body in BOMBS.items():
        took = []
        for _ in range(3):
            begun = time.monotonic()
            found.add(large(server, body))
            took.append((time.monotonic() - begun) * 1000)
        slowest = max(slowest, (min(took), name))
    return slowest, found


def large(server, body):
    """A body that is read and refused."""
    connection = http.client.HTTPConnection("127.0.0.1", server.admin, timeout=15)
    try:
        connection.request("POST", "/api/v1/changes", body, {"Authorization": "Bearer " + server.token, "Content-Type": "application/json"})
        return connection.getresponse().status
    finally:
        connection.close()


def capped(port, name):
    """The status of a request that is larger than it may be."""
    host = b"Host: localhost\r\n"
    if name == "header":
        request = b"GET / HTTP/1.1\r\n" + host + b"X: " + b"x" * 20_000 + b"\r\n\r\n"
    elif name == "body":
        request = b"POST /api/v1/session HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\nContent-Length: 262145\r\n\r\n" + b"x" * 262_145
    elif name == "chunked":
        request = b"POST /api/v1/session HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n40001\r\n" + b"x" * 0x40001 + b"\r\n0\r\n\r\n"
    else:
        request = b"GET " + name.encode() + b" HTTP/1.1\r\n" + host + b"\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=15) as connection:
        try:
            connection.sendall(request)
        except OSError:
            # It was refused before it had arrived completely.
            pass
        try:
            return int(connection.recv(64).split(b" ")[1])
        except OSError:
            return 0
