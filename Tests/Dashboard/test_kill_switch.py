"""The guarded switch on the overview, from the press to the feed that phones get."""

import datetime
import re
import time
import zoneinfo

import pytest
from playwright.sync_api import expect

from steps import block, deaf, dialog, eventually, kill_switch, later, moment_in_utc, open_again, sign_in


def test_blocking_by_mouse_changes_what_phones_get(server, overview, app):
    page, row = overview
    before = server.feed(f"{app}/ios/bellerophon.json")
    assert before["apiInactive"] is False
    block(page, f"{app}/ios", "Back at 09:30.", reason="INC-123")
    assert server.feed(f"{app}/ios/bellerophon.json")["apiInactive"] is True
    assert server.feed(f"{app}/ios/bellerophon.json")["userMessage"] == "Back at 09:30."
    assert server.feed(f"{app}/launchgate.json")["ios"] == {"alert": {"message": "Back at 09:30.", "blocking": True}}
    expect(row).to_contain_text("BLOCKED")
    expect(row.get_by_role("switch")).to_be_checked()
    change = server.changes(f"{app}/ios")[0]
    assert (change["source"], change["reason"], change["actor"]["name"]) == ("dashboard", "INC-123", "admin")

    open_again(page, f"{app}/ios")
    assert server.feed(f"{app}/ios/bellerophon.json") == before
    expect(row.get_by_role("switch")).not_to_be_checked()
    expect(row).to_contain_text("OPEN")


def test_title_and_button_name_app_platform_and_environment(overview, app):
    page, row = overview
    row.get_by_role("switch").click()
    name = f"Block {app.capitalize()} on iOS in STAGING"
    expect(dialog(page).get_by_role("heading", name=name, exact=True)).to_be_visible()
    expect(dialog(page).get_by_role("button", name=name, exact=True)).to_be_visible()
    expect(dialog(page).get_by_label("Message")).to_be_focused()


def test_another_window_sees_it_within_two_seconds(server, windows, overview, app):
    page, _ = overview
    other = windows.open(server)
    watched = kill_switch(other, f"{app}/ios")
    expect(watched).not_to_be_checked()
    block(page, f"{app}/ios", "Back soon.")
    began = time.monotonic()
    expect(watched).to_be_checked(timeout=2000)
    print(f"seen after {time.monotonic() - began:.2f} s")
    expect(other.get_by_text(f"{app.capitalize()} on iOS is now blocked, changed by admin.")).to_be_attached()
    expect(other).to_have_title(re.compile("^■"))


@pytest.mark.parametrize("held", ["request", "answer"])
def test_nothing_moves_before_the_server_has_answered(server, overview, app, held):
    page, row = overview
    waiting = []

    def hold(route):
        if route.request.post_data_json.get("dryRun"):
            route.continue_()
        elif held == "request":
            waiting.append(route.continue_)
        else:
            answer = route.fetch()
            waiting.append(lambda: route.fulfill(response=answer))

    page.route("**/api/v1/changes", hold)
    row.get_by_role("switch").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page).get_by_role("button", name="Publishing…")).to_be_visible()
    page.wait_for_timeout(1500)
    expect(row.get_by_role("switch", include_hidden=True)).not_to_be_checked()
    expect(row).to_contain_text("OPEN")
    waiting[0]()
    expect(row.get_by_role("switch")).to_be_checked()
    expect(row).to_contain_text("BLOCKED")


@pytest.mark.parametrize("way", ["Escape", "Back"])
def test_a_dialog_that_publishes_stays_until_it_has_said_what_became_of_it(windows, server, overview, app, way):
    windows.expected = {503}
    page, row = overview
    waiting = []
    page.route("**/api/v1/changes", lambda route: route.continue_() if route.request.post_data_json.get("dryRun") else waiting.append(route))
    row.locator("a").first.click()
    page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").first.click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    expect(dialog(page).locator(".outcomes")).to_be_visible()
    dialog(page).get_by_label("Message").press("Control+Enter")
    expect(dialog(page).get_by_role("button", name="Publishing…")).to_be_visible()
    if way == "Escape":
        for _ in range(4):
            page.keyboard.press("Escape")
            page.evaluate("() => new Promise((done) => setTimeout(done))")
        expect(dialog(page).get_by_label("Message")).to_be_focused()
    else:
        page.evaluate("history.back()")
        page.locator("main[data-screen='/']").wait_for()
    problem = {"type": "about:blank", "title": "Starting", "status": 503, "code": "starting", "detail": "The server is still starting."}
    waiting[0].fulfill(status=503, json=problem)
    expect(dialog(page).get_by_role("alert")).to_contain_text("The server is still starting.")
    # With its answer it is a dialog like any other.
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)


@pytest.mark.parametrize("where", ["overview", "target"])
def test_whoever_wants_to_block_is_not_led_to_open_a_colleagues_block(windows, server, app, where):
    """The colleague was faster by less than a poll: the switch showed that the app was open."""
    page = windows.open(server, "/" if where == "overview" else f"/t/{app}/ios")
    switch = kill_switch(page, f"{app}/ios") if where == "overview" else page.get_by_role("switch", name="Kill switch")
    expect(switch).not_to_be_checked()
    overtaken(windows, page)
    server.change(f"{app}/ios", {"killSwitch": {"message": "Data leak."}}, reason="INC-999")
    switch.focus()
    page.keyboard.press("Space")
    expect(dialog(page).get_by_role("heading", name=f"Change the block of {app.capitalize()} on iOS")).to_be_visible()
    expect(dialog(page).locator(".dialog-news")).to_contain_text("Changed by tests")
    expect(dialog(page).get_by_label("Message")).to_be_focused()
    expect(dialog(page).get_by_label("Message")).to_have_value("Data leak.")
    page.keyboard.type("a b")
    assert server.target(f"{app}/ios")["gate"]["killSwitch"]["message"] == "Data leak."


