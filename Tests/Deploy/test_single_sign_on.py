"""Single sign-on with the real Apache, mod_auth_openidc and deploy/edge/admin-apache.conf in front of a real server, against the test's own
provider."""
import json
import os
import pathlib
import shutil
import subprocess

import pytest
from playwright.sync_api import expect, sync_playwright

from machine import PASSWORD, ROOT, free_port
from provider import Provider
from test_edge import certificate, curl, file, started

MODULES = pathlib.Path("/usr/lib/apache2/modules")
CHROME = os.environ.get("CHROME") or shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
pytestmark = [
    pytest.mark.skipif(not (MODULES / "mod_auth_openidc.so").exists(), reason="apache2-bin and libapache2-mod-auth-openidc are not installed"),
    pytest.mark.skipif(not shutil.which(CHROME), reason=f"{CHROME} is not there"),
]
GROUPS = "# who may do what\nrelease-managers operator shop\nadmins admin\n"


class Site:
    """A server, Apache in front of it, and the provider."""

    def __init__(self, machine, folder, provider, stopped):
        self.provider = provider
        self.port = free_port()
        self.address = f"https://gate.example.com:{self.port}"
        groups = folder / "groups"
        groups.write_text(GROUPS, encoding="utf-8")
        # The options that the file names, with this test's addresses.
        shipped = (ROOT / "deploy/edge/admin-apache.conf").read_text(encoding="utf-8")
        options = dict(line[4:].split("=", 1) for line in shipped.splitlines() if line.startswith("#   GATEHOUSE_"))
        options |= {
            "GATEHOUSE_ORIGIN": self.address, "GATEHOUSE_SIGN_IN_GROUPS": groups,
            "GATEHOUSE_SIGN_OUT_URL": options["GATEHOUSE_SIGN_OUT_URL"].replace("gate.example.com", f"gate.example.com%3A{self.port}"),
        }
        self.machine = machine(**options)
        self.direct = f"http://127.0.0.1:{self.machine.ports['8080']}"
        self.tunnel = self.direct.replace("127.0.0.1", "localhost")
        # The address past the proxy is known only now.
        default = self.machine.path / "etc/default/gatehouse"
        default.write_text(default.read_text().replace(f"GATEHOUSE_ORIGIN={self.address}\n", f"GATEHOUSE_ORIGIN={self.address},{self.tunnel}\n"))
        self.machine.fill()
        self.start_apache(folder, stopped)

    def start_apache(self, folder, stopped):
        chain, key = certificate(folder)
        secrets = folder / "secrets.conf"
        secrets.write_text('OIDCClientSecret "a secret of the test"\nOIDCCryptoPassphrase "a passphrase of the test"\n')
        site = file("admin-apache.conf", folder, {
            "<VirtualHost *:443>": f"<VirtualHost 127.0.0.1:{self.port}>", "/etc/ssl/certs/gate.example.com.pem": chain,
            "/etc/ssl/private/gate.example.com.key": key, "https://sso.example.com": self.provider.issuer,
            "/etc/apache2/gatehouse-secrets.conf": secrets, "https://gate.example.com/oauth2callback\n": self.address + "/oauth2callback\n",
            "http://127.0.0.1:8080/": self.direct + "/",
        })
        modules = ("mpm_event", "authn_core", "authz_core", "authz_user", "alias", "headers", "proxy", "proxy_http", "ssl", "socache_shmcb", "auth_openidc")
        configuration = folder / "apache.conf"
        configuration.write_text(
            f"ServerRoot {folder}\nDefaultRuntimeDir {folder}\nPidFile {folder}/apache.pid\nErrorLog {folder}/apache.log\nListen 127.0.0.1:{self.port}\n"
            "ServerName gate.example.com\nUser www-data\nGroup www-data\n"
            + "".join(f"LoadModule {name}_module {MODULES}/mod_{name}.so\n" for name in modules)
            + f"Include {site}\n"
        )
        self.log = folder / "apache.log"
        said = subprocess.run(["/usr/sbin/apache2", "-t", "-f", configuration], capture_output=True, text=True)
        assert said.returncode == 0, said.stderr
        self.own = ("--resolve", f"gate.example.com:{self.port}:127.0.0.1")
        stopped(started(["/usr/sbin/apache2", "-DFOREGROUND", "-f", configuration], lambda: self.curl("/metrics")[0], stderr=subprocess.DEVNULL))

    def curl(self, path, *words):
        return curl(*self.own, *words, self.address + path)

    def audit(self, action):
        return [entry for entry in json.loads(self.machine.run("gatectl audit --json"))["items"] if entry["action"] == action]


