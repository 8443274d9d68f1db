"""Set-up, sign-in, sign-out, and a session that ends while somebody is writing."""

import re

import pytest
from playwright.sync_api import expect

from conftest import numbers
from gatehouse_server import PASSWORD
from steps import begin_second_factor, deaf, dialog, kill_switch, lose_answer, sign_in


@pytest.fixture
def fresh_server(start_server):
    return start_server(environment=None, users=False)


def test_the_setup_link_makes_the_first_administrator_and_leads_to_the_first_flip(fresh_server, windows):
    windows.expected = {401}
    page = windows.open(fresh_server, f"/setup/{fresh_server.setup_code()}", signed_in=False)
    expect(page.get_by_role("heading", name="Set up Gatehouse")).to_be_visible()
    page.get_by_label("Username").fill("mara")
    page.get_by_label("Password", exact=True).fill("too short")
    page.get_by_role("button", name="Create administrator").click()
    expect(page.get_by_text("A password has at least 12 characters.")).to_be_visible()
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create administrator").click()

    expect(page.get_by_role("heading", name="Welcome to Gatehouse")).to_be_visible()
    # The first step stands on the page itself.
    page.get_by_label("Name").fill("Shop Zürich")
    expect(page.get_by_label("Key", exact=True)).to_have_value("shop-zurich")
    page.get_by_label("Key", exact=True).fill("shop")
    page.get_by_label("iOS").check()
    page.get_by_role("button", name="Add app").click()
    expect(page.get_by_role("heading", name="Next: let Shop Zürich poll its feed")).to_be_focused()
    waits = page.locator(".first-poll")
    expect(waits.get_by_role("status")).to_have_text("Waiting for the first poll of iOS…")
    # The code is in view, for the library that is chosen.
    expect(waits.locator("pre")).to_contain_text(f'configURI: "{fresh_server.feeds}/feeds/shop/launchgate.json"')
    waits.get_by_label("Bellerophon").check()
    expect(waits.locator("pre")).to_contain_text(f"{fresh_server.feeds}/feeds/shop/ios/bellerophon.json")
    waits.get_by_role("button", name=re.compile("Copy Bellerophon")).click()
    assert page.evaluate("navigator.clipboard.readText()") == f"{fresh_server.feeds}/feeds/shop/ios/bellerophon.json"
    fresh_server.feed("shop/ios/bellerophon.json")
    expect(waits.get_by_role("status")).to_contain_text("✓ Bellerophon, just now")
    expect(page.get_by_role("link", name="Go to Shop Zürich on iOS")).to_be_visible()
    kill_switch(page, "shop/ios").click()
    dialog(page).get_by_role("button", name="Maintenance").click()
    dialog(page).get_by_role("button", name="Block Shop Zürich on iOS").click()
    expect(kill_switch(page, "shop/ios")).to_be_checked()
    assert fresh_server.feed("shop/ios/bellerophon.json")["apiInactive"] is True


@pytest.mark.parametrize("lost", ["setup", "session"])
def test_a_setup_whose_answer_is_lost_goes_on_with_the_next_press(fresh_server, windows, lost):
    windows.expected = {403, "lost"}
    page = windows.open(fresh_server, f"/setup/{fresh_server.setup_code()}", signed_in=False)
    lose_answer(page, f"**/api/v1/{lost}")
    page.get_by_label("Username").fill("mara")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create administrator").click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    page.get_by_role("button", name="Create administrator").click()
    expect(page.get_by_role("heading", name="Welcome to Gatehouse")).to_be_visible()


def test_a_used_setup_link_says_so(windows, server):
    page = windows.open(server, "/setup/whatever", signed_in=False)
    expect(page.get_by_text("This server is set up already.")).to_be_visible()
    windows.expected = {401}
    page.get_by_role("link", name="Go to sign-in").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_wrong_password_is_refused_without_saying_which_part_was_wrong(windows, server):
    windows.expected = {401}
    page = windows.open(server, signed_in=False)
    sign_in(page, "admin", "not the password")
    expect(page.get_by_role("alert")).to_have_text("Username or password is wrong.")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    sign_in(page, "nobody", "not the password")
    expect(page.get_by_role("alert")).to_have_text("Username or password is wrong.")


def test_signing_in_keeps_the_address_that_was_asked_for_and_signing_out_ends_the_session(windows, server):
    windows.expected = {401}
    page = windows.open(server, "/history", signed_in=False)
    sign_in(page, "admin", PASSWORD)
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    expect(page).to_have_title("History · Gatehouse – STAGING")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()