def test_whoever_wants_to_open_what_is_open_already_is_told_so(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon."}})
    page = windows.open(server)
    switch = kill_switch(page, f"{app}/ios")
    expect(switch).to_be_checked()
    overtaken(windows, page)
    server.change(f"{app}/ios", {"killSwitch": None})
    switch.click()
    expect(dialog(page).get_by_role("heading", name=f"Open {app.capitalize()} on iOS")).to_be_focused()
    expect(dialog(page)).to_contain_text("There is no block left to lift.")


def test_a_rule_that_was_shown_as_missing_is_not_cleared(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    switch = page.get_by_role("switch", name="Minimum version")
    expect(switch).not_to_be_checked()
    overtaken(windows, page)
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "42", "message": "Please update."}})
    switch.click()
    expect(dialog(page).get_by_label("Minimum version")).to_have_value("42")
    expect(dialog(page).locator(".dialog-news")).to_contain_text("Changed by tests")


@pytest.mark.parametrize("where", ["overview", "target"])
def test_whoever_has_gone_to_another_screen_is_asked_nothing_there(windows, server, app, where):
    page = windows.open(server, f"/?q={app}" if where == "overview" else f"/t/{app}/ios")
    press = kill_switch(page, f"{app}/ios") if where == "overview" else page.get_by_role("button", name="Set: Alert of ")
    expect(press).to_be_visible()
    held = []
    page.route(f"**/api/v1/targets/{app}/ios", lambda route: held.append(route))
    press.press("Space")
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    # A press goes on without the answer after 1.5 s.
    page.wait_for_timeout(2000)
    assert held
    expect(dialog(page)).to_have_count(0)
    assert page.url.endswith("#/history")


def test_a_second_tap_and_a_held_key_open_nothing(windows, server, app):
    """On a phone the page's button and the dialog's lie at the same place."""
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon."}})
    page = windows.open(server, f"/t/{app}/ios", width=390, height=664, has_touch=True, is_mobile=True)
    commits = []
    page.on("request", lambda request: commits.append(request.url) if request.method == "POST" and '"dryRun":true' not in request.post_data else None)
    button = page.locator(".bottom-bar button")
    expect(button).to_have_text(f"Open {app.capitalize()} on iOS…")
    box = button.bounding_box()
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(*place)
    publish = dialog(page).get_by_role("button", name=f"Open {app.capitalize()} on iOS")
    expect(dialog(page).locator(".outcomes")).to_be_visible()
    page.touchscreen.tap(*place)
    page.keyboard.down("Enter")
    # After the first moment one press is enough, but a key that is still held is none.
    expect(publish).to_be_enabled()
    publish.focus()
    page.keyboard.down("Enter")
    expect(publish).to_be_enabled()
    assert commits == []
    page.keyboard.up("Enter")
    page.touchscreen.tap(*place)
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["state"] == "open"


def test_nothing_is_published_before_its_plan_was_on_the_screen(server, overview, app):
    page, row = overview
    plans = []

    def hold(route):
        if route.request.post_data_json.get("dryRun") and len(plans) < 2:
            plans.append(route)
        else:
            route.continue_()

    page.route("**/api/v1/changes", hold)
    row.get_by_role("switch").click()
    message = dialog(page).get_by_label("Message")
    message.fill("Back soon.")
    page.keyboard.down("Control")
    page.keyboard.down("Enter")
    expect(dialog(page).get_by_role("button", name="Block ")).to_have_attribute("aria-disabled", "true")
    for plan in plans:
        plan.continue_()
    expect(dialog(page).locator(".outcomes")).to_be_visible()
    expect(dialog(page).get_by_role("alert")).to_contain_text("Press again to publish it.")
    # The same keys, still held, are no other press.
    page.keyboard.down("Enter")
    page.wait_for_timeout(300)
    assert server.target(f"{app}/ios")["state"] == "open"
    page.keyboard.up("Enter")
    page.keyboard.up("Control")
    message.press("Control+Enter")
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["state"] == "blocked"


def test_pressing_the_switch_alone_changes_nothing(server, overview, app):
    page, row = overview
    revision = server.target(f"{app}/ios")["revision"]
    row.get_by_role("switch").click()
    expect(dialog(page)).to_be_visible()
    expect(row.get_by_role("switch", include_hidden=True)).not_to_be_checked()
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    expect(row.get_by_role("switch")).not_to_be_checked()
    assert server.target(f"{app}/ios")["revision"] == revision


