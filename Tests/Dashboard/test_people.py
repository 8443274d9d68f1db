"""People, tokens, and one's own account."""

import datetime
import re
import urllib.error
import urllib.request

import pyotp
import pytest
from playwright.sync_api import expect

from gatehouse_server import PASSWORD, Server
from steps import Held, begin_second_factor, dialog, kill_switch, lose_answer, sign_in, wait_until


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("people"), environment="staging")
    server.add_app("shop", "Shop", "ios")
    server.add_app("bank", "Bank", "ios")
    yield server
    server.stop()


def add_person(server, name, **more):
    server.call("POST", "/users", {"username": name, "role": "operator", "password": PASSWORD} | more)


def test_a_viewer_sees_everything_and_is_told_which_role_flips(windows, server):
    page = windows.open(server, "/settings/people")
    page.get_by_label("Username").fill("vera")
    page.get_by_label("First password").fill(PASSWORD)
    page.get_by_label("Role").last.select_option("viewer")
    page.get_by_role("button", name="Add a person").click()
    expect(page.get_by_role("heading", name="vera")).to_be_visible()

    viewer = windows.open(server, signed_in=False)
    sign_in(viewer, "vera")
    switch = kill_switch(viewer, "shop/ios")
    expect(switch).to_be_disabled()
    # Said once, above all the rows that it is about; and it is what describes each of their switches.
    expect(viewer.get_by_text("the operator role")).to_have_count(1)
    expect(switch).to_have_accessible_description("Blocking and opening need the operator role.")
    # It looks like what cannot be pressed, by its shape too.
    thumb = "(box) => { const { borderTopStyle, cursor } = getComputedStyle(box); return [borderTopStyle, cursor, parseFloat(getComputedStyle(box, '::after').height) < 6]; }"
    assert switch.evaluate(thumb) == ["dashed", "not-allowed", True]
    switch.click(force=True)
    viewer.goto(f"{server.admin}/#/t/shop/ios")
    expect(viewer.get_by_role("button", name="Block Shop on iOS…").first).to_be_disabled()
    expect(viewer.get_by_text("the operator role").filter(visible=True)).to_have_count(1)
    for toggle in viewer.get_by_role("switch").all():
        expect(toggle).to_have_accessible_description("Changing gates needs the operator role.")
    edit = viewer.get_by_role("button", name="Set: Alert of Shop on iOS")
    for button in (edit, viewer.get_by_role("button", name="Schedule a change… Shop on iOS")):
        expect(button).to_be_disabled()
        expect(button).to_have_accessible_description("Changing gates needs the operator role.")
    edit.click(force=True)
    viewer.goto(f"{server.admin}/#/schedule")
    expect(viewer.get_by_role("button", name="Schedule a change…")).to_be_disabled()
    expect(viewer.get_by_role("button", name="Schedule a change…")).to_have_accessible_description("This needs the operator role.")
    expect(dialog(viewer)).to_have_count(0)
    assert server.target("shop/ios")["state"] == "open"


def test_a_link_to_a_dialog_asks_nothing_of_somebody_who_may_not_use_it(windows, server):
    server.call("POST", "/users", {"username": "nell", "role": "viewer", "password": PASSWORD})
    viewer = windows.open(server, signed_in=False)
    sign_in(viewer, "nell")
    expect(kill_switch(viewer, "shop/ios")).to_be_visible()
    planned = []
    # The page behind it may ask for its own picture of a phone, which is a question that a viewer may ask.
    viewer.on("request", lambda request: planned.append(request.url) if request.method == "POST" and not request.url.endswith("/simulate") else None)
    viewer.goto(f"{server.admin}/#/t/shop/ios/edit/kill")
    expect(viewer.get_by_text("Changing gates needs the operator role.").first).to_be_visible()
    wait_until(viewer, "location.hash === '#/t/shop/ios'")
    expect(dialog(viewer)).to_have_count(0)
    assert planned == []
    viewer.goto(f"{server.admin}/#/settings/apps/shop")
    expect(viewer.get_by_text("This needs the administrator role.")).to_be_visible()


