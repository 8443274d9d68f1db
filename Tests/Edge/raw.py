"""Seeded random and mutated bytes on the sockets of both listeners, while a good client polls.

  python3 Tests/Edge/raw.py [--seconds 60] [--seed N] [--only CASE]

Each case is one connection: valid requests, most of them mutated, sent in random pieces; some connections are left half closed, some reset.
What comes back is compared with what a separate strict reader (wire.py) finds in the bytes that went out:

  - it is well-formed HTTP, or the connection closes;
  - there is at most one answer for each request, none after a refusal, and no answer to a marker where none was requested;
  - none is 5xx except 501 and 505, which the contract has;
  - what was not mutated is answered completely.

Every case depends only on the seed and its own number: --only runs one again and prints it.
"""
import argparse
import http.client
import os
import random
import re
import select
import socket
import sys
import threading
import time

import wire
from house import FEED, ROOT, Origin, check, failures, get, lines, wait

sys.path.insert(0, str(ROOT / "Tests/Faults"))
import requirements  # the table of what was tried, and its last figures

MARKER = "/feeds/marker/launchgate.json"
# Appears on the wire only if a marker's request was answered.
MARK = b"smuggled-marker"
WORKERS = 6
HOST = "127.0.0.1:#####"
# The server's longest wait for a header, and the time that its sweeper takes to notice.
PATIENCE = 15
# How long the admin listener keeps a quiet connection.
IDLE = 30

VALUES = [b"", b" ", b"0", b"1", b"5", b"+5", b"-1", b"0x5", b"5, 5", b"5 5", b"1e3", b"262144", b"262145", b"1048577", b"999999999999999999",
          b"9" * 19, b"18446744073709551616", b"chunked", b"Chunked", b" chunked", b"chunked ", b"\tchunked", b"gzip, chunked", b"chunked, chunked",
          b"identity", b"x", b"close", b"keep-alive", b"upgrade", b"100-continue", b"*", b'"a"', b'W/"a"', b'"a', b"a" * 300, b"t", b"t:80", b"[::1]",
          b"a/b", b"a, b", b"u@t", b"\xff\xfe", b"%00", b"application/json", b"bytes=0-1"]
NAMES = [b"Host", b"Content-Length", b"content-length", b"Content-Length ", b" Content-Length", b"Transfer-Encoding", b"transfer-encoding",
         b"Transfer-Encoding\t", b"Connection", b"Expect", b"If-None-Match", b"Content-Type", b"Cookie", b"Authorization", b"Upgrade", b"TE",
         b"Trailer", b"X", b"X" * 200, b"", b"X-Forwarded-For", b"Forwarded", b"Idempotency-Key", b"If-Match", b"Origin", b"Range", b"X\x00Y", b"X\xe9"]
SPLICES = [b"\x00", b"\r", b"\n", b"\r\n", b"\n\n", b"\r\r\n", b"\r\n\r\n", b" ", b"\t", b":", b"\r\n ", b"\r\n\t", b"\x0b", b"\x7f", b"\xff", b"%00",
           b"%zz", b"?", b"#", b"//", b"/../", b"\\", b";", b"0\r\n\r\n", b"A" * 9_000, b"A" * 40_000, b"&a" * 300, b"HTTP/1.1", b"HTTP/1.0"]