@pytest.fixture
def site(machine, tmp_path, stopped):
    provider = Provider(tmp_path)
    yield Site(machine, tmp_path, provider, stopped)
    provider.close()


@pytest.fixture
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROME, args=["--no-sandbox", "--host-resolver-rules=MAP gate.example.com 127.0.0.1"]
        )
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    page = browser.new_context(ignore_https_errors=True, locale="en-GB", viewport={"width": 1280, "height": 800}).new_page()
    page.set_default_timeout(15_000)
    return page


def sign_in(page, site, name):
    page.goto(site.address + "/")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url(site.address + "/**")


def ask(page, method, path, body=None, **headers):
    """Asks as the page would, or a script in its console."""
    return page.evaluate(
        """async ([method, path, body, headers]) => {
            const answer = await fetch(`/api/v1${path}`, { method, body: body === null ? undefined : JSON.stringify(body), headers });
            const text = await answer.text();
            return [answer.status, text && answer.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : text];
        }""",
        [method, path, body, ({"Content-Type": "application/json"} if body is not None else {}) | headers],
    )


def test_in_by_the_provider_a_change_other_groups_and_out(site, page):
    site.provider.people = {"ann@example.com": ["staff", "release-managers"]}
    sign_in(page, site, "ann@example.com")
    # The dashboard is shown, and nobody was asked for a password.
    expect(page.get_by_role("heading", name="Shop").or_(page.get_by_text("Shop").first).first).to_be_visible()
    expect(page.get_by_label("Password")).to_have_count(0)
    page.goto(site.address + "/#/settings/account")
    expect(page.get_by_text("single sign-on")).to_be_visible()
    status, session = ask(page, "GET", "/session")
    assert (status, session["user"]) == (200, {"username": "ann@example.com", "role": "operator", "apps": ["shop"]})
    made = site.audit("people.create")[0]
    assert made["subject"] == "ann@example.com" and made["detail"]["groups"] == ["release-managers"], made
    # The session has the address that Apache saw.
    assert made["address"] == "127.0.0.1"

    csrf = {"X-Gatehouse-CSRF": session["csrf"]}

    # A change is recorded under their name.
    revision = ask(page, "GET", "/targets/shop/ios")[1]["revision"]
    change = {"targets": [{"app": "shop", "platform": "ios", "revision": revision}], "set": {"killSwitch": {"message": "Back at 09:30."}}}
    assert ask(page, "POST", "/changes", change)[1]["code"] == "csrf"
    status, outcome = ask(page, "POST", "/changes", change, **csrf)
    assert status == 200 and outcome["change"]["actor"]["name"] == "ann@example.com", outcome
    assert site.machine.state() == "blocked"
    # Fresh by the provider's word (auth_time), so a token can be made now.
    status, token = ask(page, "POST", "/tokens", {"name": "tool"}, **csrf)
    assert status == 201, token
    assert ask(page, "POST", "/apps", {"key": "new", "name": "New"}, **csrf)[0] == 403

    # Fields that a browser sends itself are removed, however they are spelled.
    for name in ("X-Remote-User", "x-remote-user", "X_Remote_User"):
        for value in ("admin", "bob", ""):
            status, told = ask(page, "GET", "/session", **{name: value, "X-Remote-Groups": "admins", "X-Remote-Time": "1"})
            assert status == 200 and told["user"] == session["user"], (name, told)

    # Signing out ends the sessions of dashboard, proxy and provider.
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies(site.address)}
    assert {"__Host-gh_session", "mod_auth_openidc_session"} <= set(cookies), cookies
    kept = ("-H", "Cookie: " + "; ".join(f"{name}={value}" for name, value in cookies.items()))
    assert site.curl("/api/v1/targets", *kept)[0] == 200
    page.locator("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Name")).to_be_visible()
    assert page.url.startswith(site.provider.issuer)
    assert site.curl("/api/v1/targets", *kept)[0] == 401
    assert site.audit("session.delete")[0]["subject"] == "ann@example.com"
    # The cookie alone is of no use at the server either.
    assert curl("-H", f"Cookie: gh_session={cookies['__Host-gh_session']}", site.direct + "/api/v1/targets")[0] == 401

    # Other groups at the next sign-in; tokens follow.
    site.provider.people["ann@example.com"] = ["staff"]
    page.get_by_label("Name").fill("ann@example.com")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("none of your groups may do anything here")).to_be_visible()
    bearer = ("-H", f"Authorization: Bearer {token['token']}")
    assert json.loads(site.curl("/api/v1/targets", *bearer)[2])["items"] == []
    page.goto(site.address + "/oauth2callback?logout=" + site.address.replace(":", "%3A").replace("/", "%2F") + "%2F")
    site.provider.people["ann@example.com"] = ["admins"]
    page.get_by_label("Name").fill("ann@example.com")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("Shop").first).to_be_visible()
    assert ask(page, "GET", "/session")[1]["user"] == {"username": "ann@example.com", "role": "admin", "apps": None}