def test_an_operator_sees_and_flips_only_the_apps_in_scope(windows, server):
    add_person(server, "otto", apps=["shop"])
    page = windows.open(server, signed_in=False)
    sign_in(page, "otto")
    expect(kill_switch(page, "shop/ios")).to_be_enabled()
    expect(page.locator(".target-row")).to_have_count(1)
    # What happens to apps out of sight neither shows nor disturbs.
    server.change("bank/ios", {"alert": {"message": "Hello.", "blocking": False}})
    server.change("shop/ios", {"alert": {"message": "Hello.", "blocking": False}})
    expect(page.locator(".target-row")).to_contain_text("Hello.", timeout=3000)
    expect(page.locator(".target-row")).to_have_count(1)
    server.change("shop/ios", {"alert": None})


def test_a_form_offers_an_operator_only_the_apps_in_scope(windows, server):
    add_person(server, "olga", apps=["shop"])
    page = windows.open(server, "/settings/tokens", signed_in=False)
    sign_in(page, "olga")
    expect(page.get_by_role("checkbox", name="Shop", exact=True)).to_be_visible()
    for name in ("All apps", "Bank"):
        expect(page.get_by_label(name, exact=True)).to_have_count(0)
    page.get_by_label("Name").fill("mine")
    page.get_by_role("button", name="Make a token").click()
    expect(page.get_by_text("The token mine")).to_be_visible()
    made = next(token for token in server.call("GET", "/tokens")["items"] if token["name"] == "mine")
    assert made["apps"] == ["shop"]
    page.goto(f"{server.admin}/#/schedule/new")
    expect(page.get_by_label("App", exact=True).locator("option")).to_have_text(["Shop"])
    expect(page.get_by_role("checkbox", name="iOS")).to_be_checked()


def test_a_person_is_changed_disabled_and_deleted(windows, server):
    add_person(server, "dora")
    page = windows.open(server, "/settings/people")
    panel = page.locator(".panel").filter(has=page.get_by_role("heading", name="dora", exact=True))
    panel.get_by_text("Change", exact=True).click()
    panel.get_by_label("Only these").check()
    panel.get_by_role("button", name="Save").click()
    expect(panel.get_by_text("Choose at least one app, or all.")).to_be_visible()
    panel.get_by_label("Bank").check()
    panel.get_by_label("Disabled: cannot sign in").check()
    panel.get_by_role("button", name="Save").click()
    expect(panel.locator(".facts")).to_contain_text("disabled")
    expect(panel.locator(".facts")).to_contain_text("Bank")
    panel.get_by_role("button", name="Delete dora…").click()
    dialog(page).get_by_role("button", name="Delete dora").click()
    expect(panel).to_have_count(0)


def test_saving_and_deleting_leave_the_page_and_half_written_forms_where_they_are(windows, server):
    for name in ("quade", "quentin", "quirin"):
        add_person(server, name)
    page = windows.open(server, "/settings/people", height=500)
    quade, quentin, quirin = (page.locator(".panel").filter(has=page.get_by_role("heading", name=name, exact=True)) for name in ("quade", "quentin", "quirin"))
    quentin.get_by_text("Change", exact=True).click()
    quentin.get_by_label("New password", exact=True).fill("half of a pass")
    quirin.get_by_text("Change", exact=True).click()
    quirin.get_by_label("Role").select_option("viewer")
    save = quirin.get_by_role("button", name="Save")
    save.focus()
    top = page.evaluate("scrollY")
    assert top > 500
    save.click()
    expect(quirin.get_by_text("Saved", exact=True)).to_be_in_viewport()
    expect(quirin.locator(".facts")).to_contain_text("Viewer")
    expect(save).to_be_focused()
    assert page.evaluate("scrollY") == top
    # A second save starts from what the first one made.
    quirin.get_by_label("Disabled: cannot sign in").check()
    save.click()
    expect(quirin.locator(".facts")).to_contain_text("disabled")
    quade.get_by_text("Change", exact=True).click()
    quade.get_by_role("button", name="Delete quade…").click()
    dialog(page).get_by_role("button", name="Delete quade").click()
    expect(quade).to_have_count(0)
    expect(page.get_by_role("list", name="People")).to_be_focused()
    expect(quentin).to_be_in_viewport()
    expect(quentin.get_by_label("New password", exact=True)).to_have_value("half of a pass")


LOST = {
    "invitation": ("/settings/people", "users", "wendy"), "token": ("/settings/tokens", "tokens", "wanda's laptop"),
}


