"""R46: recognisable secrets are put into every place that takes one, and into places that do not; then everything that came out is searched
for them: answers, logs, audit, metrics, history, files, the list of processes, and what gatectl prints and keeps."""
import base64
import hashlib
import hmac
import json
import re
import secrets
import sqlite3
import time
import urllib.parse

from house import House, Processes


def one_time_code(secret, step):
    """RFC 6238, as an authenticator computes it."""
    digest = hmac.new(base64.b32decode(secret + "=" * (-len(secret) % 8)), step.to_bytes(8, "big"), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(int.from_bytes(digest[start:start + 4], 'big') & 0x7FFFFFFF) % 1_000_000:06}"


def malformed(secret):
    """A secret in bodies that cannot be read, each with its content type."""
    text = secret.encode()
    return [
        ("application/json", b'{"username":"ann","password":"' + text + b'"'), ("application/json", b'{"username":"ann","password":"' + text),
        ("application/json", b'{"username":"ann","password":' + text + b"}"), ("application/json", b'{"username":"ann","password":["' + text + b'"]}'),
        ("application/json", b'{"username":"ann","password":"' + text + b'","password":"' + text + b'"}'), ("application/json", b'["' + text + b'"]'),
        ("application/json", b'"' + text + b'"'), ("application/json", text), ("application/json", b'{"username":"ann","password":"' + text + b'\xff"}'),
        ("application/json", b'{"username":"ann","password":"' + text + b'","totp":5}'), ("application/json", b'{"username":"ann","password":"' + text + b'","remember":"' + text + b'"}'),
        ("application/json", b'{"username":"ann","pasword":"' + text + b'"}'), ("application/json", b'{"username":{"a":"' + text + b'"},"password":"x"}'),
        ("text/plain", b'{"username":"ann","password":"' + text + b'"}'), ("application/x-www-form-urlencoded", b"username=ann&password=" + text.replace(b" ", b"+")),
        ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="password"\r\n\r\n' + text + b"\r\n--b--\r\n"),
        ("application/json", b'{"username":"ann","password":"' + text * 12_000 + b'"}'),
    ]


def people(house):
    """The first administrator, signing in and what goes wrong with it."""
    canaries = house.canaries
    ready = house.start()
    code = canaries.keep("setup code", re.search(r"#/setup/(.+)$", ready["setup"]).group(1))
    password, wrong = canaries.new("password"), canaries.new("wrong password")
    for body in ({"code": code, "username": "ann", "password": "short"}, {"code": code, "username": password, "password": password}, {"code": wrong, "username": "ann", "password": password}, {"code": code, "password": password}):
        house.api("POST", "/setup", body)
    house.api("GET", f"/setup?code={code}")
    house.ask("GET", f"/setup/{code}")
    assert house.api("POST", "/setup", {"code": code, "username": "ann", "password": password})[0] == 201
    house.api("POST", "/setup", {"code": code, "username": "bob", "password": password})
    sign_in = lambda name, password, **more: house.api("POST", "/session", {"username": name, "password": password} | more)
    session = house.session(sign_in("ann", password), "of the first sign-in")
    house.api("GET", "/session", session=session, shows={"csrf of the first sign-in"})
    # The password in place of the name, and the like.
    for name, given in (("ann", wrong), (password, "ann"), (wrong, wrong), (password, password)):
        sign_in(name, given)
    for kind, body in malformed(password):
        house.ask("POST", "/api/v1/session", body, {"Content-Type": kind})
        house.ask("POST", "/api/v1/setup", body, {"Content-Type": kind})
    for path in ("/users", "/account/password", "/session/reauthenticate", "/tokens", "/account/totp/confirm", "/changes"):
        for kind, body in malformed(wrong):
            house.ask("POST", "/api/v1" + path, body, {"Content-Type": kind, "Cookie": f"gh_session={session['cookie']}", "X-Gatehouse-CSRF": session["csrf"]})
    return password, wrong, session