RENEW = """async (password) => {
  const { csrf } = await (await fetch("/api/v1/session")).json();
  const headers = { "Content-Type": "application/json", "X-Gatehouse-CSRF": csrf };
  return (await fetch("/api/v1/session/reauthenticate", { method: "POST", headers, body: JSON.stringify({ password }) })).status;
}"""


def test_signing_out_ends_the_session_that_another_tab_has_renewed(windows, server):
    windows.expected = {401, 403}
    page = windows.open(server, "/history", signed_in=False)
    sign_in(page, "admin", PASSWORD)
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    beside = page.context.new_page()
    beside.goto(f"{server.admin}/#/history")
    # As that tab does when it asks for the password once more: cookie and CSRF token are new.
    assert beside.evaluate(RENEW, PASSWORD) == 200
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.context.request.get(f"{server.admin}/api/v1/session").status == 401


def test_a_sign_out_that_the_server_did_not_confirm_is_not_shown_as_one(windows, own_server):
    windows.expected = {401, "lost"}
    page = windows.open(own_server, "/history", signed_in=False)
    sign_in(page, "admin", PASSWORD)
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    own_server.stop()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="may still be signed in")).to_be_visible()
    # So it is.
    own_server.restart()
    page.reload()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    expect(page.get_by_text("may still be signed in")).to_have_count(0)


def test_a_server_without_its_key_for_codes_says_that_a_recovery_code_still_opens(windows, own_server):
    windows.expected = {401, 503, "lost"}
    page = windows.open(own_server, "/settings/account", signed_in=False)
    sign_in(page, "admin", PASSWORD)
    begin_second_factor(page)
    page.get_by_role("button", name="Turn it on").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    codes = page.locator(".codes code").all_inner_texts()
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    own_server.stop()
    (own_server.folder / "keys" / "totp.key").unlink()
    own_server.restart()
    sign_in(page, "admin", PASSWORD)
    code = page.get_by_label("Code", exact=True)
    code.fill("123456")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert").filter(has_text="use a recovery code")).to_be_visible()
    code.fill(codes[0])
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1, name="Account")).to_be_visible()


def test_a_session_that_ends_asks_for_the_password_over_the_page_and_keeps_the_draft(windows, server):
    # 403: a preview that is asked for while the new session comes still has the CSRF token of the old one, and is asked for again.
    windows.expected = {401, 403}
    server.add_app("draft", "Draft", "ios")
    page = windows.open(server, signed_in=False)
    sign_in(page, "admin", PASSWORD)
    kill_switch(page, "draft/ios").click()
    page.get_by_label("Message").fill("Half a sentence")
    page.context.clear_cookies()
    again = page.get_by_role("dialog", name="Your session has ended")
    expect(again).to_be_visible()
    expect(again.get_by_label("Username")).to_have_value("admin")
    again.get_by_label("Password", exact=True).fill(PASSWORD)
    again.get_by_role("button", name="Sign in").click()
    expect(again).to_have_count(0)
    expect(page.get_by_label("Message")).to_have_value("Half a sentence")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(kill_switch(page, "draft/ios")).to_be_checked()


def test_no_number_of_escapes_takes_the_question_for_the_password_away(windows, server, app):
    windows.expected = {401}
    page = windows.open(server, f"/t/{app}/ios", signed_in=False)
    sign_in(page, "admin", PASSWORD)
    expect(page.get_by_role("heading", level=1, name=re.compile(app, re.IGNORECASE))).to_be_visible()
    page.context.clear_cookies()
    again = page.get_by_role("dialog", name="Your session has ended")
    expect(again.get_by_label("Password", exact=True)).to_be_focused()
    for _ in range(5):
        page.keyboard.press("Escape")
        # Not before what the browser made of the last one has been told to the page.
        page.evaluate("() => new Promise((done) => setTimeout(done))")
    expect(again.get_by_label("Password", exact=True)).to_be_focused()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    expect(again).to_have_count(0)
    page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").first.click()
    expect(dialog(page).get_by_label("Message")).to_be_focused()