def test_clicking_anywhere_on_a_row_changes_nothing_without_a_dialog(server, overview, app):
    page, row = overview
    revision = server.target(f"{app}/ios")["revision"]
    box = row.bounding_box()
    for share in (0.02, 0.2, 0.4, 0.6, 0.8, 0.98):
        page.mouse.click(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
        if dialog(page).count():
            page.keyboard.press("Escape")
        if not page.url.endswith("#/"):
            page.goto(f"{server.admin}/#/")
    assert server.target(f"{app}/ios")["revision"] == revision


def test_a_cancelled_draft_comes_back(overview, app):
    page, row = overview
    row.get_by_role("switch").click()
    dialog(page).get_by_label("Message").fill("Half a sent")
    page.keyboard.press("Escape")
    row.get_by_role("switch").click()
    expect(dialog(page).get_by_label("Message")).to_have_value("Half a sent")


@pytest.mark.parametrize("edit, begun, written, theirs, fields, made", [
    ("min", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Update."}}, "Please update now.",
     {"requiredUpdate": {"minimumVersion": "4.5.0", "message": "Update."}}, {"Minimum version": "4.5.0"},
     {"requiredUpdate": {"minimumVersion": "4.5.0", "message": "Please update now."}}),
    ("kill", {"killSwitch": {"message": "Back soon.", "retryInterval": 30, "until": "2090-04-02T09:00:00.000Z"}}, "Back at nine.",
     {"killSwitch": {"message": "Closed.", "retryInterval": 300}}, {"Check again every": "300", "Until": ""},
     {"killSwitch": {"message": "Back at nine.", "retryInterval": 300}}),
])
def test_a_draft_that_comes_back_undoes_nothing_that_a_colleague_has_done_since(windows, server, app, edit, begun, written, theirs, fields, made):
    """Only the text was written; the version, the interval and the end are the colleague's."""
    server.change(f"{app}/ios", begun)
    page = windows.open(server, f"/t/{app}/ios/edit/{edit}")
    message = dialog(page).get_by_role("textbox", name="Message")
    message.fill(written)
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    server.change(f"{app}/ios", theirs, reason="INC-9")
    page.goto(f"{server.admin}/#/t/{app}/ios/edit/{edit}")
    expect(message).to_have_value(written)
    for label, value in fields.items():
        expect(dialog(page).get_by_label(label)).to_have_value(value)
    news = dialog(page).locator(".dialog-news")
    expect(news).to_contain_text("Changed by tests")
    expect(news).to_contain_text("everything you had not touched is as it is now")
    if edit == "min":
        dialog(page).get_by_label("can be downloaded").check()
    dialog(page).locator("footer button[type=submit]").click()
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"] == made


def test_a_draft_that_comes_back_is_said_to_be_one_and_can_be_left(server, overview, app):
    page, row = overview
    row.get_by_role("switch").click()
    shown = dialog(page)
    shown.get_by_label("Message").fill("Half a sent")
    shown.get_by_label("Until").select_option("30")
    page.keyboard.press("Escape")
    row.get_by_role("switch").click()
    expect(shown.locator(".dialog-news")).to_contain_text("What you wrote here before is filled in.")
    shown.get_by_role("button", name="Start afresh").click()
    expect(shown.get_by_label("Message")).to_have_value("")
    expect(shown.get_by_label("Message")).to_be_focused()
    expect(shown.get_by_label("Until")).to_have_value("")
    page.keyboard.press("Escape")
    row.get_by_role("switch").click()
    expect(shown.get_by_label("Message")).to_have_value("")
    expect(shown.locator(".dialog-news")).to_be_empty()


def test_a_draft_of_a_block_survives_a_reload_and_no_signing_out(windows, own_server):
    windows.expected = {401, "lost"}
    page = windows.open(own_server, signed_in=False)

    def sign_in_and_begin():
        sign_in(page, "admin")
        kill_switch(page, "shop/ios").click()

    sign_in_and_begin()
    dialog(page).get_by_label("Message").fill("Half a sentence")
    page.reload()
    kill_switch(page, "shop/ios").click()
    expect(dialog(page).get_by_label("Message")).to_have_value("Half a sentence")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("Username")).to_be_visible()
    assert page.evaluate("JSON.stringify(sessionStorage)") == "{}"
    sign_in_and_begin()
    expect(dialog(page).get_by_label("Message")).to_have_value("")


def test_a_message_is_demanded_where_it_is_missing(server, overview, app):
    page, row = overview
    row.get_by_role("switch").click()
    dialog(page).get_by_role("button", name="Block ").press("Enter")
    expect(dialog(page).get_by_label("Message")).to_be_focused()
    expect(dialog(page).get_by_text("Write what people should see.")).to_be_visible()
    assert server.target(f"{app}/ios")["state"] == "open"


def test_the_receipt_says_what_was_observed_and_stays(server, overview, app):
    page, _ = overview
    block(page, f"{app}/ios", "Back soon.")
    receipt = page.get_by_role("region", name="Last change")
    expect(receipt).to_contain_text(f"Blocked {app.capitalize()} on iOS")
    expect(receipt).to_contain_text("revision 2")
    expect(receipt).to_contain_text("✓ saved")
    expect(receipt).to_contain_text("✓ feed published")
    page.goto(f"{server.admin}/#/history")
    expect(page.get_by_role("heading", level=1, name="History")).to_be_focused()
    expect(receipt).to_be_visible()
    receipt.get_by_role("link", name="Blocked ").click()
    receipt.get_by_role("button", name="Copy as gatectl").click()
    assert page.evaluate("navigator.clipboard.readText()") == f"gatectl kill {app} ios -m 'Back soon.'"
    receipt.get_by_role("button", name="Dismiss").click()
    expect(receipt).to_be_hidden()