def test_a_name_from_elsewhere_is_nobodys(site):
    forged = ("-H", "X-Remote-User: eve", "-H", "X-Remote-Groups: admins", "-H", "X-Remote-Time: 1")
    assert curl(*forged, site.direct + "/api/v1/setup")[1].count("x-gatehouse-session: proxy") == 1, "as the proxy would be heard"
    direct = site.direct + "/api/v1"
    # Another machine, which reaches the server past the proxy.
    assert curl("--interface", "127.0.0.2", *forged, direct + "/session")[0] == 401
    assert curl("--interface", "127.0.0.2", *forged, direct + "/setup")[1].count("x-gatehouse-session: absent") == 1
    assert [person["username"] for person in json.loads(site.machine.run("gatectl users --json"))["items"]] == ["admin"]
    # Apache removes it: a page leads to the sign-in, a background request is refused, and a token keeps its owner.
    status, head, _ = site.curl("/", *forged)
    assert status == 302 and f"location: {site.provider.issuer}/authorize?" in head
    assert site.curl("/api/v1/session", *forged)[0] == 401
    token = ("-H", f"Authorization: Bearer {site.machine.environment['GATECTL_TOKEN']}")
    status, _, body = site.curl("/api/v1/session", *forged, *token)
    assert status == 200 and json.loads(body)["user"]["username"] == "night", body
    assert site.curl("/api/v1/targets", *forged, "-H", "Authorization: Bearer gate_forged")[0] == 401
    # Nor does a token open what it is not for, and a made-up token opens nothing.
    assert site.curl("/", *token)[0] == 302
    assert site.curl("/api/v1/session", "-H", "Authorization: Bearer another")[0] == 401
    assert site.curl("/metrics", *token)[0] == 404
    assert not json.loads(site.machine.run("gatectl api GET /status"))["health"].get("notices")


def test_while_the_provider_is_away_a_password_opens_past_the_proxy(site, page):
    site.provider.close()
    # The way that deploy/README.md describes: a tunnel to the server's own machine.
    page.goto(site.tunnel + "/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("Shop").first).to_be_visible()
    status, session = ask(page, "GET", "/session")
    assert status == 200 and session["user"]["username"] == "admin" and "origin" not in session
    assert ask(page, "POST", "/apps", {"key": "new", "name": "New"}, **{"X-Gatehouse-CSRF": session["csrf"]})[0] == 201


def test_somebody_elses_browser(site, page):
    """Bob signs in to the proxy in a browser that still has a session of Ann's."""
    site.provider.people = {"ann": ["release-managers"], "bob": ["admins"]}
    sign_in(page, site, "ann")
    expect(page.get_by_text("Shop").first).to_be_visible()
    site.provider.browsers.clear()
    page.context.clear_cookies(name="mod_auth_openidc_session")
    with page.expect_navigation(url=site.provider.issuer + "/**"):
        page.goto(site.address + "/")
    page.get_by_label("Name").fill("bob")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("Shop").first).to_be_visible()
    assert ask(page, "GET", "/session")[1]["user"]["username"] == "bob"
    refused = [entry for entry in site.audit("request.refused") if entry["detail"]["code"] == "another_session"]
    assert refused, "the audit tells of it"