@pytest.mark.parametrize("what", LOST)
def test_what_was_made_without_an_answer_is_in_the_list_to_look_at(windows, server, what):
    windows.expected = {"lost"}
    route, path, name = LOST[what]
    page = windows.open(server, route)
    lose_answer(page, f"**/api/v1/{path}")
    if what == "token":
        page.get_by_label("Name").fill(name)
        page.get_by_role("button", name="Make a token").click()
    else:
        page.get_by_role("button", name="Invite a person…").click()
        dialog(page).get_by_label("Username").fill(name)
        dialog(page).get_by_role("button", name="Make the link").click()
    expect(page.get_by_text("It is not known whether it was done")).to_be_visible()
    expect(page.locator(".app-list > .panel").filter(has_text=name)).to_have_count(1)


def test_a_deletion_without_an_answer_is_seen_in_the_list(windows, server):
    windows.expected = {"lost"}
    add_person(server, "xaver")
    page = windows.open(server, "/settings/people")
    panel = page.locator(".panel").filter(has=page.get_by_role("heading", name="xaver", exact=True))
    panel.get_by_text("Change", exact=True).click()
    panel.get_by_role("button", name="Delete xaver…").click()
    lose_answer(page, "**/api/v1/users/xaver", method="DELETE")
    dialog(page).get_by_role("button", name="Delete xaver").click()
    expect(dialog(page)).to_contain_text("It is not known whether it was done")
    expect(panel).to_have_count(0)


def test_saving_a_role_leaves_alone_what_another_administrator_changed_meanwhile(windows, server):
    add_person(server, "norma", apps=["bank"])
    page = windows.open(server, "/settings/people")
    panel = page.locator(".panel").filter(has=page.get_by_role("heading", name="norma", exact=True))
    panel.get_by_text("Change", exact=True).click()
    panel.get_by_label("Role").select_option("viewer")
    server.call("PATCH", "/users/norma", {"disabled": True, "apps": ["shop"]})
    panel.get_by_role("button", name="Save").click()
    expect(panel.locator(".facts")).to_contain_text("Viewer")
    expect(panel.locator(".facts")).to_contain_text("disabled")
    norma = next(one for one in server.call("GET", "/users")["items"] if one["username"] == "norma")
    assert (norma["role"], norma["disabled"], norma["apps"]) == ("viewer", True, ["shop"])


def test_a_token_is_shown_once_works_and_is_revoked(windows, server):
    page = windows.open(server, "/settings/tokens")
    page.get_by_role("button", name="Make a token").click()
    expect(page.get_by_text("Give the token a name.")).to_be_visible()
    page.get_by_label("Name").fill("pipeline")
    page.get_by_role("button", name="Make a token").click()
    expect(page.get_by_role("heading", name="The token pipeline")).to_be_focused()
    page.get_by_role("button", name="Copy the token").click()
    token = page.evaluate("navigator.clipboard.readText()")

    def status():
        request = urllib.request.Request(f"{server.admin}/api/v1/status", headers={"Authorization": f"Bearer {token}"})
        try:
            return urllib.request.urlopen(request, timeout=10).status
        except urllib.error.HTTPError as error:
            return error.code

    assert status() == 200
    page.reload()
    expect(page.get_by_role("heading", name=re.compile("^pipeline"))).to_be_visible()
    expect(page.locator("main")).not_to_contain_text(token)
    page.get_by_role("button", name="Revoke pipeline…").click()
    dialog(page).get_by_role("button", name="Revoke pipeline").click()
    expect(page.locator(".panel").filter(has_text="pipeline")).to_contain_text("revoked")
    assert status() == 401


def test_a_token_whose_answer_is_lost_is_made_once(windows, server):
    windows.expected = {"lost", 409}
    page = windows.open(server, "/settings/tokens")
    name = page.get_by_label("Name")
    name.fill("night")
    lose_answer(page, "**/api/v1/tokens")
    make = page.get_by_role("button", name="Make a token")
    make.click()
    expect(page.get_by_text("It is not known whether it was done")).to_be_visible()
    panels = page.locator(".panel").filter(has=page.get_by_role("heading", name=re.compile("^night ")))
    expect(panels).to_have_count(1)
    # Nobody has seen it: pressed again, nothing is made, and it is said what to do.
    make.click()
    refusal = page.get_by_role("alert").filter(has_text="was made when this was first asked for")
    expect(refusal).to_contain_text("revoke the token and make another")
    made = [token for token in server.call("GET", "/tokens")["items"] if token["name"] == "night"]
    assert len(made) == 1
    expect(refusal).to_contain_text(made[0]["id"])
    page.get_by_role("button", name="Revoke night…").click()
    dialog(page).get_by_role("button", name="Revoke night").click()
    expect(panels).to_contain_text("revoked")
    make.click()
    expect(page.get_by_role("heading", name="The token night")).to_be_visible()
    assert len([token for token in server.call("GET", "/tokens")["items"] if token["name"] == "night"]) == 2