def test_the_receipt_counts_the_polls_that_fetched_the_revision(server, overview, app):
    page, _ = overview
    block(page, f"{app}/ios", "Back soon.")
    receipt = page.get_by_role("region", name="Last change")
    for _ in range(3):
        server.feed(f"{app}/ios/bellerophon.json")
    expect(receipt).to_contain_text("fetched by 3 polls", timeout=8000)


def test_the_dialog_says_how_often_phones_ask(server, overview, app):
    page, row = overview
    for _ in range(3):
        server.feed(f"{app}/ios/bellerophon.json")
    # The server looks at its counters once a second.
    eventually(lambda: server.target(f"{app}/ios").get("reach", {}).get("pollsPerMinute") == 3, "3 polls are counted")
    row.get_by_role("switch").click()
    expect(dialog(page).get_by_text("Its feeds were polled 3 times in the last minute")).to_be_visible()
    page.keyboard.press("Escape")
    other = page.locator(".target-row").filter(has_text=f"{app}/android").get_by_role("switch")
    other.click()
    expect(dialog(page).get_by_role("heading", level=2)).to_contain_text("Android")
    expect(dialog(page).get_by_text("in the last minute")).to_have_count(0)


def test_the_dialog_says_what_an_interval_makes_of_the_polls(server, overview, app):
    page, row = overview
    for _ in range(60):
        server.feed(f"{app}/ios/bellerophon.json")
    # The server looks at its counters once a second.
    eventually(lambda: server.target(f"{app}/ios").get("reach", {}).get("pollsPerMinute") == 60, "60 polls are counted")
    row.get_by_role("switch").click()
    said = dialog(page).get_by_text("that asked here in the last minute")
    expect(said).to_have_text(
        "Up to 60 phones that asked here in the last minute will ask again while they are blocked: about 4 polls a second; "
        "with 60 seconds between two polls about 1. What caches in front answer is not counted."
    )
    dialog(page).get_by_label("Check again every").fill("60")
    expect(said).to_contain_text("about 1 poll a second. What")
    dialog(page).get_by_label("Check again every").fill("5")
    expect(said).to_contain_text("about 12 polls a second; with 60 seconds between two polls about 1.")
    page.keyboard.press("Escape")
    # Where nobody polls nothing is known, and nothing said.
    page.locator(".target-row").filter(has_text=f"{app}/android").get_by_role("switch").click()
    expect(dialog(page).get_by_role("heading", level=2)).to_contain_text("Android")
    expect(dialog(page).get_by_text("LaunchGate").first).to_be_attached()
    expect(said).to_have_count(0)


def test_undo_makes_a_new_revision_and_history_keeps_both(server, overview, app):
    page, row = overview
    block(page, f"{app}/ios", "Back soon.")
    page.get_by_role("button", name="Undo").click()
    dialog(page).get_by_role("button", name="Undo").click()
    expect(row.get_by_role("switch")).not_to_be_checked()
    target = server.target(f"{app}/ios")
    assert (target["revision"], target["state"], target["gate"]) == (3, "open", {})
    assert [change["targets"][0]["revision"] for change in server.changes(f"{app}/ios")][:2] == [3, 2]


def test_opening_takes_one_confirm_and_names_what_still_blocks(server, overview, app):
    page, row = overview
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}})
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon."}}, reason="INC-7")
    expect(row.get_by_role("switch")).to_be_checked()
    row.get_by_role("switch").click()
    expect(dialog(page)).to_contain_text("Minimum version – below 4.2.0 must update")
    expect(dialog(page)).to_contain_text("They may still need it.")
    expect(dialog(page)).to_contain_text("INC-7")
    dialog(page).get_by_role("button", name=f"Open {app.capitalize()} on iOS in STAGING").click()
    expect(row).to_contain_text("UPDATE REQUIRED")
    assert server.target(f"{app}/ios")["state"] == "updateRequired"


def test_markup_in_a_message_is_only_ever_text(server, windows, overview, app):
    page, row = overview
    markup = '<img src=x onerror="document.title=\'owned\'"><b>bold</b>'
    block(page, f"{app}/ios", markup, reason="<i>reason</i>")
    expect(row).to_contain_text(markup)
    for path in (f"/t/{app}/ios", "/history", f"/history/{server.changes(f'{app}/ios')[0]['sequence']}"):
        page.goto(f"{server.admin}/#{path}")
        expect(page.locator("main")).to_contain_text(markup)
        assert page.locator("main img, main b, main i").count() == 0
    assert server.feed(f"{app}/ios/bellerophon.json")["userMessage"] == markup