def credentials(house, token, session, password):
    """Secrets in headers and addresses where they do not belong."""
    cookie, csrf = session["cookie"], session["csrf"]
    for headers in (
        {"Authorization": token}, {"Authorization": "Basic " + base64.b64encode(f"ann:{password}".encode()).decode()}, {"Authorization": f"Bearer {token}x"}, {"Authorization": f"Bearer  {token} "},
        {"Authorization": f"Bearer {token}", "Cookie": f"gh_session={cookie}"}, {"Cookie": f"gh_session={cookie}; gh_session={cookie}"}, {"Cookie": f"session={cookie}"}, {"Cookie": f"gh_session={csrf}"},
        {"X-Gatehouse-CSRF": csrf}, {"X-Api-Key": token}, {"Authorization": f"Bearer {cookie}"},
    ):
        house.ask("GET", "/api/v1/targets", headers=headers)
        house.ask("POST", "/api/v1/changes", {"targets": []}, headers)
    for path in (
        f"/api/v1/targets?token={token}", f"/api/v1/changes?cursor={token}", f"/api/v1/changes?app={token}", f"/api/v1/audit?since={token}", f"/api/v1/targets/{token}/ios", f"/api/v1/changes/{token}",
        f"/api/v1/windows/{cookie}", f"/{token}", f"/feeds/{token}/launchgate.json", f"/feeds/shop/launchgate.json?token={token}", f"/api/v1/{token}", f"/api/v1/users/{cookie}",
    ):
        house.ask("GET", path, headers={"Authorization": f"Bearer {token}"})
        house.ask("GET", path)
        house.ask("DELETE", path)
        house.ask("GET", path, port=house.feeds)
        house.ask("POST", path, {"token": token}, port=house.feeds)
    # People paste the whole token where its identifier is wanted.
    house.api("DELETE", f"/tokens/{token}", session=session)
    for body in ({"app": token, "document": token}, {"targets": [{"app": token, "platform": token, "revision": 1}], "set": {}}, {"targets": [{"app": "shop", "platform": "ios", "revision": token}], "set": {}}):
        house.api("POST", "/changes" if "targets" in body else "/import", body, token=token)
    for path, body in (("/apply", {"document": token}), ("/apply", {"document": {"apps": token}}), ("/simulate", {"app": token, "platform": token, "version": token})):
        house.api("POST", path, body, token=token)
    bearer = f"Authorization: Bearer {token}\r\nCookie: gh_session={cookie}\r\n"
    host = "Host: localhost\r\n"
    requests = {
        "a blank before the colon": f"GET /api/v1/status HTTP/1.1\r\n{host}Authorization : Bearer {token}\r\n\r\n", "folded": f"GET /a HTTP/1.1\r\n{host}Authorization: Bearer\r\n {token}\r\n\r\n",
        "NUL": f"GET /a HTTP/1.1\r\n{host}Authorization: Bearer {token}\0\r\n\r\n", "no colon": f"GET /a HTTP/1.1\r\n{host}{token}\r\n\r\n", "LF": f"GET /a HTTP/1.1\n{host}{bearer}\n\n",
        "two hosts": f"GET /a HTTP/1.1\r\n{host}{host}{bearer}\r\n", "no host": f"GET /a HTTP/1.1\r\n{bearer}\r\n", "a token for a host": f"GET /a HTTP/1.1\r\nHost: {token}\r\n\r\n",
        "a token for a method": f"{token} /a HTTP/1.1\r\n{host}\r\n", "a token for a target": f"GET {token} HTTP/1.1\r\n{host}\r\n", "a token for a version": f"GET /a {token}\r\n{host}\r\n", "a token alone": f"{token}\r\n\r\n",
        "a password in the target": f"GET http://ann:{urllib.parse.quote(password)}@t/ HTTP/1.1\r\n{host}\r\n", "a bad escape": f"GET /{token}%zz HTTP/1.1\r\n{host}{bearer}\r\n",
        "CL and TE": f"POST /api/v1/session HTTP/1.1\r\n{host}{bearer}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n{password}",
        "a bad chunk": f"POST /api/v1/session HTTP/1.1\r\n{host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{password}\r\n",
        "a body cut short": f'POST /api/v1/session HTTP/1.1\r\n{host}Content-Type: application/json\r\nContent-Length: 500\r\n\r\n{{"username":"ann","password":"{password}',
        "a long header": f"GET /a HTTP/1.1\r\n{host}" + f"X: {token}\r\n" * 500 + "\r\n", "a long target": f"GET /{token * 500} HTTP/1.1\r\n{host}\r\n", "a length of a token": f"POST /a HTTP/1.1\r\n{host}Content-Length: {token}\r\n\r\n",
        "a bad length": f"POST /a HTTP/1.1\r\n{host}{bearer}Content-Length: +5\r\n\r\n{password}",
    }
    for name, request in requests.items():
        for port in (house.admin, house.feeds):
            house.raw(name, request.encode(), port)


