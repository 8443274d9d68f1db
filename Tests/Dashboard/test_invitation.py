"""From an administrator's "Invite a person…" to somebody else's first sign-in, without anybody's telling a password."""

import re

import pytest
from playwright.sync_api import expect

from gatehouse_server import PASSWORD, Server
from steps import begin_second_factor, dialog, kill_switch, sign_in
from test_accessibility import violations
from test_load import BEFORE, LATENCY, slow

CHOSEN = "what I chose myself"
TOKEN = re.compile(r"#/invitation/([A-Za-z0-9_-]{43})$")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("invitation"), environment="staging")
    server.add_app("shop", "Shop", "ios")
    server.add_app("bank", "Bank", "ios")
    yield server
    server.stop()


def panel(page, name):
    return page.locator(".panel").filter(has=page.get_by_role("heading", name=name, exact=True))


def invited(server, name, **more):
    return server.call("POST", "/users", {"username": name, "role": "operator"} | more)["invitation"]["token"]


def accept(page, password=CHOSEN):
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Set password and sign in").click()


def listening(page):
    """Every address that the page asks, with what it says of where it comes from."""
    asked = []
    page.on("request", lambda request: asked.append((request.url, request.headers.get("referer", ""))))
    return asked


def test_somebody_is_invited_sets_their_password_and_is_in(windows, server):
    windows.expected = {403, 409, 422}
    page = windows.open(server, "/settings/people")
    page.get_by_role("button", name="Invite a person…").click()
    shown = dialog(page)
    expect(shown.get_by_label("Username")).to_be_focused()
    shown.get_by_role("button", name="Make the link").click()
    expect(shown.get_by_text("Give them a username.")).to_be_visible()
    shown.get_by_label("Username").fill("admin")
    shown.get_by_role("button", name="Make the link").click()
    expect(shown.get_by_text("There is already somebody with that name.")).to_be_visible()
    shown.get_by_label("Username").fill("ines")
    shown.get_by_label("Only these").check()
    shown.get_by_label("Shop").check()
    shown.get_by_role("button", name="Make the link").click()
    expect(shown.get_by_role("heading", name="The link for ines")).to_be_focused()
    expect(shown).to_contain_text("It works once, until ")
    shown.get_by_role("button", name="Copy the link").click()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == shown.locator("code").inner_text() and TOKEN.search(link) and link.startswith(server.admin + "/#/")
    shown.get_by_text("QR code of the link").click()
    expect(shown.get_by_role("img", name="QR code of the link")).to_be_visible()
    page.keyboard.press("Escape")
    expect(shown).to_have_count(0)
    expect(page.get_by_role("button", name="Invite a person…")).to_be_focused()
    expect(panel(page, "ines").locator(".facts")).to_contain_text("Invited, until ")
    expect(panel(page, "ines").locator(".facts")).to_contain_text("Shop")
    # Nobody has it any more, once the dialog is gone from the page and not only from view.
    expect(page.locator("dialog")).to_have_count(0)
    assert TOKEN.search(link).group(1) not in page.content()

    theirs = windows.open(server, path=None, signed_in=False)
    asked = listening(theirs)
    theirs.goto(link)
    expect(theirs.get_by_role("heading", level=1, name="Set your password")).to_be_visible()
    expect(theirs.get_by_label("Password", exact=True)).to_be_focused()
    # It has left the address by the time that there is anything to see.
    assert theirs.url == f"{server.admin}/#/invitation"
    expect(theirs).to_have_title(re.compile("^Set your password · Gatehouse"))
    accept(theirs, "too short")
    expect(theirs.get_by_text("A password has at least 12 characters.")).to_be_visible()
    accept(theirs, "password1234")
    expect(theirs.get_by_text("one of the first that anybody would try")).to_be_visible()
    field = theirs.get_by_label("Password", exact=True)
    expect(field).to_have_attribute("type", "password")
    theirs.get_by_label("Show password").check()
    expect(field).to_have_attribute("type", "text")
    accept(theirs)
    expect(kill_switch(theirs, "shop/ios")).to_be_enabled()
    expect(theirs.locator(".target-row")).to_have_count(1)
    assert theirs.url == f"{server.admin}/#/"
    token = TOKEN.search(link).group(1)
    assert asked and not [one for one in asked if token in one[0] or token in one[1]]
    theirs.go_back()
    expect(theirs.get_by_label("Password", exact=True)).to_have_count(0)

    page.reload()
    expect(panel(page, "ines").locator(".facts")).not_to_contain_text("Invited")
    # A second use, in a third browser.
    late = windows.open(server, path=None, signed_in=False)
    late.goto(link)
    accept(late, "quite another password")
    expect(late.get_by_role("heading", level=1, name="This link does not work any more")).to_be_focused()
    expect(late.get_by_text("Ask an administrator for a new link.")).to_be_visible()
    late.get_by_role("button", name="Go to sign-in").click()
    sign_in(late, "ines", CHOSEN)
    expect(kill_switch(late, "shop/ios")).to_be_visible()