def test_the_whole_flow_works_with_the_keyboard_alone(server, overview, app):
    page, row = overview
    switch = row.get_by_role("switch")
    switch.focus()
    page.keyboard.press("Space")
    expect(dialog(page).get_by_label("Message")).to_be_focused()
    page.keyboard.type("Back soon.")
    expect(dialog(page).get_by_role("button", name="Block ")).to_be_enabled()
    page.keyboard.press("Control+Enter")
    expect(dialog(page)).to_have_count(0)
    expect(switch).to_be_checked()
    expect(switch).to_be_focused()
    page.keyboard.press("Space")
    # First there is something to read; a key pressed too early presses nothing.
    expect(dialog(page).get_by_role("heading", name="Open ")).to_be_focused()
    expect(dialog(page).get_by_role("button", name="Open ")).to_be_enabled()
    page.keyboard.press("Control+Enter")
    expect(dialog(page)).to_have_count(0)
    expect(switch).not_to_be_checked()
    expect(switch).to_be_focused()
    assert server.target(f"{app}/ios")["revision"] == 3

    # And back to before: from the receipt, whose way is by Tab like everything's.
    undo = page.get_by_role("region", name="Last change").get_by_role("button", name="Undo")
    # Without the apps of the tests before this one, which are as many as those were.
    page.get_by_role("searchbox", name="Filter").fill(app)
    expect(page.locator(".app-row")).to_have_count(1)
    page.evaluate("document.activeElement.blur()")
    for _ in range(60):
        page.keyboard.press("Tab")
        if undo.evaluate("(button) => button === document.activeElement"):
            break
    expect(undo).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("table", name="What changes")).to_contain_text("Back soon.")
    button = dialog(page).get_by_role("button", name="Undo")
    for _ in range(20):
        page.keyboard.press("Tab")
        if button.evaluate("(button) => button === document.activeElement"):
            break
    expect(button).to_be_focused()
    expect(button).to_be_enabled()
    page.keyboard.press("Enter")
    expect(dialog(page)).to_have_count(0)
    expect(switch).to_be_checked()
    assert (server.target(f"{app}/ios")["revision"], server.target(f"{app}/ios")["state"]) == (4, "blocked")


def test_blocked_apps_stand_first(server, windows, app):
    server.change(f"{app}/android", {"killSwitch": {"message": "Back soon."}})
    page = windows.open(server)
    expect(page.locator(".target-row").filter(has_text=f"{app}/android")).to_contain_text("BLOCKED")
    order = ["blocked", "updateRequired", "notice", "open"]
    # An app stands where its worst platform belongs.
    states = page.locator(".app-row").evaluate_all("rows => rows.map((row) => [...row.querySelectorAll('.target-row')].map((cell) => cell.dataset.state))")
    worst = [min(cells, key=order.index) for cells in states]
    assert worst == sorted(worst, key=order.index)
    for width, height in ((390, 664), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        box = page.locator(".target-row[data-state=blocked]").first.bounding_box()
        assert box["y"] < height - 60


def test_filter_and_state_live_in_the_address(server, overview, app):
    page, _ = overview
    server.change(f"{app}/android", {"killSwitch": {"message": "Back soon."}})
    page.get_by_role("searchbox", name="Filter").fill(app)
    expect(page.locator(".target-row")).to_have_count(2)
    page.get_by_role("button", name=re.compile("BLOCKED")).click()
    expect(page.locator(".target-row")).to_have_count(1)
    expect(page).to_have_url(re.compile(re.escape(f"#/?q={app}&state=blocked") + "$"))
    page.reload()
    expect(page.locator(".target-row")).to_have_count(1)
    expect(page.get_by_role("searchbox", name="Filter")).to_have_value(app)


def test_the_receipt_is_still_there_after_a_minute(overview, app):
    page, _ = overview
    block(page, f"{app}/ios", "Back soon.")
    page.clock.install()
    page.clock.run_for(61_000)
    expect(page.get_by_role("region", name="Last change")).to_contain_text(f"Blocked {app.capitalize()} on iOS")


def test_a_kill_while_an_update_is_forced_says_that_the_update_waits_and_shows_its_own_text(server, overview, app):
    page, row = overview
    server.change(f"{app}/ios", {"forceUpdate": {"message": "Please update."}})
    expect(row).to_contain_text("every version must update")
    row.get_by_role("switch").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    expect(dialog(page).locator(".warnings")).to_contain_text(re.compile("forced update", re.IGNORECASE))
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page)).to_have_count(0)
    feed = server.feed(f"{app}/ios/bellerophon.json")
    assert (feed["apiInactive"], feed["forceUpdate"], feed["userMessage"]) == (True, False, "Back soon.")


def block_drafted(overview, until):
    """The dialog of a block with a message, and with that choice of its end."""
    page, row = overview
    row.get_by_role("switch").click()
    shown = dialog(page)
    shown.get_by_label("Message").fill("Back soon.")
    shown.get_by_label("Until", exact=True).select_option(until)
    return shown


def changing_clocks(month):
    """Half past two of the next day on which the clocks of Berlin are changed in that month."""
    today = datetime.date.today()
    last = lambda year: max(day for day in (datetime.date(year, month, number) for number in range(25, 32)) if day.weekday() == 6)
    day = last(today.year) if last(today.year) > today else last(today.year + 1)
    return f"{day.isoformat()}T02:30"


def test_an_end_at_an_hour_that_clocks_skip_is_refused_and_one_that_comes_twice_is_asked_about(server, overview, app):
    shown = block_drafted(overview, until="a time…")
    shown.get_by_label("The time").fill(changing_clocks(3))
    shown.get_by_role("button", name="Block ").press("Enter")
    expect(shown.locator(".until")).to_contain_text("This time does not exist")
    shown.get_by_label("The time").fill(changing_clocks(10))
    expect(shown.get_by_role("group", name="Which one").get_by_role("button")).to_have_text(["the earlier one (UTC+02:00)", "the later one (UTC+01:00)"])
    shown.get_by_role("button", name="Block ").press("Enter")
    expect(shown.locator(".until")).to_contain_text("This time comes twice")
    shown.get_by_role("button", name="the later one").click()
    expect(shown.locator(".until")).to_contain_text("= 01:30 UTC")
    expect(shown.locator(".effects")).to_contain_text("= 01:30 UTC")
    shown.get_by_role("button", name="Block ").click()
    expect(shown).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"]["killSwitch"]["until"].startswith(f"{changing_clocks(10)[:10]}T01:30:00")


