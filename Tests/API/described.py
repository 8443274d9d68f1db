"""Checks the server's answers against its own description; see run."""
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from openapi_spec_validator import validate

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "Faults"))
from server import Server, ask  # noqa: E402

PASSWORD = "violet-harbour-41-lantern"
# The refusals of well-formed requests that are not a fault of the description.
HOOKS = pathlib.Path(__file__).with_name("hooks.py")
# What only a browser's session may do, without the requests that would end that very session.
ACCOUNT = ["--include-path-regex", "^/api/v1/(account|session$|users|tokens|audit|status)"]
ENDING = [word for path in ("/api/v1/account/sessions", "/api/v1/account/sessions/{id}", "/api/v1/account/password") for word in ("--exclude-path", path)]


def schemathesis(name, server, proof, headers, more, given):
    """One run; `proof` is the configuration that authenticates it, passed in a file because others can see a process's arguments."""
    words = [str(pathlib.Path(sys.executable).with_name("schemathesis")), "--config-file", "schemathesis.toml", "run", f"http://127.0.0.1:{server.admin}/openapi.json"]
    for header in headers:
        words += ["-H", header]
    words += ["--phases", "examples,coverage,fuzzing,stateful", "--max-examples", "25", "--checks", "all", "--seed", "7", "--workers", "1", "--continue-on-failure", "--no-color"]
    # It writes its notes into its working directory.
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "schemathesis.toml").write_text(f'hooks = "{HOOKS}"\n' + proof)
        done = subprocess.run(words + more + given, cwd=folder, env=os.environ | {"GATEHOUSE_OWN_TOKEN": server.token.split("_")[1]}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        print(done.stdout[:20_000])
    else:
        print(done.stdout[done.stdout.rindex("SUMMARY"):] if "SUMMARY" in done.stdout else done.stdout)
    print(f"{'ok  ' if done.returncode == 0 else 'FAIL'} {name}: schemathesis found {'nothing' if done.returncode == 0 else 'something'}", flush=True)
    return done.returncode == 0


def sign_in(server, known=""):
    """A session as behind a proxy that speaks https, since the description names that session's cookie.

    `known` is the other cookie of an earlier sign-in: with it the sign-in succeeds whoever tried passwords for the same name. It comes from
    another address than all other requests here."""
    connection = http.client.HTTPConnection("127.0.0.1", server.admin, timeout=15)
    headers = {"Content-Type": "application/json", "X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"} | ({"Cookie": known} if known else {})
    connection.request("POST", "/api/v1/session", json.dumps({"username": "faults", "password": PASSWORD}), headers)
    answer = connection.getresponse()
    body = json.loads(answer.read())
    assert answer.status == 200, body
    cookies = [cookie.split(";")[0] for cookie in answer.headers.get_all("Set-Cookie")]
    connection.close()
    proof = f'[auth.openapi.session]\napi_key = "{cookies[0].removeprefix("__Host-gh_session=")}"\n'
    return proof, [f"X-Gatehouse-CSRF: {body['csrf']}", "X-Forwarded-Proto: https"], cookies[1]


def answers(server):
    """How often the API answered each status, by the server's own count. Health and metrics are left out: the server may just have
    started."""
    page = ask(server.admin, "GET", "/metrics")[2].decode()
    counts = {}
    for status, count in re.findall(r'gatehouse_http_requests_total\{listener="admin".*pattern="(?!operations).*status="(\d+)"\} (\d+)', page):
        counts[int(status)] = counts.get(int(status), 0) + int(count)
    return counts


def main(given):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(pathlib.Path(folder) / "data", "--trusted-proxy", "127.0.0.1")
        try:
            validate(json.loads(ask(server.admin, "GET", "/openapi.json")[2]))
            print("ok   /openapi.json is a valid description, OpenAPI 3.1")
            for path, body in (("/users", {"username": "otto", "role": "operator", "password": PASSWORD + "!"}), ("/tokens", {"name": "spare"}),
                               ("/windows", {"targets": [{"app": "shop", "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": "Later."}}, "start": "2099-01-01T00:00:00Z"})):
                status, answer = server.call("POST", path, body)
                assert status == 201, answer
            known = sign_in(server)[2]
            # An account is a person's and closed to tokens; the other run covers it.
            good = schemathesis("an administrator's token", server, f'[auth.openapi.token]\nbearer = "{server.token}"\n', [], ["--exclude-path-regex", "^/api/v1/(account|session/)"], given)
            good &= schemathesis("an administrator's session", server, *sign_in(server, known)[:2], ACCOUNT + ENDING + ["--exclude-method", "DELETE"], given)
            counts = answers(server)
            bad = {status: count for status, count in counts.items() if status >= 500}
            print(f"{'ok  ' if not bad else 'FAIL'} of {sum(counts.values())} answers none was 5xx: " + ", ".join(f"{count} × {status}" for status, count in sorted(counts.items())))
            status, _, _ = server.alert("Afterwards it goes on")
            print(f"{'ok  ' if status in (200, 404) else 'FAIL'} and afterwards it goes on ({status})")
            return good and not bad and status in (200, 404)
        finally:
            server.end()


if __name__ == "__main__":
    raise SystemExit(0 if main(sys.argv[1:]) else 1)