def test_a_link_that_is_being_made_is_waited_for(windows, server):
    page = windows.open(server, "/settings/people")
    page.get_by_role("button", name="Invite a person…").click()
    held = []
    page.route("**/api/v1/users", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    dialog(page).get_by_label("Username").fill("vera")
    with page.expect_request(lambda request: request.method == "POST"):
        dialog(page).get_by_role("button", name="Make the link").click()
    # Not even a second Esc in a row, which a browser does not let a page refuse.
    for _ in range(2):
        page.keyboard.press("Escape")
    dialog(page).get_by_role("button", name="Cancel").click(force=True)
    expect(dialog(page)).to_be_visible()
    held.pop().continue_()
    expect(dialog(page).get_by_role("heading", name="vera")).to_be_focused()
    expect(dialog(page).locator("code")).to_have_text(TOKEN)
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)


def test_a_new_link_takes_the_place_of_the_old_one(windows, server):
    windows.expected = {403}
    old = invited(server, "nele")
    page = windows.open(server, "/settings/people")
    row = panel(page, "nele")
    row.get_by_role("button", name="New link…").click()
    expect(dialog(page).get_by_role("button", name="Make the link")).to_be_focused()
    expect(dialog(page)).to_contain_text("Any link they got before stops working.")
    dialog(page).get_by_role("button", name="Make the link").click()
    link = dialog(page).locator("code").inner_text()
    assert old not in link
    dialog(page).get_by_role("button", name="Close").click()
    # The row was drawn anew meanwhile.
    expect(row.get_by_role("button", name="New link…")).to_be_focused()
    theirs = windows.open(server, f"/invitation/{old}", signed_in=False)
    accept(theirs)
    expect(theirs.get_by_role("heading", level=1, name="This link does not work any more")).to_be_visible()
    # Another link in the same tab.
    theirs.goto(link)
    accept(theirs)
    expect(kill_switch(theirs, "shop/ios")).to_be_visible()


def test_who_forgot_their_password_sets_a_new_one_and_the_old_one_is_good_until_then(windows, server):
    windows.expected = {401}
    server.call("POST", "/users", {"username": "fritz", "role": "viewer", "password": PASSWORD})
    old = windows.open(server, signed_in=False)
    sign_in(old, "fritz")
    expect(kill_switch(old, "shop/ios")).to_be_visible()
    page = windows.open(server, "/settings/people")
    row = panel(page, "fritz")
    row.get_by_text("Change", exact=True).click()
    row.get_by_role("button", name="New link…").click()
    expect(dialog(page)).to_contain_text("Until they do, the current one keeps working")
    dialog(page).get_by_role("button", name="Make the link").click()
    link = dialog(page).locator("code").inner_text()
    dialog(page).get_by_role("button", name="Close").click()
    expect(row.locator(".facts")).to_contain_text("link for a new password, until ")
    old.reload()
    expect(kill_switch(old, "shop/ios")).to_be_visible()
    theirs = windows.open(server, path=None, signed_in=False)
    theirs.goto(link)
    accept(theirs)
    expect(kill_switch(theirs, "shop/ios")).to_be_visible()
    expect(old.get_by_role("dialog", name="Your session has ended")).to_be_visible()


