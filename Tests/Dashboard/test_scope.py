"""An administrator of some apps: what reaches further than they do shows no button that would be refused."""

from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

from gatehouse_server import PASSWORD, Server
from steps import sign_in


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("scope"), environment="staging")
    for key, name in (("shop", "Shop"), ("bank", "Bank")):
        server.add_app(key, name, "ios")
    for name, role, apps in (("anna", "admin", ["shop"]), ("olaf", "operator", ["shop"]), ("bert", "operator", ["bank"]), ("berta", "operator", ["shop", "bank"]), ("ulla", "viewer", None)):
        server.call("POST", "/users", {"username": name, "role": role, "apps": apps, "password": PASSWORD})
    for name, apps in (("of the shop", ["shop"]), ("of the bank", ["bank"]), ("of all", None)):
        server.call("POST", "/tokens", {"name": name, "role": "operator", "apps": apps})
    # Two who have yet to set their password.
    for name, apps in (("ivan", ["shop"]), ("iris", ["bank"])):
        server.call("POST", "/users", {"username": name, "role": "viewer", "apps": apps})
    yield server
    server.stop()


@pytest.fixture
def page(windows, server):
    page = windows.open(server, signed_in=False)
    sign_in(page, "anna")
    expect(page.locator(".target-row")).to_have_count(1)
    return page


def panels(page, names, exact=True):
    """The panel of each, by its heading."""
    return {name: page.locator(".panel").filter(has=page.get_by_role("heading", name=name, exact=exact)) for name in names}


def test_people_with_other_apps_are_shown_and_not_changed(page, server):
    page.goto(f"{server.admin}/#/settings/people")
    shown = panels(page, ("olaf", "ivan", "bert", "berta", "ulla", "iris"))
    for name in ("olaf", "ivan"):
        expect(shown[name].get_by_text("Change", exact=True)).to_have_count(1)
    expect(shown["ivan"].get_by_role("button", name="New link… ivan")).to_have_count(1)
    for name in ("bert", "berta", "ulla", "iris"):
        expect(shown[name]).to_contain_text("They have apps that you do not, so you cannot change them.")
        for role in ("button", "textbox", "checkbox", "combobox"):
            expect(shown[name].get_by_role(role, include_hidden=True)).to_have_count(0)
    # What is offered is done.
    shown["olaf"].get_by_text("Change", exact=True).click()
    shown["olaf"].get_by_label("Role").select_option("viewer")
    shown["olaf"].get_by_role("button", name="Save").click()
    expect(shown["olaf"].locator(".facts")).to_contain_text("Viewer")


def test_tokens_with_other_apps_are_shown_and_not_revoked(page, server):
    page.goto(f"{server.admin}/#/settings/tokens")
    shown = panels(page, ("of the shop", "of the bank", "of all"), exact=False)
    expect(shown["of the shop"].get_by_role("button")).to_have_accessible_name("Revoke of the shop…")
    for name in ("of the bank", "of all"):
        expect(shown[name]).to_contain_text("It has apps that you do not, so you cannot revoke it.")
        expect(shown[name].get_by_role("button")).to_have_count(0)


def test_a_window_that_is_about_other_apps_too_says_so_and_offers_nothing(page, server):
    def window(targets, days):
        def at(day):
            return (datetime.now(timezone.utc) + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")

        body = {
            "targets": [{"app": app, "platform": "ios", "revision": server.target(f"{app}/ios")["revision"]} for app in targets],
            "set": {"alert": {"message": "Closed soon.", "blocking": False}}, "start": at(days), "end": at(days + 1),
        }
        return server.call("POST", "/windows", body)["window"]["id"]

    numbers = [window(["shop"], 40), window(["shop", "bank"], 50), window(["bank", "shop"], 60)]
    server.call("POST", f"/windows/{numbers[2]}/run", {})
    page.goto(f"{server.admin}/#/schedule")
    cards = page.locator(".window-card")
    expect(cards).to_have_count(3)
    said = cards.filter(has_text="It has 1 more target of apps that you do not have. Only somebody who may change all of them can change the window.")
    expect(said).to_have_count(2)
    expect(said.get_by_role("button")).to_have_count(0)
    expect(said.get_by_role("link", name="Edit")).to_have_count(0)
    own = cards.filter(has_not_text="It has 1 more")
    expect(own.get_by_role("button", name="Cancel")).to_have_count(1)
    page.goto(f"{server.admin}/#/t/shop/ios")
    expect(page.get_by_role("heading", level=1)).to_have_text("Shop · iOS")
    expect(page.locator(".window-line[data-window=running]")).to_have_count(1)
    expect(page.get_by_role("button", name="End now")).to_have_count(0)
    expect(page.get_by_text("It has 1 more target of apps that you do not have.")).to_be_visible()


def test_an_app_is_added_only_by_who_has_all(page, server):
    page.goto(f"{server.admin}/#/settings/apps")
    expect(page.get_by_role("link", name="Take over a file")).to_be_visible()
    expect(page.get_by_role("link", name="Add an app")).to_have_count(0)
    page.goto(f"{server.admin}/#/settings/apps/new")
    expect(page.get_by_text("Adding an app needs the administrator role for all apps.")).to_be_visible()
    expect(page.get_by_role("main").get_by_role("button")).to_have_count(0)
    page.goto(f"{server.admin}/#/settings/import")
    expect(page.get_by_label("App", exact=True).locator("option")).to_have_text(["Shop"])