def test_a_token_that_was_revoked_is_not_told_to_work_by_an_older_answer(windows, server):
    for name in ("first", "second"):
        server.call("POST", "/tokens", {"name": name, "role": "viewer"})
    page = windows.open(server, "/settings/tokens")
    panels = page.locator(".panel").filter(has=page.get_by_role("heading", name=re.compile("^(first|second) ")))
    expect(panels).to_have_count(2)
    late = Held(page, "**/api/v1/tokens")
    for name in ("first", "second"):
        page.get_by_role("button", name=f"Revoke {name}…").click()
        dialog(page).get_by_role("button", name=f"Revoke {name}").click()
        expect(dialog(page)).to_have_count(0)
        late.wait()
    expect(panels.filter(has_text="revoked")).to_have_count(2)
    with page.expect_response("**/api/v1/tokens"):
        late.release()
    page.evaluate("fetch('/healthz/live')")
    expect(panels.filter(has_text="revoked")).to_have_count(2)


def test_a_browser_that_was_signed_out_is_not_told_to_be_in_by_an_older_answer(windows, server):
    page = windows.open(server, "/settings/account")
    for _ in range(2):
        other = page.context.browser.new_context()
        assert other.request.post(f"{server.admin}/api/v1/session", data={"username": "admin", "password": PASSWORD}).ok
        other.close()
    page.reload()
    out = page.get_by_role("button", name=re.compile(r"^Sign out 127\.0\.0\.1"))
    expect(out.nth(1)).to_be_visible()
    before = out.count()
    late = Held(page, "**/api/v1/account/sessions")
    out.first.click()
    late.wait()
    out.nth(1).click()
    expect(out).to_have_count(before - 2)
    with page.expect_response("**/api/v1/account/sessions"):
        late.release()
    page.evaluate("fetch('/healthz/live')")
    expect(out).to_have_count(before - 2)


def test_a_token_that_is_revoked_is_not_there_to_be_copied(windows, server):
    page = windows.open(server, "/settings/tokens")
    copy = page.get_by_role("button", name="Copy the token")
    for name in ("oven", "kettle"):
        page.get_by_label("Name").fill(name)
        page.get_by_role("button", name="Make a token").click()
        expect(page.get_by_role("heading", name=f"The token {name}")).to_be_visible()
    page.get_by_role("button", name="Revoke oven…").click()
    dialog(page).get_by_role("button", name="Revoke oven").click()
    expect(page.locator(".panel").filter(has_text="oven")).to_contain_text("revoked")
    expect(copy).to_be_visible()
    page.get_by_role("button", name="Revoke kettle…").click()
    dialog(page).get_by_role("button", name="Revoke kettle").click()
    expect(page.locator(".panel").filter(has_text="kettle").filter(has_text="revoked")).to_be_visible()
    expect(copy).to_have_count(0)


def test_a_token_whose_maker_has_gone_to_another_screen_is_shown_there(windows, server):
    page = windows.open(server, "/settings/tokens")
    # The list has been read, so the next request is the one that makes it.
    expect(page.locator(".app-list > .panel").filter(has_text="tests")).to_be_visible()
    page.get_by_label("Name").fill("made on the way out")
    late = Held(page, "**/api/v1/tokens")
    page.get_by_role("button", name="Make a token").click()
    late.wait()
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", level=1, name="History")).to_be_focused()
    late.release()
    shown = page.get_by_role("dialog", name="The token made on the way out")
    expect(shown.get_by_role("heading")).to_be_focused()
    expect(shown).to_contain_text("Copy it now: it is not shown again.")
    # It came unasked; an Esc that was meant for something else takes nothing away.
    for _ in range(2):
        page.keyboard.press("Escape")
    shown.get_by_role("button", name="Copy the token").click()
    token = page.evaluate("navigator.clipboard.readText()")
    expect(shown.locator("code")).to_have_text(token)
    request = urllib.request.Request(f"{server.admin}/api/v1/status", headers={"Authorization": f"Bearer {token}"})
    assert urllib.request.urlopen(request, timeout=10).status == 200
    shown.get_by_role("button", name="Close").click()
    expect(dialog(page)).to_have_count(0)
    expect(page.get_by_role("heading", level=1, name="History")).to_be_focused()


