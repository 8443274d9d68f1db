"""What a page of another origin can do to somebody who is signed in: nothing, however it asks.

Two such pages: one at another port of the same host, to which browsers send the cookie (SameSite looks at the site, not at the port), and one
at another host, to which they do not."""

import http.server
import json
import threading

import pytest

from gatehouse_server import PASSWORD, USERNAME

PAGE = b"<!doctype html><meta charset=utf-8><title>Win a phone</title><iframe name=away></iframe>"


class Quiet(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def elsewhere():
    """The port of a web server that is nobody's friend."""
    away = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=away.serve_forever, daemon=True).start()
    yield away.server_address[1]
    away.shutdown()
    away.server_close()


@pytest.fixture
def victim(browser, server, app):
    """A browser in which an administrator is signed in."""
    context = browser.new_context()
    answer = context.request.post(f"{server.admin}/api/v1/session", data={"username": USERNAME, "password": PASSWORD})
    assert answer.ok, answer.text()
    yield context
    context.close()


def world(server, app):
    """Everything that such a page might want to change."""
    return {path: server.call("GET", path) for path in (f"/targets/{app}/ios", f"/changes?app={app}", "/users", "/apps", "/windows")} | {
        # When the token of these tests was last used is no change of anything.
        "/tokens": [(token["id"], token["revokedAt"]) for token in server.call("GET", "/tokens")["items"]],
    }


def refusals(server):
    """How often what was refused, and why, by the audit."""
    counts = {}
    for entry in server.call("GET", "/audit?action=request.refused&limit=500")["items"]:
        key = (entry["subject"], entry["detail"]["code"])
        counts[key] = counts.get(key, 0) + entry["detail"]["count"]
    return counts


# A field whose name and value, joined by "=", are JSON.
FORM = """([action, type, name, value]) => new Promise((done) => {
    const form = Object.assign(document.createElement("form"), { action, method: "post", enctype: type, target: "away" });
    form.append(Object.assign(document.createElement("input"), { name, value }));
    document.body.append(form);
    document.querySelector("iframe").addEventListener("load", () => done(), { once: true });
    form.submit();
})"""
FETCH = """([url, options]) => fetch(url, { credentials: "include", ...options }).then(
    async (answer) => `${answer.type} ${answer.status} ${await answer.text()}`, (error) => error.name)"""
BEACON = """([url, type, body]) => navigator.sendBeacon(url, new Blob([body], { type }))"""
SCRIPT = """(url) => new Promise((done) => {
    const script = Object.assign(document.createElement("script"), { src: url, onload: () => done("loaded"), onerror: () => done("refused") });
    document.body.append(script);
})"""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_no_form_and_no_script_of_another_origin_changes_anything(victim, server, app, elsewhere, host):
    page = victim.new_page()
    page.goto(f"http://{host}:{elsewhere}/")
    before, refused = world(server, app), refusals(server)
    target = {"app": app, "platform": "ios", "revision": server.target(f"{app}/ios")["revision"]}
    kill = json.dumps({"targets": [target], "set": {"killSwitch": {"message": "Owned."}}, "reason": ""})
    user = json.dumps({"username": "mallory", "role": "admin", "password": PASSWORD, "x": ""})
    for path, body in (("/changes", kill), ("/users", user), ("/session", json.dumps({"username": "mallory", "password": ""}))):
        url = f"{server.admin}/api/v1{path}"
        name, value = body[:-2], body[-2:]
        for enctype in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            page.evaluate(FORM, [url, enctype, name, value])
        for options in ({"mode": "no-cors"}, {"mode": "no-cors", "headers": {"Content-Type": "application/json"}}, {"mode": "cors"}):
            answer = page.evaluate(FETCH, [url, {"method": "POST", "body": body} | options])
            assert answer in ("opaque 0 ", "TypeError"), answer
        # A browser asks first whether these may be sent, and is not told that they may.
        for options in ({"headers": {"Content-Type": "application/json"}}, {"headers": {"X-Gatehouse-CSRF": "x"}}, {"method": "PUT"}, {"method": "DELETE"}, {"method": "PATCH"}):
            assert page.evaluate(FETCH, [url, {"method": "POST", "body": body, "mode": "cors"} | options]) == "TypeError"
        page.evaluate(BEACON, [url, "text/plain", body])
        page.evaluate(BEACON, [url, "application/json", body])
    # What the victim may read, the page may not: not the CSRF token, not as a script, not in a frame.
    for path in ("/session", "/targets", f"/changes?app={app}"):
        assert page.evaluate(FETCH, [f"{server.admin}/api/v1{path}", {"mode": "cors"}]) == "TypeError"
        assert page.evaluate(SCRIPT, f"{server.admin}/api/v1{path}") == "refused"
    page.evaluate("(url) => new Promise((done) => { const frame = document.querySelector('iframe'); frame.addEventListener('load', done, { once: true }); frame.src = url; })", server.admin + "/")
    assert not [frame.url for frame in page.frames if frame.url.startswith(server.admin)]

    assert world(server, app) == before
    # It was asked, and refused: by the origin where the browser sent the cookie, else because it sent none.
    why = "foreign_origin" if host == "127.0.0.1" else "unauthenticated"
    now = refusals(server)
    for path in ("/changes", "/users"):
        # Three forms and three fetches at least; nobody waits for a beacon.
        key = (f"POST /api/v1{path}", why)
        assert now.get(key, 0) - refused.get(key, 0) >= 6, (key, now)
    key = ("POST /api/v1/session", "foreign_origin")
    assert now.get(key, 0) - refused.get(key, 0) >= 6, (key, now)
    assert victim.request.get(f"{server.admin}/api/v1/session").json()["user"]["username"] == USERNAME
    assert victim.request.post(f"{server.admin}/api/v1/session", data={"username": "mallory", "password": PASSWORD}).status == 401


def test_the_page_itself_may_do_what_the_other_one_may_not(victim, server, app):
    """Else the test above would also pass against a server that refuses everything."""
    page = victim.new_page()
    page.goto(server.admin + "/")
    csrf = page.evaluate("fetch('/api/v1/session').then((answer) => answer.json()).then((session) => session.csrf)")
    target = {"app": app, "platform": "ios", "revision": server.target(f"{app}/ios")["revision"]}
    body = json.dumps({"targets": [target], "set": {"alert": {"message": "Mine.", "blocking": False}}})
    url = server.admin + "/api/v1/changes"
    for headers, status in (({"Content-Type": "application/json"}, "403"), ({"Content-Type": "text/plain"}, "403"), ({"Content-Type": "text/plain", "X-Gatehouse-CSRF": csrf}, "415")):
        assert page.evaluate(FETCH, [url, {"method": "POST", "body": body, "headers": headers}]).startswith(f"basic {status} ")
    assert server.target(f"{app}/ios")["gate"] == {}
    assert page.evaluate(FETCH, [url, {"method": "POST", "body": body, "headers": {"Content-Type": "application/json", "X-Gatehouse-CSRF": csrf}}]).startswith("basic 200 ")
    assert server.target(f"{app}/ios")["gate"]["alert"]["message"] == "Mine."