def test_a_ready_made_text_can_be_taken_back(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Last used."}})
    server.change(f"{app}/ios", {"killSwitch": None})
    # Opened only now: a page that was there before may show it blocked for a moment, and would ask whether to open it.
    page = windows.open(server, f"/t/{app}/ios/edit/kill")
    message = dialog(page).get_by_label("Message")
    message.press_sequentially("Two sentences. In an incident.")
    chips = dialog(page).get_by_role("group", name="Fill in").get_by_role("button")
    expect(chips.last).to_have_attribute("title", "Last used.")
    chips.first.click()
    expect(message).not_to_have_value("Two sentences. In an incident.")
    message.press("Control+z")
    expect(message).to_have_value("Two sentences. In an incident.")


def test_a_block_for_a_while_says_when_it_lifts_itself_in_full(server, overview, app):
    _, row = overview
    shown = block_drafted(overview, until="for 1 hour")
    expect(shown.locator(".until")).to_contain_text(re.compile(r"GMT\+\d|CES?T"))
    expect(shown.locator(".until")).to_contain_text("UTC · in ")
    shown.get_by_role("button", name="Block ").click()
    expect(row).to_contain_text("opens by itself ")
    until = datetime.datetime.fromisoformat(server.target(f"{app}/ios")["gate"]["killSwitch"]["until"].replace("Z", "+00:00"))
    expect(row).to_contain_text(re.compile(rf"opens by itself {moment_in_utc(until)} \(in\s(59\smin|1\sh)\)"))
    assert 3500 < (until - datetime.datetime.now(datetime.timezone.utc)).total_seconds() <= 3601


def test_a_time_that_is_wanted_must_be_written_and_must_come(server, windows, overview, app):
    windows.expected = {422}
    shown = block_drafted(overview, until="a time…")
    shown.get_by_role("button", name="Block ").press("Enter")
    expect(shown.get_by_label("The time")).to_be_focused()
    shown.get_by_label("The time").fill("2020-01-01T09:00")
    shown.get_by_role("button", name="Block ").click()
    expect(shown.get_by_label("The time")).to_have_attribute("aria-invalid", "true")
    assert server.target(f"{app}/ios")["state"] == "open"


def test_half_an_hour_is_meant_from_when_it_is_published(server, overview, app):
    page, _ = overview
    shown = block_drafted(overview, until="for 30 minutes")
    said = shown.locator(".until > .hint")
    expect(said).to_contain_text("in 30 min")
    chosen = said.inner_text()
    later = datetime.timedelta(minutes=20)

    def twenty_minutes_on(route):
        answer = route.fetch().json()
        told = datetime.datetime.fromisoformat(answer["serverTime"].replace("Z", "+00:00")) + later
        route.fulfill(json=answer | {"serverTime": told.isoformat(timespec="milliseconds").replace("+00:00", "Z")})

    page.route("**/api/v1/events*", twenty_minutes_on)
    expect(said).not_to_have_text(chosen)
    expect(said).to_contain_text(re.compile(r"in\s(29|30)\smin"))
    shown.get_by_role("button", name="Block ").click()
    expect(shown).to_have_count(0)
    until = datetime.datetime.fromisoformat(server.target(f"{app}/ios")["gate"]["killSwitch"]["until"].replace("Z", "+00:00"))
    assert (until - datetime.datetime.now(datetime.timezone.utc)) > later + datetime.timedelta(minutes=28)


def test_how_far_off_the_chosen_time_is_stays_true_in_an_open_dialog(server, overview, app):
    page, row = overview
    row.get_by_role("switch").click()
    shown = dialog(page)
    shown.get_by_label("Until", exact=True).select_option("a time…")
    shown.get_by_label("The time").fill(page.evaluate("new Date(Date.now() + 3 * 3600e3 - new Date().getTimezoneOffset() * 60e3).toISOString().slice(0, 16)"))
    said = shown.locator(".until > .hint")
    expect(said).to_contain_text(re.compile(r"in\s(2\sh\s5\d\smin|3\sh)$"))
    effect = shown.locator(".effects li").filter(has_text="opens by itself")
    expect(effect).to_contain_text(re.compile(r"in\s(2\sh\s5\d\smin|3\sh)"))
    # What was set is read out; what only counts down is not, or it would interrupt whoever writes the message.
    expect(said).to_have_attribute("aria-live", "off")
    later(page, minutes=40)
    expect(said).to_contain_text(re.compile(r"in\s2\sh\s(19|20)\smin$"))
    expect(effect).to_contain_text(re.compile(r"in\s2\sh\s(19|20)\smin"))
    expect(said).to_have_attribute("aria-live", "off")
    shown.get_by_label("Until", exact=True).select_option("for 1 hour")
    assert said.get_attribute("aria-live") == "polite"


def test_a_year_of_five_digits_is_no_time_and_nothing_is_published_in_its_place(server, overview, app):
    shown = block_drafted(overview, until="a time…")
    shown.get_by_label("The time").fill("2026-12-01T10:00")
    shown.get_by_label("The time").fill("20266-12-01T10:00")
    expect(shown.locator(".until")).not_to_contain_text("UTC")
    shown.get_by_role("button", name="Block ").press("Enter")
    expect(shown.get_by_label("The time")).to_be_focused()
    expect(shown.locator(".until")).to_contain_text("That is not a valid time. A year has four digits.")
    assert server.target(f"{app}/ios")["state"] == "open"


def test_a_block_that_lifts_itself_is_seen_to_open(server, overview, app):
    page, row = overview
    until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=4)
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon.", "until": until.isoformat(timespec="milliseconds").replace("+00:00", "Z")}})
    expect(row.get_by_role("switch")).to_be_checked()
    expect(row.get_by_role("switch")).not_to_be_checked(timeout=15_000)
    assert server.changes(f"{app}/ios")[0]["source"] == "expiry"


