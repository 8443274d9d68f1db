"""What bytes on a connection mean to a strict reader of HTTP/1.1 (RFC 9112), and what the bytes that come back are.

Written from the RFC and not from what the server does: where the two differ, one of them is wrong.
"""
import re

TOKEN = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+\Z")
HOST = re.compile(rb"[0-9A-Za-z._~!$&'()*+;=:\[\]%-]+\Z")
METHODS = {b"GET", b"HEAD", b"POST", b"PUT", b"PATCH", b"DELETE", b"OPTIONS"}


class Request:
    """One request as a strict reader finds it.

    end: "whole"; "cut", where the bytes end before it does; "refused", where nothing behind it on the connection can be trusted.
    """

    def __init__(self, method, target, end, why="", has_body=False, is_chunked=False):
        self.method, self.target, self.end, self.why, self.has_body, self.is_chunked = method, target, end, why, has_body, is_chunked

    def __repr__(self):
        return f"{self.method.decode('latin-1')[:12]} {self.target.decode('latin-1')[:40]} {self.end}{' ' + self.why if self.why else ''}"


def requests(stream):
    """The requests that a strict reader finds in it; a refused or cut one is the last."""
    found, at = [], 0
    while True:
        # Empty lines before a request are skipped, and a lone LF there may count as one (section 2.2), since it is outside any request.
        # libmicrohttpd 0.9.75 also skips a line that begins with NUL (its notes say so).
        while (line := re.compile(rb"\r?\n|\x00[^\n]*\n").match(stream, at)):
            at = line.end()
        if at >= len(stream) or stream[at:] == b"\r":
            return found
        request, at = one(stream, at)
        found.append(request)
        if request.end != "whole":
            return found


def one(stream, begin):
    end = stream.find(b"\r\n\r\n", begin)
    head = stream[begin:end if end >= 0 else len(stream)]
    lines = head.split(b"\r\n")
    words = lines[0].split(b" ")
    method, target = words[0], words[1] if len(words) > 1 else b""
    why = fault(lines, words, method, target)
    if end < 0:
        # What is already wrong may be refused at once, or only after the rest has come.
        return Request(method, target, "cut", why), len(stream)
    if why:
        return Request(method, target, "refused", why), len(stream)
    fields = [(name.lower(), value.strip(b" \t")) for name, _, value in (line.partition(b":") for line in lines[1:])]
    lengths = [value for name, value in fields if name == b"content-length"]
    codings = [value for name, value in fields if name == b"transfer-encoding"]
    at = end + 4
    if codings:
        at, state = chunks(stream, at)
        return Request(method, target, state, "" if state == "whole" else "chunks", True, True), at
    length = int(lengths[0]) if lengths else 0
    whole = len(stream) - at >= length
    return Request(method, target, "whole" if whole else "cut", "" if whole else "body", length > 0), at + length


def fault(lines, words, method, target):
    """What is wrong with the request line and the fields; "" for nothing."""
    if len(words) != 3 or not TOKEN.match(method):
        return "request line"
    # A higher minor version is read as the known one (section 2.3).
    if not re.fullmatch(rb"HTTP/1\.[0-9]", words[2]):
        return "version"
    if method not in METHODS:
        return "method"
    if any(byte <= 0x20 or byte == 0x7F for byte in target) or not target:
        return "target"
    hosts, lengths, codings = [], [], []
    for line in lines[1:]:
        name, colon, value = line.partition(b":")
        value = value.strip(b" \t")
        if not colon or not TOKEN.match(name):
            return "field name"
        # Other control characters may be kept or refused (RFC 9110 section 5.5): nobody takes them for an end of line.
        if any(byte in value for byte in b"\x00\r\n"):
            return "field value"
        {b"host": hosts, b"content-length": lengths, b"transfer-encoding": codings}.get(name.lower(), []).append(value)
    if len(hosts) > 1 or (not hosts and words[2] != b"HTTP/1.0") or any(not HOST.match(host) for host in hosts):
        return "host"
    if lengths and codings:
        return "length and coding"
    if len(lengths) > 1 or any(not re.fullmatch(rb"[0-9]{1,18}", length) for length in lengths):
        return "length"
    if codings and (words[2] == b"HTTP/1.0" or [coding.lower() for coding in codings] != [b"chunked"]):
        return "coding"
    return ""


