"""Fixtures: one browser for the run, one server for a file, one browser context for a test, and nothing wrong in any console."""

import itertools
import os
import re
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from gatehouse_server import BINARY, PASSWORD, USERNAME, Server

CHROME = os.environ.get("CHROME") or shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
expect.set_options(timeout=10_000)

REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) => console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`));
"""


def pytest_collection_modifyitems(items):
    for missing, hint in ((None if BINARY.exists() else BINARY, "build it, or set GATEHOUSE_BIN"), (None if shutil.which(CHROME) else CHROME, "install Chromium, or set CHROME")):
        if missing:
            for item in items:
                item.add_marker(pytest.mark.skip(reason=f"{missing} is not there: {hint}"))


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROME, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("data"), environment="staging")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def protected_server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("protected"), environment="production", protected=True)
    yield server
    server.stop()


@pytest.fixture
def start_server(tmp_path, windows):
    """Starts a server of this test's own; takes what `Server` takes, and stops it after the test."""
    started = []

    def start(**options):
        started.append(Server(tmp_path, **{"environment": "staging", **options}))
        return started[-1]

    yield start
    # A window that goes on asking a server that is gone would count as trouble.
    windows.close()
    for server in started:
        if server.process.poll() is None:
            server.stop()


@pytest.fixture
def own_server(start_server):
    """A server of this test's own with an app, to be stopped and started as it likes."""
    server = start_server()
    server.add_app("shop", "Shop", "ios")
    return server


numbers = itertools.count(1)


@pytest.fixture
def app(server):
    """The key of an app of this test's own, on iOS and Android."""
    key = f"shop{next(numbers)}"
    server.add_app(key, key.capitalize(), "ios", "android")
    return key


class Windows:
    """Opens browser windows, each with its own cookies, and remembers what went wrong in any of them."""

    def __init__(self, browser):
        self.browser = browser
        self.contexts = []
        self.troubles = []
        # Statuses a test provokes on purpose; the browser reports every one of them as an error of its own.
        self.expected = set()

    def open(self, server, path="/", *, signed_in=True, width=1280, height=800, **options):
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion=options.pop("reduced_motion", "reduce"), locale=options.pop("locale", "en-GB"),
            timezone_id=options.pop("timezone_id", "Europe/Berlin"),
            permissions=["clipboard-read", "clipboard-write"], **options,
        )
        self.contexts.append(context)
        context.add_init_script(REPORT_VIOLATIONS)
        page = context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.troubles.append(f"page error: {error}"))
        page.on("request", lambda request: self._request(request, server))
        if signed_in:
            self._sign_in(context, server)
        if path is not None:
            page.goto(f"{server.admin}/#{path}")
        return page

    def _sign_in(self, context, server):
        if not hasattr(server, "cookies"):
            answer = context.request.post(f"{server.admin}/api/v1/session", data={"username": USERNAME, "password": PASSWORD})
            assert answer.ok, answer.text()
            server.cookies = context.cookies()
        context.add_cookies(server.cookies)

    def close(self):
        for context in self.contexts:
            # What a page still asks for as it closes is answered to nobody.
            for page in context.pages:
                page.unroute_all(behavior="ignoreErrors")
            context.close()
        self.contexts.clear()

    def _console(self, message):
        if message.type not in ("error", "warning"):
            return
        status = re.search(r"status of (\d+)", message.text)
        lost = "net::ERR_" in message.text
        if status and int(status.group(1)) in self.expected or lost and "lost" in self.expected:
            return
        self.troubles.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _request(self, request, server):
        if not request.url.startswith((server.admin, "data:", "blob:")):
            self.troubles.append(f"foreign request: {request.url}")


@pytest.fixture
def windows(browser):
    windows = Windows(browser)
    yield windows
    windows.close()
    assert windows.troubles == []


@pytest.fixture
def overview(windows, server, app):
    """A signed-in window at the overview, and the row of this test's app on iOS."""
    page = windows.open(server)
    return page, page.locator(".target-row").filter(has_text=f"{app}/ios")