METHODS = [b"GET", b"HEAD", b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS", b"TRACE", b"CONNECT", b"get", b"FOO", b"PRI", b""]


class Case:
    """One connection's bytes, which depend only on the seed and its number."""

    def __init__(self, seed, number, origin, tag):
        self.number = number
        self.random = random.Random(f"{seed}:{number}")
        self.is_admin = self.random.random() < 0.5
        self.port = origin.admin if self.is_admin else origin.feeds
        # What differs between starts of the server is put in at the end, so that no random choice depends on it.
        self.token, self.tag = b"@" * len(origin.reader), b"~" * len(tag)
        self.is_mutated = self.random.random() < 0.8
        if self.random.random() < 0.03:
            self.is_mutated = True
            self.bytes = self.random.randbytes(self.random.randrange(1, 4_000))
        else:
            self.bytes = b"".join(self.request() for _ in range(self.random.choice([1, 1, 2, 3, 6, 20])))
            if self.is_mutated:
                for _ in range(self.random.choice([1, 1, 1, 2, 3, 6])):
                    self.bytes = self.mutated(self.bytes)
                if self.random.random() < 0.6:
                    self.bytes += self.marker()
        for stand_in, real in ((self.token, origin.reader.encode()), (self.tag, tag), (HOST.encode(), f"127.0.0.1:{self.port}".encode())):
            self.bytes = self.bytes.replace(stand_in, real)
        self.ending = self.random.choice(["half closed", "half closed", "half closed", "open", "open", "left", "reset"])

    def marker(self):
        return f"GET {MARKER} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode()

    def request(self):
        """A valid request."""
        draw = self.random
        fields = [f"Host: {HOST}".encode()]
        kinds = ["poll", "poll", "known", "head", "missing", "options", "marker"]
        if self.is_admin:
            kinds += ["list", "body", "chunks", "refused"] * 2
        kind = draw.choice(kinds)
        method, target, body = b"GET", FEED.encode(), b""
        if kind == "known":
            fields.append(b"If-None-Match: " + draw.choice([self.tag, b'"other"', b"*", b'W/' + self.tag, b'"a", ' + self.tag]))
        elif kind == "head":
            method = b"HEAD"
        elif kind == "missing":
            target = draw.choice([b"/feeds/none/ios/gate.json", b"/nothing", b"/feeds/shop/launchgate.json?a=b&c", b"/feeds/shop/%6caunchgate.json"])
        elif kind == "options":
            method, target = b"OPTIONS", draw.choice([b"*", FEED.encode()])
        elif kind == "marker":
            return self.marker()
        elif kind == "list":
            target = draw.choice([b"/api/v1/apps", b"/api/v1/status", b"/healthz/ready", b"/api/v1/changes?limit=2", b"/api/v1/nothing"])
            fields.append(b"Authorization: Bearer " + (self.token if draw.random() < 0.8 else b"x"))
        elif kind in ("body", "chunks", "refused"):
            method, target = b"POST", draw.choice([b"/api/v1/changes?dryRun=true", b"/api/v1/apps", b"/api/v1/session", b"/api/v1/changes"])
            # A marker in the body: a server that ends the body too early would answer it.
            body = draw.choice([b"{}", b'{"key":"a"}', self.marker(), b"0\r\n\r\n" + self.marker(), b"[" * draw.randrange(1, 400), bytes(draw.randrange(0, 3_000))])
            fields.append(b"Content-Type: application/json")
            # This token may only read, so that no random request becomes a change.
            if kind != "refused":
                fields.append(b"Authorization: Bearer " + self.token)
            if kind == "chunks":
                fields.append(b"Transfer-Encoding: chunked")
                body = self.chunked(body)
            else:
                fields.append(b"Content-Length: %d" % len(body))
        for _ in range(draw.choice([0, 0, 1, 4, 12])):
            fields.append(b"X-%d:%s%s" % (draw.randrange(99), b" " * draw.randrange(3), b"v" * draw.randrange(60)))
        draw.shuffle(fields)
        return b"%s %s HTTP/1.1\r\n%s\r\n\r\n%s" % (method, target, b"\r\n".join(fields), body)

    def chunked(self, body):
        out = b""
        while body:
            count = self.random.randrange(1, min(len(body), 500) + 1)
            extension = self.random.choice([b"", b"", b";a", b';a="b"'])
            out += b"%x%s\r\n%s\r\n" % (count, extension, body[:count])
            body = body[count:]
        return out + b"0\r\n" + self.random.choice([b"", b"", b"X: y\r\n"]) + b"\r\n"

    def mutated(self, text):
        draw = self.random
        place = draw.randrange(len(text) + 1)
        way = draw.randrange(12)
        lines = text.split(b"\r\n")
        if way == 0:
            return text[:place] + bytes([draw.randrange(256)]) + text[place + 1:]
        if way == 1:
            return text[:place] + draw.choice(SPLICES) + text[place:]
        if way == 2:
            return text[:place] + text[place + draw.choice([1, 1, 2, 5, 40]):]
        if way == 3:
            end = min(len(text), place + draw.randrange(1, 200))
            return text[:end] + text[place:end] * draw.choice([1, 1, 2, 20]) + text[end:]
        if way == 4:
            return text[:place]
        if way in (5, 6):
            lines.insert(draw.randrange(len(lines)), draw.choice(NAMES) + draw.choice([b": ", b":", b" : ", b"\t:", b":\t ", b""]) + draw.choice(VALUES))
            return b"\r\n".join(lines)
        if way == 7:
            first, second = draw.randrange(len(lines)), draw.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            return b"\r\n".join(lines)
        if way == 8:
            line = draw.randrange(len(lines))
            name, colon, _ = lines[line].partition(b":")
            lines[line] = name + (colon or b":") + b" " + draw.choice(VALUES)
            return b"\r\n".join(lines)
        if way == 9:
            return draw.choice(METHODS) + text[text.find(b" "):]
        if way == 10:
            return text.replace(b"HTTP/1.1", draw.choice([b"HTTP/1.0", b"HTTP/1.2", b"HTTP/2.0", b"HTTP/0.9", b"HTTP/1.1 ", b"http/1.1", b"HTTP/9", b"HTTP/11", b""]), 1)
        at = text.find(b"\r\n", place)
        return text if at < 0 else text[:at] + draw.choice([b"\n", b"\r", b"\n\r", b"\r\r\n", b" \r\n"]) + text[at + 2:]

    def pieces(self):
        """The bytes as they are sent: at once, in a few pieces, or nearly one by one."""
        text, way = self.bytes, self.random.randrange(4)
        if way < 2 or not text:
            return [text]
        longest = max(2, len(text) // 4) if way == 2 else max(1, len(text) // 300)
        out = []
        while text:
            count = self.random.randrange(1, longest + 1)
            out.append(text[:count])
            text = text[count:]
        return out


class Told:
    """What came back on one connection."""

    def __init__(self, case):
        self.asked = wire.requests(case.bytes)
        self.bytes, self.has_ended, self.was_reset = b"", False, False

    def read(self, socket, seconds):
        """Reads everything until the end, or until nothing came for so many seconds."""
        while not self.has_ended:
            if not select.select([socket], [], [], seconds)[0]:
                return
            try:
                more = socket.recv(65_536)
            except ConnectionError:
                self.was_reset = self.has_ended = True
                return
            self.bytes += more
            self.has_ended = not more

    @property
    def is_complete(self):
        """Whether nothing more is expected: all complete requests were answered, and nothing closes the connection."""
        if self.has_ended:
            return True
        try:
            answers, _ = wire.answers(self.bytes, self.asked)
        except wire.Malformed:
            return True
        if self.asked and self.asked[-1].end == "refused" or any(answer.closes for answer in answers):
            return False
        return all(answer.is_whole for answer in answers) and len(answers) >= sum(request.end == "whole" for request in self.asked)

    def settle(self, socket):
        """Reads until it is complete and then for a quiet moment: a second answer would come at once."""
        begun = time.monotonic()
        self.read(socket, 0.1)
        while not self.is_complete and time.monotonic() - begun < PATIENCE:
            self.read(socket, 0.2)


def talk(case):
    """Sends the case and returns what came back; None if this side did not listen to the end."""
    told = Told(case)
    with socket.create_connection(("127.0.0.1", case.port), timeout=PATIENCE) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            for piece in case.pieces():
                connection.sendall(piece)
                # Reads what has come back, so that neither side blocks the other.
                told.read(connection, case.random.choice([0, 0, 0, 0.002]))
                if told.has_ended:
                    break
            if case.ending == "reset":
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
                return None
            if case.ending == "left":
                return None
            if case.ending == "half closed" and not told.has_ended:
                connection.shutdown(socket.SHUT_WR)
        except TimeoutError:
            raise
        except OSError:
            # Cut while this side was still sending: earlier answers can still be read, or are lost with the reset.
            told.was_reset = True
        told.settle(connection)
    return told


def judge(case, told, bodies):
    """What is wrong with it; "" for nothing."""
    asked = told.asked
    try:
        answers, behind = wire.answers(told.bytes, asked)
    except wire.Malformed as error:
        return f"not HTTP: {error}"
    case.answers = answers
    if any(answer.closes for answer in answers) and not told.has_ended:
        return "an answer said that the connection closes, and it is open"
    if any(not answer.is_whole for answer in answers) and not told.was_reset:
        return "an answer is cut"
    if behind and any(answer.closes for answer in answers):
        is_head = len(answers) <= len(asked) and asked[len(answers) - 1].method == b"HEAD"
        # libmicrohttpd does not know the method of a line that is too long for it: the refusal of a HEAD has its body then.
        is_body = is_head and answers[-1].status >= 400 and len(behind) == int(answers[-1].fields[b"content-length"])
        # And 0.9.75 refuses a length that is not a number with the answer's head sent twice; the connection closes (its notes say so).
        twice = re.search(rb"(HTTP/1\.1 4(?:00|13) (?:[^\r]+\r\n)+Content-Length: ([0-9]+)\r\n\r\n)\1(.*)\Z", told.bytes, re.DOTALL)
        is_twice = twice and len(twice[3]) == (0 if is_head else int(twice[2])) and b"content-length" in case.bytes.lower()
        if not is_body and not is_twice:
            return f"{len(behind)} bytes behind an answer that closes"
    if len(answers) > len(asked):
        return f"{len(answers)} answers to {len(asked)} requests"
    for request, answer in zip(asked, answers):
        if answer.status >= 500 and answer.status not in (501, 505):
            return f"{answer.status} to {request}"
        if request.is_chunked and not answer.closes:
            return f"a connection goes on behind chunks: {request}"
        if request.end != "whole" and answer.status < 400 and not (request.end == "cut" and request.why in ("body", "chunks")):
            return f"{answer.status} to what is not to be trusted: {request}"
        if answer.body == bodies[MARKER] and request.target.partition(b"?")[0] not in (MARKER.encode(), f"http://127.0.0.1:{case.port}{MARKER}".encode()):
            return f"a marker that nobody asked for, to {request}"
        if answer.status == 200 and request.method == b"GET" and request.target == FEED.encode() and answer.body != bodies[FEED]:
            return f"another feed than there is: {answer.body[:80]!r}"
    whole = sum(request.end == "whole" for request in asked)
    if len(answers) < whole and not told.was_reset and not any(answer.closes for answer in answers):
        return f"{len(answers)} answers to {whole} whole requests"
    if not case.is_mutated:
        odd = [answer for request, answer in zip(asked, answers) if answer.status in (400, 431, 501, 505) and request.method != b"POST"]
        if odd:
            return "a sound request is refused"
    return ""


class Poller(threading.Thread):
    """The good client: a phone on a kept connection, one on a new connection each time, and an administrator's page."""

    def __init__(self, origin, bodies):
        super().__init__(daemon=True)
        self.origin, self.bodies, self.is_over = origin, bodies, threading.Event()
        self.count, self.slowest, self.wrong = 0, 0, []

    def run(self):
        kept = http.client.HTTPConnection("127.0.0.1", self.origin.feeds, timeout=10)
        while not self.is_over.wait(0.02):
            begun = time.monotonic()
            try:
                kept.request("GET", FEED)
                answer = kept.getresponse()
                seen = [(answer.status, answer.read() == self.bodies[FEED])]
                if answer.headers.get("Connection") == "close":
                    kept.close()
                status, _, body = get(self.origin.feeds)
                seen.append((status, body == self.bodies[FEED]))
                status, _, body = get(self.origin.admin, "/healthz/ready")
                seen.append((status, body.strip() == b'{"state":"ok"}' or b'"ok"' in body))
            except OSError as error:
                seen = [repr(error)]
                kept.close()
            except http.client.HTTPException as error:
                seen = [repr(error)]
                kept.close()
            self.count += 3
            self.slowest = max(self.slowest, time.monotonic() - begun)
            self.wrong += [one for one in seen if one != (200, True)]


def resident(pid):
    """KiB."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def show(case, told, wrong):
    print(f"     case {case.number}: {wrong}\n       to {'admin' if case.is_admin else 'feeds'}, {case.ending}{'' if case.is_mutated else ', not mutated'}")
    print(f"       sent {case.bytes[:3_000]!r}{f' … {len(case.bytes)} bytes' if len(case.bytes) > 3_000 else ''}")
    print(f"       which is {told.asked}")
    print(f"       told {re.findall(rb'HTTP/1[.]1 ([0-9]+)', told.bytes)}, and in the end {told.bytes[-500:]!r}", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="Tests/Edge/run raw")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--only", type=int, help="the number of one case")
    given = parser.parse_args()
    print(f"== raw, seed {given.seed}", flush=True)

    origin = Origin("raw")
    origin.reader = origin.call("POST", "/tokens", {"name": "raw", "role": "viewer"})["token"]
    origin.say("Back at nine.")
    origin.call("POST", "/apps", {"key": "marker", "name": "Marker"})
    origin.call("PUT", "/apps/marker/platforms/ios", {})
    target = origin.call("GET", "/targets/marker/ios")
    origin.call("POST", "/changes", {"targets": [{"app": "marker", "platform": "ios", "revision": target["revision"]}], "set": {"killSwitch": {"message": MARK.decode()}}})
    assert wait(lambda: MARK in get(origin.feeds, MARKER)[2], 5) is not None
    bodies = {path: get(origin.feeds, path)[2] for path in (FEED, MARKER)}
    tag = get(origin.feeds)[1]["ETag"].encode()

    if given.only is not None:
        case = Case(given.seed, given.only, origin, tag)
        told = talk(case)
        if told is None:
            return print(f"{case.bytes!r}\nnothing is read: {case.ending}")
        return show(case, told, judge(case, told, bodies) or "nothing wrong")

    pid = origin.process.pid
    poller = Poller(origin, bodies)
    poller.start()
    lock, state = threading.Lock(), {"next": 0, "judged": 0, "answers": {}, "wrong": []}
    begun = time.monotonic()
    resting = threading.Event()

    def work(until):
        while time.monotonic() < until and origin.process.poll() is None and len(state["wrong"]) < 20:
            with lock:
                number = state["next"]
                state["next"] += 1
            case = Case(given.seed, number, origin, tag)
            try:
                told = talk(case)
            except OSError as error:
                with lock:
                    state["wrong"].append(f"case {number}: {error!r}")
                continue
            if told is None:
                continue
            wrong = judge(case, told, bodies)
            with lock:
                state["judged"] += 1
                for answer in getattr(case, "answers", []):
                    state["answers"][answer.status] = state["answers"].get(answer.status, 0) + 1
                if wrong:
                    state["wrong"].append(f"case {number}: {wrong}")
                    show(case, told, wrong)

    def spell(seconds):
        until = time.monotonic() + seconds
        threads = [threading.Thread(target=work, args=(until,)) for _ in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def rest():
        """Waits until the callers who left are gone; returns descriptors and memory then."""
        wait(lambda: descriptors(pid) <= known, IDLE + 10)
        return descriptors(pid), resident(pid)

    known = descriptors(pid) + 2
    spell(max(5, given.seconds * 0.2))
    warm = rest()
    spell(given.seconds * 0.8)
    spent = time.monotonic() - begun
    after = rest()
    poller.is_over.set()
    poller.join()

    check("the server lives", origin.process.poll() is None, f"{state['next']:,} connections in {spent:.0f} s")
    told = ", ".join(f"{status}: {count:,}" for status, count in sorted(state["answers"].items()))
    check("every answer is one, to what was asked, and nothing more", not state["wrong"], f"{state['judged']:,} connections judged; {told}")
    check("and the fuzz reaches both sides of the line", {200, 304, 400, 405}.issubset(state["answers"]), "")
    check("the good client's polls are all right", not poller.wrong and poller.count > 0, f"{poller.count:,}, the slowest three {poller.slowest:.2f} s {poller.wrong[:5] or ''}")
    check("descriptors return", after[0] <= known, f"{known - 2} before, {after[0]} after")
    check("and memory", after[1] <= warm[1] * 1.1 + 2_048, f"{warm[1] / 1024:.1f} MiB after a fifth, {after[1] / 1024:.1f} MiB in the end")
    origin.process.terminate()
    check("and it ends in order", origin.process.wait(20) == 0)
    requirements.keep("Tests/Edge/run raw", [[f"{given.seconds:.0f} s, seed {given.seed}: {lines[0][0]}", *lines[0][1:]], *lines[1:]])
    requirements.write()
    print(f"{len(failures)} failed, seed {given.seed}" if failures else f"All shown, seed {given.seed}.")
    raise SystemExit(1 if failures else 0)


main()