def chunks(stream, at):
    """Where a chunked body ends, and whether it is whole, cut or refused."""
    while True:
        end = line_end(stream, at)
        if end is None:
            return len(stream), "cut"
        size = re.fullmatch(rb"([0-9A-Fa-f]{1,15})[ \t]*(;[^\x00]*)?", stream[at:end[0]])
        if not size:
            return len(stream), "refused"
        count, at = int(size[1], 16), end[1]
        if count == 0:
            break
        if len(stream) < at + count + 1:
            return len(stream), "cut"
        at += count
        end = line_end(stream, at)
        if end is None:
            return len(stream), "cut"
        if end[0] != at:
            return len(stream), "refused"
        at = end[1]
    is_first = True
    while True:
        end = line_end(stream, at)
        if end is None:
            return len(stream), "cut"
        line, at = stream[at:end[0]], end[1]
        # libmicrohttpd 0.9.75 takes the last two for an empty line as well (its notes say so).
        if not line or line.startswith(b"\x00") or (line.startswith(b":") and not is_first):
            return at, "whole"
        is_first = False


def line_end(stream, at):
    """The positions of the line's end and of what follows it. Between chunks a lone LF ends a line, for libmicrohttpd 0.9.75 too (its notes
    say so)."""
    end = stream.find(b"\n", at)
    if end < 0:
        return None
    return (end - 1 if end > at and stream[end - 1] == 13 else end), end + 1


class Answer:
    def __init__(self, status, fields, body, is_whole):
        self.status, self.fields, self.body, self.is_whole = status, fields, body, is_whole

    @property
    def closes(self):
        return self.fields.get(b"connection", b"").lower() == b"close"

    def __repr__(self):
        return f"{self.status}{' closes' if self.closes else ''}{'' if self.is_whole else ' CUT'}"


class Malformed(Exception):
    pass


def answers(stream, asked):
    """The answers to these requests, up to one that closes, and the bytes after them.

    Raises Malformed."""
    found, at = [], 0
    while True:
        one, end = answer(stream, at, asked[len(found)].method if len(found) < len(asked) else b"")
        if one is None:
            return found, stream[at:]
        found.append(one)
        at = end
        if one.closes or not one.is_whole:
            return found, stream[at:]


STATUS_LINE = re.compile(rb"HTTP/1\.[01] ([1-5][0-9][0-9]) [\t -~]*\Z")


def answer(stream, at, method):
    """The final answer that begins there, and where it ends; None if nothing is left."""
    while True:
        if at >= len(stream):
            return None, at
        end = stream.find(b"\r\n\r\n", at)
        if end < 0:
            if not b"HTTP/1.1 ".startswith(stream[at:at + 9]) and not stream.startswith(b"HTTP/1.", at):
                raise Malformed(f"no answer begins with {stream[at:at + 40]!r}")
            return Answer(0, {}, b"", False), len(stream)
        lines = stream[at:end].split(b"\r\n")
        status = STATUS_LINE.match(lines[0])
        if not status:
            raise Malformed(f"no status line: {lines[0][:80]!r}")
        fields = {}
        for line in lines[1:]:
            name, colon, value = line.partition(b":")
            if not colon or not TOKEN.match(name) or any(byte < 0x20 and byte != 9 or byte == 0x7F for byte in value):
                raise Malformed(f"no field: {line[:80]!r}")
            if name.lower() in (b"content-length", b"transfer-encoding") and name.lower() in fields:
                raise Malformed(f"{name.decode()} twice")
            fields[name.lower()] = value.strip(b" \t")
        at, status = end + 4, int(status[1])
        if status >= 200:
            break
        if status != 100:
            raise Malformed(f"{status} in between")
    if method == b"HEAD" or status in (204, 304):
        return Answer(status, fields, b"", True), at
    if fields.get(b"transfer-encoding", b"").lower() == b"chunked":
        end, state = chunks(stream, at)
        if state == "refused":
            raise Malformed("chunks")
        return Answer(status, fields, stream[at:end], state == "whole"), end
    if not re.fullmatch(rb"[0-9]+", fields.get(b"content-length", b"")):
        raise Malformed(f"{status} without a length: {fields}")
    length = int(fields[b"content-length"])
    return Answer(status, fields, stream[at:at + length], len(stream) >= at + length), min(at + length, len(stream))