def test_a_token_is_shown_to_nobody_but_the_person_who_made_it(windows, server):
    windows.expected = {"lost"}
    page = windows.open(server, "/settings/tokens")
    page.get_by_label("Name").fill("made before signing out")
    held = []
    page.route("**/api/v1/tokens", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    page.get_by_role("button", name="Make a token").click()
    # Without an answer to the sign-out, the page is not loaded anew.
    page.route("**/api/v1/session", lambda route: route.abort() if route.request.method == "DELETE" else route.continue_())
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    with page.expect_response("**/api/v1/tokens"):
        held.pop().continue_()
    # Whatever the page makes of the answer, it has made when it has read another one.
    page.evaluate("fetch('/api/v1/setup').then((answer) => answer.text()).then(() => new Promise((next) => setTimeout(next)))")
    expect(dialog(page)).to_have_count(0)
    expect(page.locator("body")).not_to_contain_text("made before signing out")


def test_recovery_codes_whose_owner_has_gone_to_another_screen_are_shown_there(windows, server):
    add_person(server, "rita")
    page = windows.open(server, "/settings/account", signed_in=False)
    sign_in(page, "rita")
    begin_second_factor(page)
    late = Held(page, "**/api/v1/account/totp/confirm")
    page.get_by_role("button", name="Turn it on").click()
    late.wait()
    page.get_by_role("link", name="Overview").click()
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    late.release()
    shown = page.get_by_role("dialog", name="Recovery codes")
    expect(shown.locator(".codes code")).to_have_count(10)
    assert page.evaluate(RUN_OVER) == 0
    codes = shown.locator(".codes code").all_inner_texts()
    shown.get_by_role("button", name="Copy the codes").click()
    assert page.evaluate("navigator.clipboard.readText()").split("\n") == codes


def test_a_second_factor_whose_answer_is_lost_is_seen_to_be_on_and_to_be_off(windows, server):
    windows.expected = {"lost"}
    add_person(server, "ruth")
    page = windows.open(server, "/settings/account", signed_in=False)
    sign_in(page, "ruth")
    begin_second_factor(page)
    lose_answer(page, "**/api/v1/account/totp/confirm")
    page.get_by_role("button", name="Turn it on").click()
    # Nobody will ever see its recovery codes; others come with another one.
    expect(page.get_by_text("10 recovery codes are left.")).to_be_visible()
    expect(page.get_by_text("If you have lost them, remove the second factor and set it up again.")).to_be_visible()
    lose_answer(page, "**/api/v1/account/totp", method="DELETE")
    page.get_by_role("button", name="Remove the second factor…").click()
    dialog(page).get_by_role("button", name="Remove the second factor").click()
    expect(page.get_by_text("Signing in needs only the password.")).to_be_attached()


def test_a_second_factor_whose_code_never_arrived_can_still_be_turned_on(windows, server):
    windows.expected = {"lost"}
    add_person(server, "rhea")
    page = windows.open(server, "/settings/account", signed_in=False)
    sign_in(page, "rhea")
    begin_second_factor(page)
    lost = []
    # It stays to the end: a route that is over after one request stops all interception just when the next request is on its way.
    page.route("**/api/v1/account/totp/confirm", lambda route: route.continue_() if lost else lost.append(route) or route.abort())
    with page.expect_response("**/api/v1/account"):
        page.get_by_role("button", name="Turn it on").click()
    expect(page.get_by_text("It is not known whether it was done")).to_be_visible()
    page.get_by_role("button", name="Turn it on").click()
    expect(page.locator(".codes code")).to_have_count(10)


# Codes that lie on each other, or reach out of what holds them.
RUN_OVER = """() => {
    const codes = [...document.querySelectorAll(".codes code")].map((code) => code.getBoundingClientRect());
    const { right } = document.querySelector(".codes").getBoundingClientRect();
    return codes.filter((one) => one.right > right + 1 || codes.some((two) => two !== one
        && one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom)).length;
}"""


def test_signing_out_another_browser_leaves_the_second_factor_where_it_is(windows, server):
    windows.expected = {401}
    add_person(server, "rosa")
    page = windows.open(server, "/settings/account", signed_in=False)
    for other in range(2):
        sign_in(windows.open(server, signed_in=False), "rosa")
    sign_in(page, "rosa")
    begin_second_factor(page)
    others = page.get_by_role("group", name="Where you are signed in").locator(".panel")
    expect(others).to_have_count(3)
    # What is half set up stays: another start would make another secret.
    others.get_by_role("button", name="Sign out 127").first.click()
    expect(others).to_have_count(2)
    page.get_by_role("button", name="Turn it on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    page.get_by_role("button", name="Sign out everywhere else").click()
    expect(others).to_have_count(1)
    # They are never shown again, and must be read.
    expect(page.locator(".codes code")).to_have_count(10)
    for width in (360, 700, 1000, 1280, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(RUN_OVER) == 0, width


def test_what_wants_a_fresh_sign_in_asks_for_the_password_and_goes_on(windows, server):
    windows.expected = {403, 401}
    add_person(server, "fred")
    page = windows.open(server, signed_in=False)
    sign_in(page, "admin")
    expect(kill_switch(page, "shop/ios")).to_be_visible()
    page.goto(f"{server.admin}/#/settings/people")
    refusals = [{"title": "Forbidden", "status": 403, "code": "fresh_sign_in_required", "detail": "Give your password again.", "requestId": "x"}]

    def refuse_once(route):
        if route.request.method == "DELETE" and refusals:
            return route.fulfill(status=403, content_type="application/problem+json", json=refusals.pop())
        route.continue_()

    page.route("**/api/v1/users/fred", refuse_once)
    panel = page.locator(".panel").filter(has=page.get_by_role("heading", name="fred", exact=True))
    panel.get_by_text("Change", exact=True).click()
    panel.get_by_role("button", name="Delete fred…").click()
    dialog(page).get_by_role("button", name="Delete fred").click()
    proof = page.get_by_role("dialog", name="Your password once more")
    proof.get_by_label("Password", exact=True).fill("not the password")
    proof.get_by_role("button", name="Go on").click()
    expect(proof.get_by_role("alert")).to_have_text("The password or the code is wrong.")
    proof.get_by_label("Password", exact=True).fill(PASSWORD)
    proof.get_by_role("button", name="Go on").click()
    expect(proof).to_have_count(0)
    expect(panel).to_have_count(0)


def test_what_wants_a_fresh_sign_in_asks_for_it_also_after_a_session_that_had_ended(windows, server):
    """The session that goes on may be one that another tab began long ago."""
    windows.expected = {401, 403}
    # The proof renews the session, which is therefore not the one that the other tests share.
    page = windows.open(server, "/settings/people", signed_in=False)
    sign_in(page, "admin")
    refusals = [(403, "fresh_sign_in_required"), (401, "unauthenticated")]

    def refuse(route):
        if route.request.method != "POST" or not refusals:
            return route.continue_()
        status, code = refusals.pop()
        route.fulfill(status=status, content_type="application/problem+json", json={"title": "Refused", "status": status, "code": code, "detail": "Give your password again."})

    page.route("**/api/v1/users", refuse)
    page.get_by_role("button", name="Invite a person…").click()
    dialog(page).get_by_label("Username").fill("gwen")
    dialog(page).get_by_role("button", name="Make the link").click()
    proof = page.get_by_role("dialog", name="Your password once more")
    proof.get_by_label("Password", exact=True).fill(PASSWORD)
    proof.get_by_role("button", name="Go on").click()
    expect(dialog(page).get_by_role("heading", name="gwen")).to_be_visible()
    assert refusals == []


def test_control_and_enter_invites_from_wherever_the_focus_is(windows, server):
    page = windows.open(server, "/settings/people")
    page.get_by_role("button", name="Invite a person…").press("Enter")
    dialog(page).get_by_label("Role").press("Control+Enter")
    expect(dialog(page).get_by_label("Username")).to_be_focused()
    page.keyboard.type("hedy")
    dialog(page).get_by_label("Role").press("Control+Enter")
    expect(dialog(page).get_by_role("heading", name="The link for hedy")).to_be_focused()


def test_a_password_that_is_given_twice_by_an_impatient_key_is_one_try(windows, server, app):
    windows.expected = {401, 403}
    page = windows.open(server, "/settings/people")
    refusal = {"title": "Forbidden", "status": 403, "code": "fresh_sign_in_required", "detail": "Give your password again."}
    page.route("**/api/v1/users", lambda route: route.fulfill(status=403, content_type="application/problem+json", json=refusal) if route.request.method == "POST" else route.continue_())
    late = Held(page, "**/api/v1/session/reauthenticate")
    tries = []
    page.on("request", lambda request: tries.append(request) if request.url.endswith("/reauthenticate") else None)
    page.get_by_role("button", name="Invite a person…").click()
    dialog(page).get_by_label("Username").fill(app)
    dialog(page).get_by_role("button", name="Make the link").click()
    proof = page.get_by_role("dialog", name="Your password once more")
    proof.get_by_label("Password", exact=True).fill("not the password")
    page.keyboard.press("Enter")
    late.wait()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    late.release()
    expect(proof.get_by_role("alert")).to_have_text("The password or the code is wrong.")
    assert len(tries) == 1
    # The next one is a try of its own.
    page.keyboard.press("Enter")
    expect(proof.get_by_role("alert")).to_have_text("The password or the code is wrong.")
    assert len(tries) == 2


def test_the_password_is_changed_and_other_browsers_are_signed_out(windows, server):
    windows.expected = {401, 403}
    add_person(server, "paul")
    page = windows.open(server, signed_in=False)
    sign_in(page, "paul")
    other = windows.open(server, signed_in=False)
    sign_in(other, "paul")
    expect(kill_switch(other, "shop/ios")).to_be_visible()
    page.goto(f"{server.admin}/#/settings/account")
    expect(page.get_by_role("button", name="Sign out everywhere else")).to_be_visible()
    page.get_by_label("Current password", exact=True).fill("not the password")
    page.get_by_label("New password", exact=True).fill("quite another password")
    page.get_by_role("button", name="Change the password").click()
    expect(page.locator(".problem:visible, .error:visible").first).not_to_be_empty()
    page.get_by_label("Current password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Change the password").click()
    expect(page.get_by_text("Changed. Other browsers are signed out.")).to_be_visible()
    expect(other.get_by_role("dialog", name="Your session has ended")).to_be_visible()
    # This window goes on, writes included.
    page.goto(f"{server.admin}/#/")
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_role("button", name="Maintenance").click()
    dialog(page).get_by_role("button", name="Block ").click()
    expect(kill_switch(page, "shop/ios")).to_be_checked()


def test_a_new_password_wants_the_code_too_and_can_end_the_tokens(windows, server):
    windows.expected = {401, 403}
    add_person(server, "nora")
    page = windows.open(server, "/settings/account", signed_in=False)
    sign_in(page, "nora")
    code, change = page.get_by_label("Code", exact=True), page.get_by_role("button", name="Change the password")
    expect(page.get_by_text("Signing in needs only the password.")).to_be_visible()
    expect(code).to_be_hidden()
    authenticator = begin_second_factor(page)
    page.get_by_role("button", name="Turn it on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    recovery = page.locator(".codes code").all_inner_texts()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the codes").click()
    assert download.value.suggested_filename == "gatehouse-recovery-codes.txt"
    assert download.value.path().read_text().split("\n\n")[1].split() == recovery
    page.set_viewport_size({"width": 320, "height": 700})
    # A code stands on one line, or it is read as two.
    assert page.locator(".codes code").evaluate_all("(codes) => codes.every((code) => code.getClientRects().length === 1)")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{server.admin}/#/settings/tokens")
    page.get_by_label("Name").fill("nora's laptop")
    page.get_by_role("button", name="Make a token").click()
    expect(page.get_by_role("heading", name="The token nora's laptop")).to_be_visible()

    page.goto(f"{server.admin}/#/settings/account")
    expect(code).to_be_visible()
    page.get_by_label("Current password", exact=True).fill(PASSWORD)
    page.get_by_label("New password", exact=True).fill("quite another password")
    change.click()
    expect(page.get_by_text("Also enter the code from your authenticator, or a recovery code.")).to_be_visible()
    expect(code).to_be_focused()
    code.fill(recovery[0])
    page.get_by_label("Also revoke my tokens").check()
    change.click()
    expect(page.get_by_text("Changed. Other browsers are signed out.")).to_be_visible()
    page.goto(f"{server.admin}/#/settings/tokens")
    expect(page.locator(".panel").filter(has_text="nora's laptop")).to_contain_text("revoked")


def test_a_second_factor_is_set_up_asked_for_and_taken_away(windows, server):
    windows.expected = {401, 422}
    add_person(server, "tina")
    page = windows.open(server, "/settings/account", signed_in=False)
    sign_in(page, "tina")
    page.set_viewport_size({"width": 390, "height": 600})
    page.get_by_role("button", name="Set up an authenticator").click()
    # What has come is in view, and the focus is at it.
    expect(page.get_by_role("img", name="QR code of the secret")).to_be_in_viewport()
    expect(page.get_by_role("group", name="Second factor")).to_be_focused()
    # The link says the same as the secret that is typed, and whose it is.
    authenticator = pyotp.parse_uri(page.get_by_role("link", name="Open in an authenticator").get_attribute("href"))
    page.get_by_role("button", name="Copy the secret").click()
    assert page.evaluate("navigator.clipboard.readText()") == authenticator.secret
    assert (authenticator.name, authenticator.issuer) == ("tina", "Gatehouse staging")
    confirmed = datetime.datetime.now()
    page.get_by_label("Its code").fill(authenticator.at(confirmed))
    page.get_by_role("button", name="Turn it on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_focused()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 800})
    codes = page.locator(".codes code").all_inner_texts()
    assert len(set(codes)) == 10

    def sign_in_again(code, works=True):
        page.get_by_role("button", name="Sign out", exact=True).first.click() if works else page.reload()
        sign_in(page, "tina")
        asked = page.get_by_label("Code", exact=True)
        expect(asked).to_be_focused()
        asked.fill(code)
        page.get_by_role("button", name="Sign in").click()

    wrong = page.get_by_role("alert").filter(has_text="The code is wrong or was used already.")
    # The code that confirmed is used up, so the next one: it is good for half a minute before its time too.
    sign_in_again(authenticator.at(confirmed, counter_offset=1))
    expect(page.get_by_text("Signing in also needs a code. 10 recovery codes are left.")).to_be_visible()
    for used in (authenticator.at(confirmed, counter_offset=1), authenticator.at(confirmed)):
        sign_in_again(used, works=page.get_by_role("button", name="Sign out", exact=True).count() > 0)
        expect(wrong).to_be_visible()
    sign_in_again(codes[0], works=False)
    expect(page.get_by_text("Signing in also needs a code. 9 recovery codes are left.")).to_be_visible()
    sign_in_again(codes[0])
    expect(wrong).to_be_visible()
    sign_in_again(codes[1], works=False)
    page.get_by_role("button", name="Remove the second factor…").click()
    dialog(page).get_by_role("button", name="Remove the second factor").click()
    expect(page.get_by_text("Signing in needs only the password.")).to_be_visible()


def test_what_the_roles_may_do_is_said_once(windows, server):
    add_person(server, "ulla")
    add_person(server, "udo")
    page = windows.open(server, "/settings/people")
    expect(page.get_by_role("heading", name="udo")).to_be_visible()
    for summary in page.locator("details > summary").all():
        summary.click()
    expect(page.get_by_text("Viewers see everything, operators change gates")).to_have_count(1)


def test_a_name_written_into_an_invitation_outlives_escape(windows, server):
    page = windows.open(server, "/settings/people")
    invite = page.get_by_role("button", name="Invite a person…")
    invite.click()
    dialog(page).get_by_label("Username").fill("zoe.outlives")
    dialog(page).get_by_label("Role").select_option("viewer")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    invite.click()
    expect(dialog(page).get_by_label("Username")).to_have_value("zoe.outlives")
    expect(dialog(page).get_by_label("Role")).to_have_value("viewer")
    page.keyboard.press("Control+Enter")
    expect(dialog(page).get_by_role("heading")).to_contain_text("zoe.outlives")
    page.keyboard.press("Escape")
    invite.click()
    expect(dialog(page).get_by_label("Username")).to_have_value("")
