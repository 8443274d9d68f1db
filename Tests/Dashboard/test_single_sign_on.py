"""The dashboard behind a proxy that says who is there; the browser's own headers stand in for it. With the real one: Tests/Deploy."""

import pytest
from playwright.sync_api import expect

from gatehouse_server import PASSWORD
from steps import dialog

GROUPS = "release operator shop\nadmins admin\n"
OPTIONS = ("--trusted-proxy", "127.0.0.1", "--sign-in-header", "X-Remote-User", "--sign-in-groups-header", "X-Remote-Groups")


@pytest.fixture
def proxied(start_server, tmp_path):
    """A server behind the proxy; `out` is the address at which the proxy signs out."""
    def start(out=None, *more):
        (tmp_path / "groups").write_text(GROUPS)
        options = (*OPTIONS, "--sign-in-groups", str(tmp_path / "groups"), *(("--sign-out-url", out) if out else ()), *more)
        server = start_server(options=options)
        server.add_app("shop", "Shop", "ios")
        return server
    return start


def named(name, groups):
    return {"X-Remote-User": name, "X-Remote-Groups": groups}


def visit(windows, server, name="ann@example.com", groups="admins", path="/", **options):
    return windows.open(server, path, signed_in=False, extra_http_headers=named(name, groups), **options)


def test_whoever_is_named_is_in_and_meets_no_password(windows, proxied):
    server = proxied()
    page = visit(windows, server)
    expect(page.locator(".target-row")).to_have_count(1)
    expect(page.get_by_role("link", name="ann@example.com")).to_have_attribute("title", "Signed in by single sign-on")
    page.goto(f"{server.admin}/#/settings/account")
    expect(page.get_by_text("the proxy in front (single sign-on)")).to_be_visible()
    expect(page.get_by_text("this browser")).to_be_visible()
    for heading in ("Password", "Second factor"):
        expect(page.get_by_role("heading", name=heading)).to_have_count(0)
    expect(page.locator("input[type=password]")).to_have_count(0)
    # Who has a password keeps all of it, and the door is the old one.
    local = windows.open(server, "/settings/account")
    for heading in ("Password", "Second factor"):
        expect(local.get_by_role("heading", name=heading)).to_be_visible()
    expect(windows.open(server, signed_in=False).get_by_label("Password", exact=True)).to_be_visible()


def test_people_say_where_they_come_from_and_keep_what_their_groups_say(windows, proxied):
    server = proxied()
    bob = visit(windows, server, "bob", "release")
    expect(bob.locator(".target-row")).to_have_count(1)
    admin = windows.open(server, "/settings/people")
    panel = admin.get_by_role("listitem").filter(has=admin.get_by_role("heading", name="bob"))
    expect(panel).to_contain_text("single sign-on")
    expect(panel).not_to_contain_text("Has no password")
    panel.get_by_text("Change").click()
    expect(panel).to_contain_text("their groups there say what they may do")
    expect(panel.get_by_role("combobox")).to_have_count(0)
    expect(panel.locator("input[type=password]")).to_have_count(0)
    expect(panel.get_by_role("button", name="New link")).to_have_count(0)
    windows.expected.update({401, 403})
    panel.get_by_label("Disabled").check()
    panel.get_by_role("button", name="Save").click()
    expect(panel).to_contain_text("disabled")
    # The page that is open says so, and asks no more.
    expect(bob.get_by_role("alert")).to_contain_text("An administrator has disabled you here")
    panel.get_by_role("button", name="Delete bob…").click()
    expect(dialog(admin)).to_contain_text("to keep them out, disable them")


def test_signing_out_leads_to_the_proxys_own_end(windows, proxied):
    server = proxied("/out?logout=%2F")
    page = visit(windows, server)
    expect(page.locator(".target-row")).to_have_count(1)
    # The page goes on asking whether anything has polled yet: what it asks as the session ends is nobody's any more.
    windows.expected |= {404, 401}
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{server.admin}/out?logout=%2F")
    assert not [cookie for cookie in page.context.cookies() if cookie["name"] == "gh_session"]
    # Whoever may do nothing here can be somebody else there.
    windows.expected.add(403)
    page = visit(windows, server, "eve", "strangers")
    expect(page.get_by_role("alert")).to_contain_text("none of your groups may do anything here")
    expect(page.get_by_role("link", name="Sign out")).to_have_attribute("href", "/out?logout=%2F")


def test_where_the_proxy_has_no_end_signing_out_still_is_one(windows, proxied):
    server = proxied()
    page = visit(windows, server)
    # As above.
    windows.expected.add(401)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    expect(page.locator("input")).to_have_count(0)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".target-row")).to_have_count(1)


def test_a_session_that_ends_is_followed_by_another_without_a_word(windows, proxied):
    server = proxied()
    page = visit(windows, server)
    expect(page.locator(".target-row")).to_have_count(1)
    before = page.context.cookies()
    windows.expected.update({401, 403})
    page.context.clear_cookies()
    page.goto(f"{server.admin}/#/t/shop/ios")
    expect(page.get_by_role("button", name="Block Shop on iOS…").first).to_be_enabled()
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert page.context.cookies() != before


def test_when_the_proxys_word_ends_the_page_says_so(windows, proxied):
    server = proxied()
    page = visit(windows, server)
    expect(page.locator(".target-row")).to_have_count(1)
    windows.expected.add(401)
    page.context.set_extra_http_headers({})
    asked = dialog(page)
    expect(asked).to_contain_text("Your session has ended")
    expect(asked.locator("input")).to_have_count(0)
    page.context.set_extra_http_headers(named("ann@example.com", "admins"))
    asked.get_by_role("button", name="Sign in").click()
    expect(page.locator(".target-row")).to_have_count(1)
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_page_of_one_person_never_goes_on_as_anothers(windows, proxied):
    server = proxied()
    page = visit(windows, server)
    expect(page.locator(".target-row")).to_have_count(1)
    windows.expected.update({401, 403})
    page.evaluate("window.mine = true")
    # Bob signs in to the proxy in another tab.
    page.context.set_extra_http_headers(named("bob", "release"))
    expect(page.get_by_role("link", name="bob")).to_be_visible()
    assert page.evaluate("window.mine") is None
    # And where Ann's session had ended before.
    page.evaluate("window.mine = true")
    page.context.clear_cookies()
    page.context.set_extra_http_headers(named("ann@example.com", "admins"))
    expect(page.get_by_role("link", name="ann@example.com")).to_be_visible()
    assert page.evaluate("window.mine") is None


def test_what_wants_a_fresh_sign_in_leads_out_and_in(windows, proxied):
    # The proxy tells when they proved who they are, and it was long ago.
    server = proxied(None, "--sign-in-time-header", "X-Remote-Time")
    page = windows.open(server, "/settings/tokens", signed_in=False, extra_http_headers=named("ann", "admins") | {"X-Remote-Time": "1000000000"})
    windows.expected.add(403)
    page.get_by_label("Name", exact=True).fill("pipeline")
    page.get_by_role("button", name="Make a token").click()
    asked = dialog(page)
    expect(asked).to_contain_text("Sign out and in again")
    expect(asked.locator("input")).to_have_count(0)
    asked.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()


def test_somebody_with_a_password_comes_in_beside_the_proxy(windows, proxied):
    server = proxied()
    page = windows.open(server, signed_in=False)
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator(".target-row")).to_have_count(1)