def test_a_request_that_is_refused_late_does_not_ask_for_the_password_twice(windows, server):
    windows.expected = {401}
    server.add_app("late", "Late", "ios")
    page = windows.open(server, signed_in=False)
    sign_in(page, "admin", PASSWORD)
    kill_switch(page, "late/ios").click()
    expect(page.get_by_label("Message")).to_be_focused()
    page.context.clear_cookies()
    late = []

    def hold(route):
        answer = route.fetch()
        if answer.status == 401 and not late:
            return late.append(lambda: route.fulfill(response=answer))
        route.fulfill(response=answer)

    page.route("**/api/v1/events*", hold)
    with page.expect_request("**/api/v1/events*"):
        pass
    page.get_by_label("Message").fill("Half a sentence")
    again = page.get_by_role("dialog", name="Your session has ended")
    again.get_by_label("Password", exact=True).fill(PASSWORD)
    again.get_by_role("button", name="Sign in").click()
    expect(again).to_have_count(0)
    late[0]()
    page.wait_for_timeout(500)
    expect(again).to_have_count(0)


@pytest.fixture
def bob(server):
    """Somebody else, who may block too."""
    name = f"bob{next(numbers)}"
    server.call("POST", "/users", {"username": name, "password": PASSWORD, "role": "operator"})
    return name


def about_to_block(windows, server, app):
    """A page of the administrator's that hears of nothing, with a block written."""
    windows.expected |= {401, 403, "lost"}
    page = windows.open(server, f"/t/{app}/ios", signed_in=False)
    sign_in(page, "admin", PASSWORD)
    page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").first.click()
    dialog(page).get_by_label("Message").fill("By admin.")
    expect(dialog(page).locator(".outcomes")).to_be_visible()
    deaf(page)
    page.evaluate("window.mine = true")
    return page


def begun_anew_as(page, name):
    expect(page.locator(".who .user")).to_have_text(name)
    assert page.evaluate("window.mine") is None


def test_what_one_person_was_about_to_publish_is_not_published_as_another_who_signs_in_over_the_page(windows, server, app, bob):
    page = about_to_block(windows, server, app)
    refused = []

    def end(route):
        if refused or route.request.post_data_json.get("dryRun"):
            return route.continue_()
        refused.append(route.request.post_data_json)
        page.context.clear_cookies()
        route.fulfill(status=401, json={"type": "about:blank", "title": "Unauthorized", "status": 401, "code": "unauthenticated", "detail": ""})

    page.route("**/api/v1/changes", end)
    dialog(page).get_by_role("button", name="Block ").click()
    again = page.get_by_role("dialog", name="Your session has ended")
    again.get_by_label("Username").fill(bob)
    again.get_by_label("Password", exact=True).fill(PASSWORD)
    again.get_by_role("button", name="Sign in").click()
    begun_anew_as(page, bob)
    assert server.target(f"{app}/ios")["revision"] == 1


def test_what_one_person_was_about_to_publish_is_not_published_as_another_who_signed_in_beside_it(windows, server, app, bob):
    page = about_to_block(windows, server, app)
    signed_in = []

    def be_somebody_else(route):
        if not signed_in and not route.request.post_data_json.get("dryRun"):
            signed_in.append(page.context.request.post(f"{server.admin}/api/v1/session", data={"username": bob, "password": PASSWORD}))
        route.continue_()

    page.route("**/api/v1/changes", be_somebody_else)
    dialog(page).get_by_role("button", name="Block ").click()
    begun_anew_as(page, bob)
    assert signed_in[0].ok
    assert server.target(f"{app}/ios")["revision"] == 1


def test_nor_is_the_second_of_two_things_at_once(windows, server, app, bob):
    page = about_to_block(windows, server, app)
    module = page.evaluate("performance.getEntriesByType('resource').map((entry) => entry.name).find((name) => name.endsWith('/api.js'))")
    assert page.context.request.post(f"{server.admin}/api/v1/session", data={"username": bob, "password": PASSWORD}).ok
    alerts = [{"targets": [{"app": app, "platform": platform, "revision": 1}], "set": {"alert": {"message": "By admin.", "blocking": False}}} for platform in ("ios", "android")]
    # Both find somebody else signed in; the page begins anew because of the first, and has not yet done so when the second goes on. Nothing is
    # waited for in the page: it may begin anew before that could be answered.
    page.evaluate(
        """([module, bodies]) => {
          void import(module).then(({ request }) => { for (const body of bodies) request("POST", "/changes", { body }); });
        }""", [module, alerts],
    )
    begun_anew_as(page, bob)
    assert [server.target(f"{app}/{platform}")["revision"] for platform in ("ios", "android")] == [1, 1]