def account(house, password, wrong, session):
    """Changes passwords, sets a second factor and makes tokens; keeps the secrets that result."""
    canaries = house.canaries
    for body in ({"password": wrong}, {"password": 123454321678}, {"password": password, "totp": 271828}, {"pasword": password}, {"password": password, "code": wrong}):
        house.api("POST", "/session/reauthenticate", body, session=session)
    canaries.keep("a password of digits", "123454321678")
    canaries.keep("a code as a number", "271828")
    session = house.session(house.api("POST", "/session/reauthenticate", {"password": password}, session=session), "of the fresh sign-in")
    new, bob = canaries.new("new password"), canaries.new("password of somebody else")
    for body in (
        {"currentPassword": wrong, "newPassword": new}, {"currentPassword": password, "newPassword": "ann"}, {"currentPassword": password, "newPassword": new + "x" * 128}, {"currentPassword": password},
        {"currentPassword": password, "newPassword": new, "again": new}, {"current": password, "new": new},
    ):
        house.api("POST", "/account/password", body, session=session)
    for body in (
        {"username": "bob", "role": bob, "password": bob}, {"username": bob, "role": "viewer", "password": bob}, {"username": "bob", "role": "viewer", "apps": bob, "password": bob},
        {"username": "ann", "role": "viewer", "password": bob}, {"username": "bob", "role": "viewer", "password": bob * 4}, {"username": "bob", "role": "viewer", "password": 987656789123}, {"username": "bob", "role": "viewer", "password": bob},
    ):
        house.api("POST", "/users", body, session=session)
    canaries.keep("another password of digits", "987656789123")
    for name, path, body in (("first invitation", "/users", {"username": "ines", "role": "viewer"}), ("invitation", "/users/ines/invitation", {})):
        _, _, made = house.api("POST", path, body, session=session)
        link = canaries.keep(name, made["invitation"]["token"])
        house.shown(name)
    chosen = canaries.new("password of an invitation")
    for body in (
        {"invitation": canaries.texts["first invitation"], "password": chosen}, {"invitation": chosen, "password": link}, {"invitation": link, "password": "short"}, {"invitation": link, "password": 314159265358},
        {"invitation": link}, {"invitation": [link], "password": chosen}, {"token": link, "password": chosen}, {"invitation": link, "password": chosen, "totp": 1},
    ):
        house.api("POST", "/invitations", body)
    house.api("GET", f"/invitations?invitation={link}")
    house.ask("GET", f"/invitation/{link}")
    house.session(house.api("POST", "/invitations", {"invitation": link, "password": chosen}), "of the invited")
    house.api("POST", "/invitations", {"invitation": link, "password": chosen})
    house.api("PATCH", "/users/bob", {"password": "short", "role": bob}, session=session)
    house.api("PATCH", "/users/bob", {"password": canaries.new("second password of somebody else")}, session=session)
    session = house.session(house.api("POST", "/account/password", {"currentPassword": password, "newPassword": new}, session=session), "of the new password")

    _, _, made = house.api("POST", "/account/totp", session=session)
    secret = canaries.keep("TOTP secret", made["secret"])
    house.shown("TOTP secret")
    step = int(time.time()) // 30
    codes = [canaries.keep(f"TOTP code {number}", one_time_code(secret, step + number)) for number in (0, 1)]
    for body in ({"code": secret}, {"code": int(codes[0])}, {"totp": codes[0]}, {"code": codes[0], "secret": secret}):
        house.api("POST", "/account/totp/confirm", body, session=session)
    status, _, recovery = house.api("POST", "/account/totp/confirm", {"code": codes[0]}, session=session)
    assert status == 200, recovery
    names = [f"recovery code {number}" for number in range(len(recovery["recoveryCodes"]))]
    for name, text in zip(names, recovery["recoveryCodes"]):
        canaries.keep(name, text)
    house.shown(*names)
    sign_in = lambda **more: house.api("POST", "/session", {"username": "ann", "password": new} | more)
    for more in ({}, {"totp": codes[0]}, {"totp": int(codes[1])}, {"code": codes[1]}):
        sign_in(**more)
    session = house.session(sign_in(totp=codes[1]), "of the code")
    session = house.session(sign_in(totp=recovery["recoveryCodes"][0]), "of the recovery code")
    sign_in(totp=recovery["recoveryCodes"][0])
    tokens = []
    for number in range(2):
        status, _, made = house.api("POST", "/tokens", {"name": f"token {number}", "role": "admin"}, session=session)
        assert status == 201, made
        tokens.append(canaries.keep(f"token {number}", made["token"]))
        canaries.keep(f"the secret part of token {number}", made["token"][len("gate_12345678_"):])
        house.shown(f"token {number}", f"the secret part of token {number}")
    return new, session, tokens, recovery["recoveryCodes"]