def until_in(hours):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=hours)).strftime("%Y-%m-%dT%H:%M:00Z")


def overtaken(windows, page):
    """Somebody is going to be faster than this window, which hears of nothing."""
    windows.expected |= {412, "lost"}
    deaf(page)


def test_after_a_conflict_the_review_shows_theirs_and_what_mine_would_make_of_it(windows, server, app):
    """An incident's block without an end, and a draft that opens by itself: the reader sees just that before it can be published."""
    page = windows.open(server, f"/t/{app}/ios")
    overtaken(windows, page)
    name = f"{app.capitalize()} on iOS"
    page.get_by_role("button", name=f"Block {name}…").first.click()
    shown = dialog(page)
    expect(shown.get_by_role("heading", name=f"Block {name} in STAGING")).to_be_visible()
    shown.get_by_label("Message").fill("A short break.")
    shown.get_by_label("Until").select_option("30")
    expect(shown.locator(".outcomes")).to_be_visible()
    server.change(f"{app}/ios", {"killSwitch": {"message": "INCIDENT, do not open."}}, reason="INC-9")
    shown.get_by_role("button", name=f"Block {name} in STAGING").click()
    expect(shown.get_by_role("table", name="Changed meanwhile")).to_be_visible()
    shown.get_by_role("button", name="Review mine again").click()

    # The verb is another one now, in the title and on the button.
    expect(shown.get_by_role("heading", name=f"Change the block of {name} in STAGING")).to_be_visible()
    publish = shown.get_by_role("button", name=f"Change the block of {name} in STAGING")
    expect(publish).to_be_visible()
    expect(shown.get_by_role("heading", name="Theirs → yours")).to_be_focused()
    review = shown.get_by_role("table", name="Theirs → yours")
    expect(review.get_by_role("row").filter(has_text="Message").locator("del")).to_have_text("INCIDENT, do not open.")
    expect(review.get_by_role("row").filter(has_text="Message").locator("ins")).to_have_text("A short break.")
    expect(review.get_by_role("row").filter(has_text="Until")).to_contain_text("Added")
    note = shown.locator(".review .callout")
    expect(note).to_contain_text(f"The block of {name} that is in force has no end. This makes it open by itself: ")
    expect(note).to_be_in_viewport()
    assert server.target(f"{app}/ios")["gate"]["killSwitch"]["message"] == "INCIDENT, do not open."

    # Without the end it is theirs in that.
    shown.get_by_label("Until").select_option("")
    expect(note).to_have_count(0)
    expect(review.get_by_role("row").filter(has_text="Until")).to_have_count(0)
    publish.click()
    expect(shown).to_have_count(0)
    gate = server.target(f"{app}/ios")["gate"]["killSwitch"]
    assert gate["message"] == "A short break." and "until" not in gate


def test_what_was_not_touched_follows_theirs(windows, server, app):
    """Only the text was rewritten; meanwhile a colleague took the end away because of an incident. It does not come back with the text."""
    windows.expected = {412}
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon.", "until": until_in(2), "retryInterval": 60}})
    page = windows.open(server, f"/t/{app}/ios/edit/kill")
    shown = dialog(page)
    shown.get_by_label("Message").fill("Back a little later.")
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon.", "retryInterval": 30}}, reason="INC-9")
    shown.get_by_role("button", name="Review mine again").click()
    review = shown.get_by_role("table", name="Theirs → yours")
    expect(review.get_by_role("rowheader")).to_have_count(1)
    expect(review.get_by_role("row").filter(has_text="Back a little later.")).to_be_visible()
    expect(shown.get_by_label("Until")).to_have_value("")
    expect(shown.get_by_label("Check again every")).to_have_value("30")
    shown.get_by_role("button", name="Change the block of").click()
    expect(shown).to_have_count(0)
    gate = server.target(f"{app}/ios")["gate"]["killSwitch"]
    assert (gate["message"], gate["retryInterval"], "until" in gate) == ("Back a little later.", 30, False)


def test_a_block_with_an_end_that_would_lose_it_says_so(windows, server, app):
    windows.expected = {412}
    page = windows.open(server, f"/t/{app}/ios/edit/kill")
    shown = dialog(page)
    shown.get_by_label("Message").fill("Mine.")
    expect(shown.locator(".outcomes")).to_be_visible()
    server.change(f"{app}/ios", {"killSwitch": {"message": "Theirs.", "until": until_in(2)}})
    shown.get_by_role("button", name="Review mine again").click()
    # Nothing was chosen here, so their end stands; chosen away by hand it is said.
    expect(shown.get_by_label("Until", exact=True)).to_have_value("time")
    shown.get_by_label("Until", exact=True).select_option("")
    expect(shown.locator(".review .callout")).to_contain_text("After this it stays until somebody opens it.")


