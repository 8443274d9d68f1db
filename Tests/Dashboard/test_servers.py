"""Several servers on one database, as the account's page names them."""

import re
import shutil
import sys

import pytest
from playwright.sync_api import expect

from gatehouse_server import ROOT, Server

sys.path.insert(0, str(ROOT / "Tests/Faults"))
from postgres import Cluster  # noqa: E402


@pytest.fixture
def pair(tmp_path, windows, monkeypatch):
    """Two servers, `gate-1` and `gate-2`, with the same keys."""
    cluster = Cluster()
    monkeypatch.setenv("GATEHOUSE_DATABASE", cluster.url)
    folders = [tmp_path / name for name in ("gate-1", "gate-2")]
    folders[0].mkdir(mode=0o700)
    servers = [Server(folders[0], options=["--server-name", "gate-1"])]
    folders[1].mkdir(mode=0o700)
    shutil.copytree(folders[0] / "keys", folders[1] / "keys")
    servers.append(Server(folders[1], users=False, options=["--server-name", "gate-2"]))
    yield servers
    windows.close()
    for server in servers:
        if server.process.poll() is None:
            server.stop()
    cluster.end()


def named(page):
    return page.locator("section", has=page.get_by_role("heading", name="Servers of this console")).get_by_role("listitem")


def test_the_account_names_the_servers_and_who_is_not_heard_of(windows, pair):
    first, second = pair
    first.add_app("shop", "Shop", "ios")
    page = windows.open(first, "/settings/account")

    def says(name, words):
        """Comes to be without a reload; each server writes down once a second how far it is."""
        expect(named(page).filter(has_text=re.compile(f"{name}.*{words}"))).to_have_count(1, timeout=30_000)

    says("gate-1", "up to date, change 2")
    says("gate-2", "up to date, change 2")
    second.process.kill()
    second.process.wait()
    says("gate-2", r"not heard of for \d+ seconds")
    expect(named(page).filter(has_text="gate-1")).not_to_contain_text("not heard of")
    expect(named(page)).to_have_count(2)


def test_a_server_that_has_its_database_to_itself_names_none(windows, server):
    page = windows.open(server, "/settings/account")
    expect(page.get_by_text("this browser")).to_be_visible()
    expect(page.get_by_role("heading", name="Servers of this console")).to_be_hidden()