def work(house, token):
    """Requests that succeed, with a text that may be seen: the search must find that one."""
    visible = f"canary that may be seen {secrets.token_hex(8)}"
    assert house.api("POST", "/apps", {"key": "shop", "name": "Shop"}, token=token)[0] == 201
    assert house.api("PUT", "/apps/shop/platforms/ios", {}, token=token)[0] == 201
    body = {"targets": [{"app": "shop", "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": visible}}, "reason": visible}
    assert house.api("POST", "/changes", body, token=token, headers={"Idempotency-Key": "k"})[0] == 200
    house.api("POST", "/changes", body, token=token, headers={"Idempotency-Key": "k"})
    house.api("POST", "/changes", body, token=token)
    # Names that would look like more than one line in a log.
    for name in ('ann\r\n{"level":"info"}', "ann\x1b[31m", "ann\x00", "\u2028"):
        house.api("POST", "/session", {"username": name, "password": name}, headers={"User-Agent": "\x1b[2Jann"})
    return visible


def tools(house, token, password, recovery):
    """gatectl: with a token in its environment, on a terminal, wrong in every way."""
    home = house.folder / "home"
    home.mkdir()
    server = {"GATECTL_SERVER": f"http://127.0.0.1:{house.admin}"}
    signed_in = server | {"GATECTL_TOKEN": token}
    for words in (
        ["status"], ["auth", "status"], ["apps", "list"], ["history"], ["audit"], ["doctor"], ["context", "list"], ["feed", "shop/ios"], ["export"], ["simulate", "shop", "ios", "4.1.0"], ["kill", "shop/ios"], ["kill", "shop/android", "-m", "x"], ["open", "shop/ios", "--dry-run"], ["nonsense"],
    ):
        for options in ([], ["-v"], ["--json", "-v"]):
            house.gatectl(*words, *options, home=home, more=signed_in)
    for more in (
        server | {"GATECTL_TOKEN": token[:-1]}, server | {"GATECTL_TOKEN": token + "\n" + token}, server | {"GATECTL_TOKEN": f"Bearer {token}"}, {"GATECTL_SERVER": "http://127.0.0.1:1", "GATECTL_TOKEN": token, "GATECTL_TIMEOUT": "1s"},
        {"GATECTL_SERVER": f"http://ann:{urllib.parse.quote(password)}@127.0.0.1:{house.admin}", "GATECTL_TOKEN": token}, {"GATECTL_SERVER": "http://gate.invalid", "GATECTL_TOKEN": token},
    ):
        for words in (["status", "-v"], ["auth", "status", "-v"], ["doctor", "-v"], ["kill", "shop/ios", "-v"]):
            house.gatectl(*words, home=home, more=more)
    for given in (token, token + "x", password, ""):
        house.gatectl("auth", "login", "--with-token", "-v", home=home, input=given + "\n", more=server)
    stored = home / ".config" / "gatectl" / "credentials.json"
    assert token in stored.read_text() and stored.stat().st_mode & 0o077 == 0, "the token is kept for its owner alone"
    house.gatectl("status", "-v", home=home, more=server)
    wrong = house.canaries.new("password that is wrong on the terminal")
    house.gatectl_on_terminal("auth", "login", "-v", home=home, typed=[("Name:", "ann"), ("Password:", wrong)], more=server)
    # A code is echoed as it is typed, like the name.
    status, seen = house.gatectl_on_terminal("auth", "login", "-v", home=home, typed=[("Name:", "ann"), ("Password:", password), ("Code:", recovery)], more=server)
    assert status == 0, seen
    label, seen = house.said.pop()
    house.said.append((label, seen.replace(recovery.encode(), b"")))
    made = re.search(r"gate_[A-Za-z0-9_-]+", stored.read_text()).group(0)
    assert made != token
    house.canaries.keep("token made on the terminal", made)
    house.gatectl("auth", "status", "-v", home=home, more=server)
    house.gatectl("auth", "logout", "-v", home=home, more=server)
    assert not stored.exists() or made not in stored.read_text(), "a token that was given back is kept nowhere"