def test_an_opening_is_reviewed_against_the_block_that_is_in_force_now(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Yesterday's."}})
    page = windows.open(server, f"/t/{app}/ios")
    overtaken(windows, page)
    page.get_by_role("button", name="Open ").first.click()
    shown = dialog(page)
    expect(shown).to_contain_text("Yesterday's.")
    server.change(f"{app}/ios", {"killSwitch": None})
    server.change(f"{app}/ios", {"killSwitch": {"message": "A new incident."}}, reason="INC-10")
    shown.get_by_role("button", name="Open ").click()
    shown.get_by_role("button", name="Review mine again").click()
    expect(shown.locator("blockquote")).to_have_text("A new incident.")
    expect(shown).to_contain_text("Blocked by tests only")
    expect(shown).to_contain_text("INC-10")
    expect(shown.get_by_role("table", name="Theirs → yours")).to_contain_text("A new incident.")
    assert server.target(f"{app}/ios")["state"] == "blocked"


def test_verb_phrase_and_reason_follow_what_would_happen_now(windows, protected_server):
    """The text of a block was edited, which nobody has to confirm. Meanwhile it was opened: what is left is a block, with all that asks for."""
    windows.expected = {412}
    server = protected_server
    server.add_app("steps", "Steps", "ios")
    server.change("steps/ios", {"killSwitch": {"message": "Closed."}})
    page = windows.open(server, "/t/steps/ios/edit/kill")
    shown = dialog(page)
    shown.get_by_label("Message").fill("Closed until noon.")
    expect(shown.get_by_role("button", name="Change the block of Steps on iOS in PRODUCTION")).to_have_attribute("aria-disabled", "false")
    expect(shown.get_by_label("to confirm")).to_be_hidden()
    server.change("steps/ios", {"killSwitch": None}, reason="INC-11 is over")
    shown.get_by_role("button", name="Review mine again").click()
    expect(shown.get_by_role("heading", name="Block Steps on iOS in PRODUCTION")).to_be_visible()
    expect(shown.get_by_role("table", name="Theirs → yours").get_by_role("row").filter(has_text="Message")).to_contain_text("Added")
    expect(shown.get_by_label("to confirm")).to_be_visible()
    publish = shown.get_by_role("button", name="Block Steps on iOS in PRODUCTION")
    publish.press("Enter")
    expect(shown.get_by_label("Reason")).to_be_focused()
    assert server.target("steps/ios")["state"] == "open"
    shown.get_by_label("Reason").fill("INC-12")
    shown.get_by_label("to confirm").fill("steps/ios")
    publish.click()
    expect(shown).to_have_count(0)
    assert server.target("steps/ios")["gate"]["killSwitch"]["message"] == "Closed until noon."


def test_a_tick_that_was_not_touched_follows_theirs(windows, server, app):
    windows.expected = {412}
    server.change(f"{app}/ios", {"alert": {"message": "Slow today.", "blocking": False}})
    page = windows.open(server, f"/t/{app}/ios/edit/alert")
    shown = dialog(page)
    message = shown.get_by_role("textbox", name="Message")
    message.fill("Slow until noon.")
    expect(shown.get_by_role("table", name="What changes")).to_be_visible()
    server.change(f"{app}/ios", {"alert": {"message": "Closed.", "blocking": True}}, reason="INC-11")
    shown.get_by_role("button", name="Review mine again").click()
    expect(shown.get_by_role("checkbox", name="Blocks the app")).to_be_checked()
    expect(message).to_have_value("Slow until noon.")
    expect(shown.get_by_role("table", name="Theirs → yours").get_by_role("rowheader")).to_have_count(1)
    shown.get_by_role("button", name="Publish ").click()
    expect(shown).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"]["alert"] == {"message": "Slow until noon.", "blocking": True}


@pytest.mark.parametrize("width, text", [(1280, 100), (390, 100), (320, 200)])
def test_the_time_of_an_end_is_not_cut(windows, server, app, width, text):
    page = windows.open(server, f"/t/{app}/ios/edit/kill", width=width, height=800)
    page.evaluate("(size) => { document.documentElement.style.fontSize = `${size}%`; }", text)
    dialog(page).get_by_label("Until", exact=True).select_option("time")
    for control in (dialog(page).get_by_label("Until", exact=True), dialog(page).locator("[name=untilTime]")):
        # As wide as it would be if it were as wide as it likes.
        width, wanted = control.evaluate("""(control) => {
            const is = control.getBoundingClientRect().width;
            control.style.width = "max-content";
            const wanted = control.getBoundingClientRect().width;
            control.style.width = "";
            return [is, wanted];
        }""")
        room = dialog(page).locator(".until").evaluate("(box) => box.getBoundingClientRect().width")
        assert width >= min(wanted, room) - 1


def test_an_end_is_written_in_the_zone_in_which_it_is_read_also_after_the_computer_has_moved(windows, server, app):
    until = until_in(30)
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon.", "until": until}})
    page = windows.open(server, path=None, timezone_id=None)
    zone = page.context.new_cdp_session(page)
    zone.send("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Berlin"})
    page.goto(f"{server.admin}/#/t/{app}/ios")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    zone.send("Emulation.setTimezoneOverride", {"timezoneId": "America/New_York"})
    page.get_by_role("button", name="Edit: Kill switch").click()
    berlin = datetime.datetime.fromisoformat(until.replace("Z", "+00:00")).astimezone(zoneinfo.ZoneInfo("Europe/Berlin"))
    expect(dialog(page).locator("[name=untilTime]")).to_have_value(berlin.strftime("%Y-%m-%dT%H:%M"))
