"""Windows: made in a zone that is always said, seen on the overview, seen to start, called off."""

import datetime
import re
import time
import zoneinfo

from playwright.sync_api import expect

from steps import dialog, kill_switch


def rfc3339(moment):
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def make_window(server, target, start, end=None):
    app, platform = target.split("/")
    body = {"targets": [{"app": app, "platform": platform, "revision": server.target(target)["revision"]}], "set": {"killSwitch": {"message": "Sale starts at nine."}}, "start": {"at": rfc3339(start)}}
    return server.call("POST", "/windows", body | ({"end": {"at": rfc3339(end)}} if end else {}))["window"]


def fill(page, message, start, end):
    page.get_by_label("Message").fill(message)
    page.get_by_label("Start").fill(start)
    page.get_by_label("End", exact=True).fill(end)


def test_a_block_for_tomorrow_is_made_from_the_target_and_shown_everywhere_with_its_zone(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("link", name="Schedule a change…").click()
    expect(page.get_by_label("Target")).to_have_value(f"{app}/ios")
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    day = (now() + datetime.timedelta(days=2)).date().isoformat()
    fill(page, "Sale starts at nine.", f"{day}T08:30", f"{day}T09:00")
    expect(page.locator("main")).to_contain_text(re.compile(r"08:30 Europe/Berlin \(UTC\+0[12]:00\) = 0[67]:30 UTC · in "))
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Sale starts at nine.")
    page.get_by_role("button", name=f"Schedule it on {app.capitalize()} on iOS in STAGING").click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    panel = page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")
    expect(panel).to_contain_text("08:30 – 09:00 Berlin: block “Sale starts at nine.”")
    page.goto(f"{server.admin}/#/?q={app}&state=scheduled")
    expect(page.locator(".target-row")).to_have_count(1)
    expect(page.locator(".target-row")).to_contain_text("block “Sale starts at nine.” · in ")
    assert server.target(f"{app}/ios")["state"] == "open"

    # Somebody in another zone reads the same walls, and their own beside them.
    elsewhere = page.context.browser.new_context(timezone_id="America/New_York", locale="en-GB")
    elsewhere.add_cookies(server.cookies)
    other = elsewhere.new_page()
    other.goto(f"{server.admin}/#/schedule")
    panel = other.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")
    expect(panel).to_contain_text("08:30 – 09:00 Berlin")
    expect(panel).to_contain_text(re.compile(r"08:30 Europe/Berlin .* UTC = 0[123]:30 for you"))
    elsewhere.close()


def test_an_hour_that_clocks_skip_is_refused_with_the_nearest_times(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    fill(page, "Back soon.", "2027-03-28T02:30", "2027-03-28T04:00")
    expect(page.get_by_label("Start")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name=re.compile("03:00 Europe")).click()
    expect(page.get_by_label("Start")).to_have_value("2027-03-28T03:00")
    expect(page.locator("main")).to_contain_text("03:00 Europe/Berlin (UTC+02:00) = 01:00 UTC")


def test_an_hour_that_comes_twice_is_asked_about(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    fill(page, "Back soon.", "2027-10-31T02:30", "2027-10-31T05:00")
    page.get_by_role("button", name="the later one (UTC+01:00)").click()
    expect(page.locator("main")).to_contain_text("02:30 Europe/Berlin (UTC+01:00) = 01:30 UTC")
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    made = [window for window in server.call("GET", f"/windows?app={app}")["items"]]
    assert made[0]["start"]["at"] == "2027-10-31T01:30:00.000Z"


def test_the_past_is_refused(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    fill(page, "Back soon.", "2020-01-01T09:00", "2020-01-01T10:00")
    expect(page.get_by_label("Start")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_label("Start")).to_have_attribute("aria-invalid", "true")
    assert server.call("GET", f"/windows?app={app}")["items"] == []


def test_what_is_missing_is_said_at_its_field(windows, server, app):
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_label("Message")).to_be_focused()
    expect(page.get_by_text("Choose when it starts.")).to_be_visible()
    expect(page.get_by_text("Choose when it ends.")).to_be_visible()


def test_a_window_is_seen_to_start_and_to_end(server, overview, app):
    page, row = overview
    begin = now() + datetime.timedelta(seconds=4)
    make_window(server, f"{app}/ios", begin, begin + datetime.timedelta(seconds=4))
    expect(row).to_contain_text("block “Sale starts at nine.”", timeout=3000)
    expect(row.get_by_role("switch")).not_to_be_checked()
    expect(row.get_by_role("switch")).to_be_checked(timeout=10_000)
    expect(row).to_contain_text("running")
    expect(row.get_by_role("switch")).not_to_be_checked(timeout=10_000)
    assert server.changes(f"{app}/ios")[0]["source"] == "schedule"


def test_a_product_manager_makes_a_window_sees_it_on_the_overview_and_sees_it_fire(windows, server, app):
    """The mission's own example, from the form to the phones: “Block the app until the sale starts at nine.”"""
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    berlin = zoneinfo.ZoneInfo("Europe/Berlin")
    begin = now().replace(microsecond=0) + datetime.timedelta(seconds=20)
    # Typed to the second, where a person would wait for the next full minute.
    fill(page, "Sale starts at nine.", begin.astimezone(berlin).strftime("%Y-%m-%dT%H:%M:%S"), (begin + datetime.timedelta(seconds=6)).astimezone(berlin).strftime("%Y-%m-%dT%H:%M:%S"))
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Sale starts at nine.")
    page.get_by_role("button", name=f"Schedule it on {app.capitalize()} on iOS in STAGING").click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()

    page.goto(f"{server.admin}/#/")
    row = page.locator(".target-row").filter(has_text=f"{app}/ios")
    expect(row.locator(".window-line")).to_contain_text(re.compile(r"Berlin: block “Sale starts at nine\.” · in \d+ s"))
    expect(row).to_contain_text("OPEN")
    assert server.feed(f"{app}/ios/bellerophon.json")["apiInactive"] is False

    expect(row.get_by_role("switch")).to_be_checked(timeout=40_000)
    expect(row).to_contain_text("BLOCKED")
    expect(row).to_contain_text("running")
    assert server.feed(f"{app}/ios/bellerophon.json")["userMessage"] == "Sale starts at nine."
    started = server.changes(f"{app}/ios")[0]
    assert (started["source"], started["at"][:19]) == ("schedule", begin.isoformat()[:19])
    assert re.match(r"Window \d+ by admin", started["reason"])

    expect(row.get_by_role("switch")).not_to_be_checked(timeout=20_000)
    expect(row.locator(".window-line")).to_have_count(0)
    assert server.feed(f"{app}/ios/bellerophon.json")["apiInactive"] is False


def test_after_downtime_an_opening_has_run_and_a_block_that_was_slept_through_waits_for_a_person(windows, own_server):
    own_server.call("PUT", "/apps/shop/platforms/android", {})
    own_server.change("shop/android", {"killSwitch": {"message": "Back soon."}})
    begin = now() + datetime.timedelta(seconds=2)
    end = begin + datetime.timedelta(seconds=1)
    make_window(own_server, "shop/ios", begin, end)
    own_server.call("POST", "/windows", {"targets": [{"app": "shop", "platform": "android", "revision": 2}], "set": {"killSwitch": None}, "start": {"at": rfc3339(begin)}})
    own_server.stop()
    while now() <= end:
        time.sleep(0.05)
    own_server.restart()
    page = windows.open(own_server)
    expect(kill_switch(page, "shop/android")).not_to_be_checked()
    expect(kill_switch(page, "shop/ios")).not_to_be_checked()
    expect(page.locator(".target-row").filter(has_text="shop/ios")).to_contain_text("MISSED")
    assert own_server.changes("shop/android")[0]["source"] == "schedule"
    assert own_server.target("shop/ios")["revision"] == 1
    page.goto(f"{own_server.admin}/#/schedule")
    panel = page.locator(".panel").filter(has_text="Shop on iOS")
    expect(panel).to_contain_text("Nobody was kept out unasked; run it or cancel it.")
    panel.get_by_role("button", name="Cancel this window…").click()
    dialog(page).get_by_role("button", name="Cancel the window").click()
    expect(panel).to_have_count(0)


def test_a_window_that_waits_is_edited_in_place(windows, server, app):
    day = (now() + datetime.timedelta(days=2)).date().isoformat()
    made = server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": "Sale starts at nine."}}, "then": "restore", "reason": "SALE",
        "start": {"wallTime": f"{day}T08:30", "zone": "America/New_York"}, "end": {"wallTime": f"{day}T09:00", "zone": "America/New_York"},
    })["window"]
    page = windows.open(server, "/schedule")
    panel = page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")
    panel.get_by_role("link", name="Edit…").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Edit window {made['id']}")
    for label, value in (("Target", f"{app}/ios"), ("What happens", "kill"), ("Message", "Sale starts at nine."), ("Time zone", "America/New_York"), ("At the end", "restore"), ("Start", f"{day}T08:30"), ("Reason", "SALE")):
        expect(page.get_by_label(label)).to_have_value(value)
    page.get_by_label("End", exact=True).fill(f"{day}T09:15")
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    expect(panel).to_have_count(1)
    expect(panel).to_contain_text("08:30 – 09:15 New York")
    assert server.call("GET", f"/windows/{made['id']}")["state"] == "cancelled"
    [waiting] = server.call("GET", f"/windows?app={app}&state=pending")["items"]
    assert (waiting["end"]["wallTime"][:16], waiting["then"], waiting["reason"]) == (f"{day}T09:15", "restore", "SALE")


def test_a_window_that_says_more_than_the_form_can_is_not_edited_there(windows, server, app):
    later = now() + datetime.timedelta(days=1)
    server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "start": {"at": rfc3339(later)},
        "set": {"killSwitch": {"message": {"default": "Closed.", "de": "Zu."}, "retryInterval": 60}},
    })
    page = windows.open(server, "/schedule")
    panel = page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")
    expect(panel.get_by_role("button", name="Cancel this window…")).to_be_visible()
    expect(panel.get_by_role("link", name="Edit…")).to_have_count(0)


def test_a_window_is_cancelled_or_run_early_by_hand(windows, server, app):
    later = now() + datetime.timedelta(days=1)
    make_window(server, f"{app}/ios", later, later + datetime.timedelta(hours=1))
    make_window(server, f"{app}/android", later, later + datetime.timedelta(hours=1))
    page = windows.open(server, "/schedule")
    ios = page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")
    ios.get_by_role("button", name="Cancel this window…").click()
    dialog(page).get_by_role("button", name="Cancel the window").click()
    expect(ios).to_have_count(0)
    android = page.locator(".panel").filter(has_text=f"{app.capitalize()} on Android")
    android.get_by_role("button", name="Run now…").click()
    expect(dialog(page).get_by_role("table")).to_contain_text("Sale starts at nine.")
    dialog(page).get_by_role("button", name="Run now").click()
    expect(android).to_contain_text("running")
    assert server.target(f"{app}/android")["state"] == "blocked"
    page.goto(f"{server.admin}/#/")
    expect(kill_switch(page, f"{app}/android")).to_be_checked()