def run(folder):
    house = House(folder)
    canaries, processes = house.canaries, Processes()
    try:
        password, wrong, session = people(house)
        password, session, tokens, recovery = account(house, password, wrong, session)
        visible = work(house, tokens[0])
        credentials(house, tokens[0], session, password)
        tools(house, tokens[0], password, recovery[1])
        assert house.api("DELETE", f"/tokens/{tokens[1][5:13]}", session=session)[0] == 204
        revoked = time.monotonic()
        status = house.api("GET", "/status", token=tokens[1])[0]
        yield "a revoked token opens nothing, within a second", status == 401 and time.monotonic() - revoked < 1, str(status)
        for path in ("/audit", "/changes", "/users", "/tokens", "/apps", "/targets", "/windows", "/events?after=0", "/export"):
            cursor = ""
            while cursor is not None:
                _, _, page = house.api("GET", path + cursor, token=tokens[0])
                cursor = page.get("next") and f"?cursor={page['next']}"
        for path in ("/account", "/account/sessions"):
            house.api("GET", path, session=session)
        for path in ("/metrics", "/healthz/ready", "/healthz/live", "/openapi.json", "/"):
            house.ask("GET", path)
        house.ask("GET", "/feeds/shop/launchgate.json", port=house.feeds)
        house.api("DELETE", "/session", session=session)
        time.sleep(1.5)
        running = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "credentials.json"}
        ended = house.stop()
        for text in (canaries.new("password that was set on the server"), "short"):
            house.gatehouse("admin", "reset-password", "--data", house.data, "--username", "ann", "--password-stdin", input=text + "\n")
        verified = house.gatehouse("verify", "--data", house.data)
        made = house.gatehouse("init", "--data", folder / "other", "--username", "ann", "--password-stdin", "--token", "ci", input=canaries.new("password of init") + "\n")
        assert made.returncode == 0, made.stderr
        canaries.keep("token of init", made.stdout.strip())
        label, text = house.said.pop()
        house.said.append((label, text.replace(made.stdout.strip().encode(), b"", 1)))
        house.gatehouse("init", "--data", folder / "third", "--username", "ann", "--password-stdin", input=canaries.new("password of a failed init") * 4 + "\n")
    finally:
        if house.process and house.process.poll() is None:
            house.process.kill()
            house.process.wait()
        lines = processes.stop()
        house.log.close()
    yield "the server ended well and its database is sound", ended == 0 and verified.returncode == 0, f"{ended} {verified.stdout}{verified.stderr}"

    leaks = []

    def look(where, data, shown=()):
        leaks.extend(f"{name} in {where}" for name in canaries.in_(data) - set(shown))

    for label, answer, shows in house.answers:
        look("the answer to " + label, answer, shows)
    for label, text in house.said:
        look("what " + label + " said", text)
    look("the list of processes", lines)
    files = dict(running)
    for path in folder.rglob("*"):
        if path.is_file() and path.name != "credentials.json":
            files[path] = path.read_bytes() + files.get(path, b"")
    codes = {name for name, text in canaries.texts.items() if text.isdigit()}
    for path, data in files.items():
        # In a binary file six digits may be anything; the database's dump is searched for those.
        look(str(path.relative_to(folder)), data, codes if path.name.startswith("gatehouse.sqlite") else ())
    dumps = b""
    for database in folder.rglob("gatehouse.sqlite"):
        dump = "\n".join(sqlite3.connect(database).iterdump()).encode()
        look(f"the dump of {database.parent.name}", dump)
        dumps += dump
    log = (folder / "log").read_bytes()
    told = [label for label, answer, _ in house.answers if visible.encode() in answer]
    yield "a text that may be seen is found by the same search", visible.encode() in dumps and len(told) > 3 and any(visible.encode() in data for path, data in files.items() if "publication" in str(path)), f"{len(told)} answers, the dump, the publication"
    yield f"{len(canaries.texts)} secrets are nowhere else than where they are shown once", not leaks, f"{len(house.answers)} answers, {len(house.said)} outputs, {len(files)} files, {len(lines.splitlines())} command lines, {len(log.splitlines())} lines of log" + "".join(f"\n       {leak}" for leak in leaks[:40])
    bad = []
    for line in log.splitlines():
        try:
            json.loads(line)
        except ValueError:
            bad.append(line[:120])
    yield "every line of the log is one JSON document, without control characters", not bad and not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", log), str(bad[:3])
    broken = [label for label, answer, _ in house.answers if re.search(r"→ 5\d\d", label) and "503" not in label]
    yield "nothing of it was answered 5xx", not broken, str(broken[:5])