def test_the_second_factor_is_asked_for_too(windows, server):
    windows.expected = {401}
    server.call("POST", "/users", {"username": "tilda", "role": "viewer", "password": PASSWORD})
    page = windows.open(server, "/settings/account", signed_in=False)
    sign_in(page, "tilda")
    begin_second_factor(page)
    page.get_by_role("button", name="Turn it on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    recovery = page.locator(".codes code").first.inner_text()
    token = server.call("POST", "/users/tilda/invitation", {})["invitation"]["token"]
    theirs = windows.open(server, f"/invitation/{token}", signed_in=False)
    code = theirs.get_by_label("Code", exact=True)
    expect(theirs.get_by_label("Password", exact=True)).to_be_focused()
    expect(code).to_be_hidden()
    accept(theirs)
    expect(theirs.get_by_role("alert")).to_have_text("This account also asks for a code.")
    expect(code).to_be_focused()
    code.fill("000000")
    accept(theirs)
    expect(theirs.get_by_role("alert")).to_have_text("The code is wrong or was used already.")
    code.fill(recovery)
    accept(theirs)
    expect(kill_switch(theirs, "shop/ios")).to_be_visible()


def test_whoever_is_signed_in_is_asked_before_somebody_else_comes(windows, server):
    windows.expected = {401}
    server.call("POST", "/users", {"username": "greta", "role": "operator", "apps": ["bank"], "password": PASSWORD})
    link = f"/#/invitation/{invited(server, 'hugo', apps=['shop'])}"
    page = windows.open(server, signed_in=False)
    sign_in(page, "greta")
    expect(kill_switch(page, "bank/ios")).to_be_visible()
    # In the very tab in which the console is open.
    page.goto(server.admin + link)
    expect(page.get_by_role("heading", level=1, name="Somebody is signed in here")).to_be_focused()
    expect(page.get_by_text("greta is signed in to this browser")).to_be_visible()
    assert page.url == f"{server.admin}/#/invitation"
    page.get_by_role("button", name="Stay signed in").click()
    expect(kill_switch(page, "bank/ios")).to_be_visible()
    page.goto(server.admin + link)
    page.get_by_role("button", name="Sign out and go on").click()
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    accept(page)
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    expect(page.locator(".target-row")).to_have_count(1)
    expect(page.locator(".who .user")).to_have_text("hugo")


def test_a_page_that_was_loaded_anew_says_where_the_link_went(windows, server):
    page = windows.open(server, f"/invitation/{invited(server, 'jana')}", signed_in=False)
    expect(page.get_by_role("heading", level=1, name="Set your password")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", level=1, name="Open the link once more")).to_be_visible()
    page.get_by_role("button", name="Go to sign-in").click()
    expect(page.get_by_role("heading", level=1, name="Sign in")).to_be_visible()


def test_wrong_links_are_slowed_down_and_a_server_that_is_gone_is_told(windows, server):
    windows.expected = {429, "lost"}
    page = windows.open(server, f"/invitation/{invited(server, 'kurt')}", signed_in=False)
    body = {"title": "Too Many Requests", "status": 429, "code": "too_many_tries", "detail": "Too many failed sign-ins.", "requestId": "x"}
    page.route("**/api/v1/invitations", lambda route: route.fulfill(status=429, content_type="application/problem+json", headers={"Retry-After": "600"}, json=body))
    accept(page)
    expect(page.get_by_role("alert")).to_have_text("Too many tries. Try again in 600 seconds.")
    page.unroute("**/api/v1/invitations")
    page.route("**/api/v1/invitations", lambda route: route.abort())
    accept(page)
    expect(page.get_by_role("alert")).to_contain_text("answer")
    page.unroute("**/api/v1/invitations")
    accept(page)
    expect(kill_switch(page, "shop/ios")).to_be_visible()


def test_a_server_that_does_not_answer_at_first_does_not_lose_the_link(windows, server):
    windows.expected = {"lost"}
    page = windows.open(server, path=None, signed_in=False)
    page.route("**/api/v1/setup", lambda route: route.abort())
    page.goto(f"{server.admin}/#/invitation/{invited(server, 'nora')}")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()
    assert page.url == f"{server.admin}/#/invitation"
    page.unroute("**/api/v1/setup")
    page.get_by_role("button", name="Try again").click()
    accept(page)
    expect(kill_switch(page, "shop/ios")).to_be_visible()


def test_a_session_that_ended_meanwhile_needs_no_signing_out(windows, server):
    windows.expected = {401}
    server.call("POST", "/users", {"username": "olaf", "role": "viewer", "password": PASSWORD})
    page = windows.open(server, signed_in=False)
    sign_in(page, "olaf")
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    page.goto(f"{server.admin}/#/invitation/{invited(server, 'petra')}")
    expect(page.get_by_role("button", name="Sign out and go on")).to_be_visible()
    page.context.clear_cookies()
    page.get_by_role("button", name="Sign out and go on").click()
    accept(page)
    expect(page.locator(".who .user")).to_have_text("petra")


def test_the_page_of_a_link_comes_in_two_waits(windows, server):
    """Whoever opens it has nothing of the dashboard yet, and is perhaps on a phone."""
    page = windows.open(server, path=None, signed_in=False)
    slow(page)
    page.goto(f"{server.admin}/#/invitation/{invited(server, 'moritz')}")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    starts = sorted(start for _, start in page.evaluate(BEFORE))
    assert sum(later - start > LATENCY / 2 for start, later in zip(starts, starts[1:])) == 1, starts


@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_where_somebody_is_invited_or_comes(windows, server, width):
    windows.expected = {403}
    found = {}
    name = f"lena{width}"
    page = windows.open(server, "/settings/people", width=width, height=844)
    page.get_by_role("button", name="Invite a person…").click()
    dialog(page).get_by_role("button", name="Make the link").press("Enter")
    expect(dialog(page).locator("[aria-invalid=true]")).to_be_visible()
    found["invite"] = violations(page)
    dialog(page).get_by_label("Username").fill(name)
    dialog(page).get_by_role("button", name="Make the link").click()
    dialog(page).get_by_text("QR code of the link").click()
    expect(dialog(page).get_by_role("img")).to_be_visible()
    found["link"] = violations(page)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    link = dialog(page).locator("code").inner_text()
    page.keyboard.press("Escape")
    expect(panel(page, name)).to_be_visible()
    found["people"] = violations(page)
    panel(page, name).get_by_role("button", name="New link…").click()
    found["new link"] = violations(page)
    theirs = windows.open(server, path=None, signed_in=False, width=width, height=844)
    theirs.goto(link)
    accept(theirs, "short")
    expect(theirs.locator("[aria-invalid=true]")).to_be_visible()
    found["set a password"] = violations(theirs)
    assert theirs.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    accept(theirs)
    expect(kill_switch(theirs, "shop/ios")).to_be_visible()
    theirs.goto(link)
    expect(theirs.get_by_role("button", name="Sign out and go on")).to_be_visible()
    found["somebody is here"] = violations(theirs)
    theirs.get_by_role("button", name="Sign out and go on").click()
    accept(theirs)
    expect(theirs.get_by_role("button", name="Go to sign-in")).to_be_visible()
    found["used"] = violations(theirs)
    assert {name: problems for name, problems in found.items() if problems} == {}
