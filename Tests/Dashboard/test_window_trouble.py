"""Windows that have gone wrong, or will: told of where one looks first, and in nobody's way there."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from steps import dialog, eventually, kill_switch


def at(**later):
    return (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(**later)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def make_window(server, targets, set=None, start=None, **more):
    """A block of an hour, from ten hours on."""
    references = [{"app": app, "platform": platform, "revision": server.target(f"{app}/{platform}")["revision"]} for app, platform in (name.split("/") for name in targets)]
    phrase = {"confirm": f"kill {len(targets)} targets"} if len(targets) > 1 else {}
    body = {"targets": references, "set": set or {"killSwitch": {"message": "Sale starts at nine."}}, "start": {"at": start or at(hours=10)}, "end": {"at": at(hours=11)}}
    return server.call("POST", "/windows", body | phrase | more)["window"]


def gone_wrong(made, state):
    """A window as the server tells of one that has gone wrong an hour ago."""
    event = {"at": at(hours=-1), "what": state, "actor": {"kind": "system", "name": "schedule"}, "detail": None, "sequence": None}
    return made | {"state": state, "due": None, "events": made["events"] + [event]}


@pytest.mark.parametrize("states, line", [
    (["failed", "failed"], "2 scheduled windows FAILED"), (["missed"], "1 scheduled window MISSED"), (["failed", "missed", "missed"], "2 windows MISSED, 1 FAILED"),
])
def test_point_1_on_a_phone_what_has_gone_wrong_is_a_line_above_whoever_is_locked_out(windows, own_server, states, line):
    for number in range(6):
        own_server.add_app(f"other{number}", f"Other {number}", "ios", "android")
    made = make_window(own_server, ["other0/ios"])
    own_server.change("other5/ios", {"killSwitch": {"message": "We are back at nine. Thank you for your patience, and for waiting with us."}}, reason="INC-1")
    items = [gone_wrong(made, state) | {"id": 9000 + number} for number, state in enumerate(states)]
    page = windows.open(own_server, path=None, width=390, height=664, has_touch=True, is_mobile=True)
    page.route("**/api/v1/windows?state=pending*", lambda route: route.fulfill(json={"items": items, "next": None}))
    page.goto(f"{own_server.admin}/#/")
    blocked = page.locator(".app-row").first.locator(".target-row[data-state=blocked]")
    expect(blocked).to_be_in_viewport(ratio=1)
    for part in (blocked.locator(".badge"), blocked.locator(".said"), blocked.get_by_role("switch")):
        expect(part).to_be_in_viewport(ratio=1)
    link = page.get_by_role("alert").get_by_role("link")
    expect(link).to_have_text(line)
    assert 44 <= link.bounding_box()["height"] <= 48
    link.click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_focused()
    expect(page.locator(".panel")).to_have_count(len(states))
    # Wider, each is named where it is told of, and there is one way to the schedule.
    page.go_back()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.get_by_role("alert").get_by_role("link")).to_have_text("Look at the schedule")
    expect(page.get_by_role("alert").get_by_role("listitem")).to_have_count(len(states))


FAILS = "will not run as things stand"


def forecast(server, app):
    """What the server itself expects a phone to show in the middle of the window."""
    asked = {"app": app, "platform": "ios", "version": "1.0.0", "client": "bellerophon", "at": at(hours=10, minutes=30)}
    return server.call("POST", "/simulate", asked)


def lines(page, target):
    return page.locator(f".target-row[data-target='{target}'] .window-line")


def test_a_window_whose_target_was_changed_by_hand_is_promised_nowhere(windows, server, app):
    made = make_window(server, [f"{app}/ios", f"{app}/android"])
    overview = windows.open(server, f"/?q={app}")
    schedule = windows.open(server, "/schedule")
    target = windows.open(server, f"/t/{app}/ios")
    card = schedule.locator(".window-card").filter(has_text=app.capitalize())
    own = target.locator(".target-page .window-line")
    for shown in (lines(overview, f"{app}/ios"), lines(overview, f"{app}/android"), card.locator(".window-line"), own):
        expect(shown).to_contain_text("· in ")
    expect(card.locator(".window-state")).to_have_text("waits")

    # One of its two targets, and all of it will fail.
    server.change(f"{app}/android", {"killSwitch": {"message": "Closed by hand."}})
    for shown in (lines(overview, f"{app}/ios"), lines(overview, f"{app}/android"), own):
        expect(shown).to_contain_text(FAILS)
        expect(shown).not_to_contain_text("· in ")
    expect(card.locator(".window-state")).to_have_text(FAILS)
    expect(card.locator(".window-line")).not_to_contain_text("· in ")
    expect(card).to_contain_text("Would begin")
    expect(card.locator(".callout")).to_contain_text("changed its rules by hand")
    assert forecast(server, app)["presentation"] == "none"

    # What is taken back is no matter, and neither is another rule.
    server.change(f"{app}/android", {"killSwitch": None})
    server.change(f"{app}/android", {"alert": {"message": "Slow.", "blocking": False}})
    for shown in (lines(overview, f"{app}/ios"), lines(overview, f"{app}/android"), own):
        expect(shown).to_contain_text("· in ")
        expect(shown).not_to_contain_text(FAILS)
    expect(card.locator(".window-state")).to_have_text("waits")

    # Saved once more it is meant for what there is by then.
    server.change(f"{app}/ios", {"killSwitch": {"message": "Closed by hand."}})
    expect(card.locator(".window-state")).to_have_text(FAILS)
    card.get_by_role("link", name="Edit…").click()
    schedule.get_by_label("Message").fill("Sale starts at ten.")
    expect(schedule.get_by_role("table", name="What changes")).to_contain_text("Sale starts at ten.")
    schedule.get_by_label("to confirm").fill("kill 2 targets")
    schedule.get_by_role("button", name="Save the window").click()
    expect(card.locator(".window-state")).to_have_text("waits")
    expect(lines(overview, f"{app}/ios")).to_contain_text("· in ")
    assert server.call("GET", f"/windows/{made['id']}")["state"] == "pending"


def test_a_block_that_lifts_itself_before_keeps_no_window_from_running(windows, server, app):
    make_window(server, [f"{app}/ios"])
    server.change(f"{app}/ios", {"killSwitch": {"message": "For an hour.", "until": at(hours=1)}})
    page = windows.open(server, f"/?q={app}")
    expect(lines(page, f"{app}/ios")).to_contain_text("· in ")
    assert forecast(server, app)["message"] == "Sale starts at nine."
    server.change(f"{app}/ios", {"killSwitch": {"message": "For the day.", "until": at(hours=10, minutes=40)}})
    expect(lines(page, f"{app}/ios")).to_contain_text(FAILS)
    assert forecast(server, app)["message"] == "For the day."
    # A window made now counts on what there is now, and so does one that begins when that has lifted itself.
    make_window(server, [f"{app}/ios"], set={"killSwitch": {"message": "The night."}}, start=at(hours=10, minutes=45))
    expect(lines(page, f"{app}/ios").nth(1)).to_contain_text("· in ")
    expect(lines(page, f"{app}/ios")).to_have_count(2)


def test_whoever_opens_can_cancel_the_block_that_comes_next(windows, server, app):
    make_window(server, [f"{app}/ios"])
    server.change(f"{app}/ios", {"killSwitch": {"message": "Incident."}})
    # Made for the block that is there now: opening stops it.
    make_window(server, [f"{app}/ios"], start=at(hours=1))
    page = windows.open(server)
    kill_switch(page, f"{app}/ios").click()
    opening = page.get_by_role("dialog", name="Open ")
    warnings = opening.locator(".warnings")
    expect(warnings).to_contain_text("Opening now does not cancel window")
    opening.get_by_role("button", name="Cancel it too: ").press("Enter")
    asked = page.get_by_role("dialog", name=re.compile(r"^Cancel the window of .+ in [A-Z]+$"))
    expect(asked.get_by_role("button", name="Keep it", exact=True)).to_be_visible()
    asked.get_by_role("button", name="Cancel the window of ").click()
    expect(asked).to_have_count(0)
    expect(warnings).not_to_contain_text("Opening now")
    expect(opening.get_by_role("button", name="Cancel it too: ")).to_have_count(0)
    expect(opening.get_by_role("heading", name="Open ")).to_be_focused()
    assert len(server.call("GET", f"/windows?app={app}&state=pending")["items"]) == 1
    opening.get_by_role("button", name="Open ").click()
    expect(opening).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"] == {}


def test_whoever_has_left_before_the_answer_stays_where_they_are_and_keeps_their_dialog(windows, server, app):
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    page.get_by_label("Message").fill("Closed tonight.")
    page.locator(".chip").filter(has_text="08:30").click()
    make = page.get_by_role("button", name="Schedule it on")
    expect(make).to_have_attribute("aria-disabled", "false")
    held = []
    page.route("**/api/v1/windows", lambda route: route.continue_() if route.request.post_data_json.get("dryRun") else held.append(route))
    make.click()
    eventually(lambda: page.wait_for_timeout(20) or held, "the window is sent")
    page.get_by_role("link", name="Overview").first.click()
    kill_switch(page, f"{app}/android").click()
    dialog(page).get_by_label("Message").fill("Half a sentence")
    with page.expect_response(lambda answer: "/api/v1/windows?" in answer.url):
        held[0].continue_()
    # Its window has been read; a screen that left would have left by now.
    page.wait_for_timeout(300)
    assert page.url.endswith("#/")
    expect(dialog(page).get_by_label("Message")).to_have_value("Half a sentence")
    # What was sent is no draft any more.
    dialog(page).get_by_role("button", name="Cancel").click()
    page.goto(f"{server.admin}/#/schedule/new?t={app}/ios")
    expect(page.get_by_label("Message")).to_have_value("")


def edited(server, made):
    """The same window, by a colleague: another text and another time."""
    body = {"targets": [{"app": one["app"], "platform": one["platform"], "revision": 1} for one in made["targets"]], "revision": made["revision"], "start": {"at": at(days=3)}}
    server.call("PUT", f"/windows/{made['id']}", body | {"set": {"killSwitch": {"message": "Another text."}}})


MEANWHILE = {
    "edited": (edited, "Another text.", "cancelled"),
    "begun": (lambda server, made: server.call("POST", f"/windows/{made['id']}/run", {}), "It is no longer waiting, because of tests.", "running"),
}


@pytest.mark.parametrize("what", MEANWHILE)
def test_a_window_that_was_changed_under_its_dialog_is_not_cancelled_unread(windows, server, app, what):
    """One that has begun is not cancelled at all: its block would stay, with no end."""
    meanwhile, said, in_the_end = MEANWHILE[what]
    made = make_window(server, [f"{app}/ios"])
    page = windows.open(server, "/schedule")
    page.locator(".window-card").filter(has_text=app.capitalize()).get_by_role("button", name="Cancel this window").click()
    meanwhile(server, made)
    cancel = dialog(page).get_by_role("button", name="Cancel the window of ")
    cancel.click()
    expect(dialog(page).get_by_role("alert")).to_contain_text(said)
    assert server.call("GET", f"/windows/{made['id']}")["state"] != "cancelled"
    with page.expect_response(lambda answer: f"/windows/{made['id']}" in answer.url):
        cancel.click()
    if in_the_end == "cancelled":
        expect(dialog(page)).to_have_count(0)
    assert server.call("GET", f"/windows/{made['id']}")["state"] == in_the_end


@pytest.mark.parametrize("scheme, width", [("light", 1280), ("dark", 390)])
def test_a_window_of_whose_start_a_part_was_refused_says_which_targets_lack_what(windows, own_server, scheme, width):
    own_server.add_app("kiosk", "Kiosk", "ios", "macos")
    make_window(
        own_server, ["kiosk/ios", "kiosk/macos"], {"killSwitch": {"message": "Sale."}, "requiredUpdate": {"minimumVersion": "3.0", "message": "Please update."}},
        at(seconds=2),
    )
    own_server.change("kiosk/ios", {"optionalUpdate": {"optionalVersion": "2.5", "message": "2.5 is out."}})
    page = windows.open(own_server, width=width, color_scheme=scheme)
    banner = page.locator(".trouble")
    expect(banner).to_contain_text("1 scheduled window IN PART" if width == 390 else "1 scheduled window runs only IN PART", timeout=10_000)
    if width == 1280:
        expect(banner.get_by_role("listitem")).to_contain_text("not on Kiosk on iOS: the minimum version")
    expect(lines(page, "kiosk/ios")).to_contain_text("runs IN PART")
    expect(lines(page, "kiosk/ios").locator("strong").nth(1)).to_have_text("not here: the minimum version")
    # The other target has all of it.
    expect(lines(page, "kiosk/macos")).to_contain_text("running")
    expect(lines(page, "kiosk/macos")).not_to_contain_text("not ")
    banner.get_by_role("link").locator("visible=true").click()
    card = page.locator(".window-card").filter(has_text="Kiosk")
    expect(card).to_have_count(1)
    expect(card.locator(".window-state")).to_have_text("runs IN PART")
    expect(card.locator(".window-line")).to_contain_text("not on Kiosk on iOS: the minimum version")
    expect(card.locator(".callout")).to_contain_text("refused at its start")
    page.goto(f"{own_server.admin}/#/t/kiosk/ios")
    expect(page.locator(".target-page .window-line")).to_contain_text("not here: the minimum version")


LEAVES = "at its end the window leaves that as it is"


def begun(server, targets, set=None, then="open"):
    made = make_window(server, targets, set, then=then)
    phrase = {"confirm": f"kill {len(targets)} targets"} if len(targets) > 1 else {}
    return server.call("POST", f"/windows/{made['id']}/run", phrase)["window"]


def close(page):
    dialog(page).get_by_role("button", name="Cancel", exact=True).click()
    expect(dialog(page)).to_have_count(0)


@pytest.mark.parametrize("then, promised", [("open", "then open"), ("restore", "then back to what was before")])
def test_what_was_changed_by_hand_while_a_window_runs_is_promised_nowhere(windows, server, app, then, promised):
    made = begun(server, [f"{app}/ios"], then=then)
    name = f"{app.capitalize()} on iOS"
    overview, schedule, target = (windows.open(server, path) for path in (f"/?q={app}", "/schedule", f"/t/{app}/ios"))
    card = schedule.locator(".window-card").filter(has_text=app.capitalize())
    told = [lines(overview, f"{app}/ios"), target.locator(".target-page .window-line"), card.locator(".window-line")]
    for line in told:
        expect(line).to_contain_text("· ends in")
    expect(card.locator(".window-times")).to_contain_text(f", {promised}")

    # One corrected word, and the block is nobody's but its writer's.
    server.change(f"{app}/ios", {"killSwitch": {"message": "Sale starts at ten."}})
    for line in told[:2]:
        expect(line).to_contain_text(f"changed by hand: the kill switch; {LEAVES}")
    expect(told[2]).to_contain_text(f"changed by hand on {name}: the kill switch; {LEAVES}")
    expect(card.locator(".window-times")).to_contain_text(f", {promised}, except for what was changed by hand")
    expect(card.locator(".callout")).to_contain_text("somebody has to take it away")
    for place in (target, card):
        expect(place.get_by_role("button", name="Keep ")).to_have_count(0)
        expect(place.get_by_role("button", name=f"End now: open {name}")).to_have_count(0)
    target.get_by_role("button", name=f"End now: {name} (was to end ").click()
    expect(dialog(target)).to_contain_text(f"{promised}, except for what was changed by hand.")
    expect(dialog(target).locator(".warnings")).to_contain_text("was changed meanwhile and stays as it is")
    close(target)
    target.get_by_role("button", name=f"Extend {name} past ").click()
    expect(dialog(target).locator(".warnings")).to_contain_text(f"Changed by hand on {name}: the kill switch; {LEAVES}.")
    # Told while it is open, it is another plan.
    server.change(f"{app}/ios", {"killSwitch": made["targets"][0]["expected"]["killSwitch"]})
    expect(dialog(target).locator(".dialog-news")).to_contain_text("has changed meanwhile")
    expect(dialog(target).locator(".warnings")).to_have_count(0)
    close(target)
    # What is taken back is no matter.
    for line in told:
        expect(line).to_contain_text("· ends in")
        expect(line).not_to_contain_text("by hand")
    expect(card.locator(".window-times")).not_to_contain_text("except")
    expect(card.locator(".callout")).to_have_count(0)
    expect(target.get_by_role("button", name=f"Keep {name} blocked")).to_be_visible()

    # Changed to something that lets people in, nobody is told that they stay out.
    server.change(f"{app}/ios", {"killSwitch": None})
    for line in told[:2]:
        expect(line).to_contain_text(f"taken away by hand: the kill switch; {LEAVES}")
    expect(told[2]).to_contain_text(f"taken away by hand on {name}: the kill switch")
    expect(target.get_by_role("button", name="Keep ")).to_have_count(0)
    server.call("POST", f"/windows/{made['id']}/run", {"step": "end"})
    assert server.target(f"{app}/ios")["state"] == "open"


MINIMUM = {"requiredUpdate": {"minimumVersion": "3", "message": "Please update."}}


@pytest.mark.parametrize("rules, then, promised", [
    ({"alert": {"message": "Slow.", "blocking": False}}, "open", "then the alert is taken away"),
    (MINIMUM, "open", "then the minimum version is taken away"),
    (MINIMUM | {"alert": {"message": "Slow.", "blocking": False}}, "open", "then the minimum version and the alert are taken away"),
    ({"alert": {"message": "Slow.", "blocking": False}}, "restore", "then back to what was before"),
    ({"alert": {"message": "Closed.", "blocking": True}}, "open", "then open"),
])
def test_only_a_window_that_keeps_people_out_is_said_to_open(windows, server, app, rules, then, promised):
    begun(server, [f"{app}/ios"], rules, then=then)
    page = windows.open(server, "/schedule")
    card = page.locator(".window-card").filter(has_text=app.capitalize())
    expect(card.locator(".window-times dd").last).to_contain_text(re.compile(rf", {promised}$"))
    card.get_by_role("button", name="End now: ").click()
    expect(dialog(page)).to_contain_text(f", {promised}. That is done at once")


def test_of_several_targets_those_are_named_of_which_a_running_window_leaves_something(windows, server, app):
    rules = {"killSwitch": {"message": "Sale."}, "requiredUpdate": {"minimumVersion": "30", "message": "Please update."}}
    made = begun(server, [f"{app}/ios", f"{app}/android"], rules)
    name, ios, android = app.capitalize(), f"{app.capitalize()} on iOS", f"{app.capitalize()} on Android"
    page = windows.open(server, "/schedule")
    card = page.locator(".window-card").filter(has_text=name)
    line = card.locator(".window-line")
    expect(card.get_by_role("button", name=f"Keep {name} on iOS and Android blocked")).to_be_visible()

    # Something stricter on one of them: its block is still the window's.
    server.change(f"{app}/android", {"requiredUpdate": {"minimumVersion": "40", "message": "Please update."}})
    expect(line).to_contain_text(f"changed by hand on {android}: the minimum version; {LEAVES}")
    expect(card.get_by_role("button", name=f"Keep {name} on iOS and Android blocked")).to_be_visible()
    expect(card.get_by_role("button", name=f"End now: open {name} on iOS and Android")).to_be_visible()

    # And opened: of the other one everything is left to do.
    server.change(f"{app}/android", {"killSwitch": None})
    expect(line).to_contain_text(f"changed by hand on {android}: the minimum version; taken away by hand on {android}: the kill switch; {LEAVES}")
    expect(line).not_to_contain_text("iOS: the")
    expect(card.get_by_role("button", name=f"End now: open {ios} (")).to_be_visible()
    expect(card.get_by_role("button", name=f"Extend {ios} past ")).to_be_visible()
    card.get_by_role("button", name=f"Keep {ios} blocked").click()
    expect(dialog(page)).to_contain_text(f"{ios} no longer opens by itself")
    expect(dialog(page).locator(".warnings")).to_contain_text(f"taken away by hand on {android}: the kill switch")
    # Opened too while somebody reads that nobody gets in.
    server.change(f"{app}/ios", {"killSwitch": None})
    expect(dialog(page)).not_to_contain_text("nobody gets in")
    expect(dialog(page)).to_contain_text(f"What is in force on {ios} no longer ends by itself")
    server.change(f"{app}/ios", {"requiredUpdate": None})
    expect(dialog(page)).to_contain_text("is as somebody has left it by hand")
    close(page)
    expect(card.get_by_role("button", name="Keep ")).to_have_count(0)
    target = windows.open(server, f"/t/{app}/ios")
    expect(target.locator(".target-page .window-line")).to_contain_text(
        f"taken away by hand: the kill switch and the minimum version; {LEAVES}")
    server.call("POST", f"/windows/{made['id']}/run", {"step": "end"})
    assert [server.target(f"{app}/{platform}")["state"] for platform in ("ios", "android")] == ["open", "updateRequired"]


def test_what_is_lacking_and_what_was_changed_by_hand_are_told_once_each(windows, own_server):
    own_server.add_app("kiosk", "Kiosk", "ios", "macos")
    rules = {"killSwitch": {"message": "Sale."}, "requiredUpdate": {"minimumVersion": "3.0", "message": "Please update."}}
    make_window(own_server, ["kiosk/ios", "kiosk/macos"], rules, at(seconds=2))
    own_server.change("kiosk/ios", {"optionalUpdate": {"optionalVersion": "2.5", "message": "2.5 is out."}})
    page = windows.open(own_server)
    banner = page.locator(".trouble").get_by_role("listitem")
    expect(banner).to_contain_text("not on Kiosk on iOS: the minimum version", timeout=10_000)
    own_server.change("kiosk/macos", {"killSwitch": None})
    whole = f"not on Kiosk on iOS: the minimum version; taken away by hand on Kiosk on macOS: the kill switch; {LEAVES}"
    expect(banner).to_contain_text(whole)
    expect(lines(page, "kiosk/ios")).not_to_contain_text("by hand")
    expect(lines(page, "kiosk/macos")).to_contain_text(f"taken away by hand: the kill switch; {LEAVES}")
    # Mended by hand where it was refused, it is nothing that the window had put there.
    own_server.change("kiosk/ios", {"optionalUpdate": None, "requiredUpdate": {"minimumVersion": "3.0", "message": "Please update."}})
    page.goto(f"{own_server.admin}/#/schedule")
    card = page.locator(".window-card").filter(has_text="Kiosk")
    expect(card.locator(".window-state")).to_have_text("runs IN PART")
    expect(card.locator(".window-line")).to_contain_text(whole)
    expect(card.locator(".callout")).to_have_count(2)


def test_whoever_is_about_to_run_what_has_begun_is_told_what_to_press_and_no_words_of_the_api(windows, server, app):
    windows.expected = {409}
    made = make_window(server, [f"{app}/ios"])
    page = windows.open(server, "/schedule")
    page.locator(".window-card").filter(has_text=app.capitalize()).get_by_role("button", name="Run now… ").click()
    expect(dialog(page).get_by_role("region", name="What people see")).to_be_visible()
    server.call("POST", f"/windows/{made['id']}/run", {})
    problem = dialog(page).locator(".problem")
    expect(problem).to_have_text("It has started meanwhile: there is nothing left to run here.")
    expect(problem).not_to_contain_text('"step"')


def test_of_a_window_of_many_apps_each_is_named_on_its_card_and_in_its_dialogs(windows, start_server):
    server = start_server()
    keys = [f"app{number}" for number in range(8)]
    for key in keys:
        server.add_app(key, key.capitalize(), "ios", "android")
    targets = [f"{key}/{platform}" for key in keys for platform in ("ios", "android")]
    made = make_window(server, targets)
    few = make_window(server, targets[:4])
    page = windows.open(server, "/schedule", width=390, height=844)
    card = page.locator(".window-card").filter(has=page.get_by_role("heading", name="16 targets"))
    other = page.locator(".window-card").filter(has=page.get_by_role("heading", name="App0 on iOS and Android, App1 on iOS and Android"))
    of_each = [re.compile(rf"^{key.capitalize()} – (iOS, Android|Android, iOS)$") for key in keys]

    def expect_list(place):
        items = place.locator("li").filter(has_text=re.compile("^App. – "))
        expect(items).to_have_text(of_each)
        expect(items.nth(5)).to_be_visible()
        expect(items.nth(6)).to_be_hidden()
        place.get_by_text("and 2 more", exact=True).click()
        expect(items.nth(7)).to_be_visible()

    expect_list(card)
    # Named in the heading, they are not told twice.
    expect(other).to_have_count(1)
    expect(other.locator("li").filter(has_text=" – iOS")).to_have_count(0)
    # It stays unfolded when another window goes.
    server.call("DELETE", f"/windows/{few['id']}", {"revision": few["revision"]})
    expect(other).to_have_count(0)
    expect(card.get_by_text("App7", exact=True)).to_be_visible()

    for button in ("Cancel this window…", "Run now…"):
        card.get_by_role("button", name=button).click()
        expect(dialog(page).get_by_role("heading", level=2)).to_contain_text("16 targets")
        expect_list(dialog(page))
        dialog(page).get_by_role("button", name=re.compile("^(Cancel|Keep it)$")).click()
        expect(dialog(page)).to_have_count(0)
    server.call("POST", f"/windows/{made['id']}/run", {"confirm": "kill 16 targets"})
    for button in ("End now: open 16 targets", "Extend 16 targets", "Keep 16 targets blocked"):
        card.get_by_role("button", name=button).click()
        expect_list(dialog(page))
        dialog(page).get_by_role("button", name="Cancel", exact=True).click()
        expect(dialog(page)).to_have_count(0)