# What asks about facts before it opens a dialog, from where it is shown.
PRESSES = {
    "kill switch": ("/", lambda page, app: kill_switch(page, f"{app}/ios")),
    "edit": ("/t/{app}/ios", lambda page, app: page.locator("[data-key='edit alert']")),
    "gate switch": ("/t/{app}/ios", lambda page, app: page.locator("[data-key='switch alert']")),
}


@pytest.mark.parametrize("press", PRESSES)
def test_no_dialog_opens_over_the_question_for_the_password(windows, server, app, press):
    """However long somebody takes to write the password: none of it may end up in a message to everybody."""
    windows.expected |= {401, "lost"}
    path, control = PRESSES[press]
    page = windows.open(server, path=None, signed_in=False)
    page.clock.install()
    page.goto(f"{server.admin}/#{path.format(app=app)}")
    sign_in(page, "admin", PASSWORD)
    pressed = control(page, app)
    # The dialog's code is here already: what opens it late is not the network.
    pressed.click()
    expect(dialog(page).get_by_label("Message")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    deaf(page)
    page.context.clear_cookies()
    pressed.click()
    again = page.get_by_role("dialog", name="Your session has ended")
    expect(again.get_by_label("Password", exact=True)).to_be_focused()
    # Longer than a press waits for fresh facts.
    page.clock.run_for(5000)
    page.keyboard.type(PASSWORD)
    expect(page.locator("dialog[open]")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(again).to_have_count(0)
    shown = page.locator("dialog.change-dialog")
    expect(shown.get_by_label("Message")).to_be_focused()
    expect(shown.get_by_label("Message")).to_have_value("")


def written_by_bob(windows, server, app, bob):
    """A page of somebody who may block, with a block written."""
    windows.expected |= {401, 403, "lost"}
    page = windows.open(server, f"/t/{app}/ios", signed_in=False)
    sign_in(page, bob)
    page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").first.click()
    dialog(page).get_by_label("Message").fill("By bob.")
    return page


def sign_in_again(page):
    again = page.get_by_role("dialog", name="Your session has ended")
    again.get_by_label("Password", exact=True).fill(PASSWORD)
    again.get_by_role("button", name="Sign in").click()


def test_whoever_signs_in_again_with_another_role_gets_the_page_of_that_role(windows, server, app, bob):
    page = written_by_bob(windows, server, app, bob)
    server.call("PATCH", f"/users/{bob}", {"role": "viewer"})
    sign_in_again(page)
    expect(page.get_by_text("Changing gates needs the operator role.")).to_be_visible()
    expect(page.get_by_role("switch", name="Alert")).to_have_attribute("aria-disabled", "true")
    expect(dialog(page)).to_have_count(0)


def test_whoever_signs_in_again_with_other_apps_sees_those_and_has_their_draft(windows, server, app, bob):
    page = written_by_bob(windows, server, app, bob)
    server.call("PATCH", f"/users/{bob}", {"apps": [app]})
    sign_in_again(page)
    block = page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").first
    block.click()
    expect(dialog(page).get_by_label("Message")).to_have_value("By bob.")
    page.keyboard.press("Escape")
    page.goto(f"{server.admin}/#/")
    expect(page.locator(".app-row")).to_have_count(1)


def test_a_tab_that_is_come_back_to_has_the_rights_of_whoever_signed_in_beside_it(windows, server, app, bob):
    page = written_by_bob(windows, server, app, bob)
    page.keyboard.press("Escape")
    # The other tab signs in before this one asks for anything.
    deaf(page)
    server.call("PATCH", f"/users/{bob}", {"apps": [app], "role": "viewer"})
    assert page.context.request.post(f"{server.admin}/api/v1/session", data={"username": bob, "password": PASSWORD}).ok
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("switch", name="Alert")).to_have_attribute("aria-disabled", "true")


def test_a_tab_beside_one_that_signed_in_again_does_not_ask_for_the_password(windows, server, app):
    # 403: as above, of the preview.
    windows.expected = {401, 403}
    page = windows.open(server, f"/t/{app}/ios", signed_in=False)
    sign_in(page, "admin", PASSWORD)
    page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").first.click()
    dialog(page).get_by_label("Message").fill("Half a sentence")
    page.context.clear_cookies()
    again = page.get_by_role("dialog", name="Your session has ended")
    expect(again).to_be_visible()
    assert page.context.request.post(f"{server.admin}/api/v1/session", data={"username": "admin", "password": PASSWORD}).ok
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(again).to_have_count(0)
    expect(dialog(page).get_by_label("Message")).to_have_value("Half a sentence")
