"""Windows: made in a zone that is always said, seen on the overview, seen to start, called off."""

import datetime
import re
import time
import zoneinfo

import pytest
from playwright.sync_api import expect

from steps import Held, deaf, dialog, kill_switch, later, lose_answer

# The page's own module, under the address from which the page has it.
STORE = """import(document.querySelector("script[src$='app.js']").src.replace("app.js", "store.js"))"""


def rfc3339(moment):
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def now():
    return datetime.datetime.now(datetime.timezone.utc)


def make_window(server, target, start, end=None, **more):
    app, platform = target.split("/")
    body = {"targets": [{"app": app, "platform": platform, "revision": server.target(target)["revision"]}], "set": {"killSwitch": {"message": "Sale starts at nine."}}, "start": {"at": rfc3339(start)}}
    return server.call("POST", "/windows", body | ({"end": {"at": rfc3339(end)}} if end else {}) | more)["window"]


def fill(page, message, start, end):
    page.get_by_label("Message").fill(message)
    page.get_by_label("Start").fill(start)
    page.get_by_label("End", exact=True).fill(end)


def test_a_refusal_that_may_be_overridden_is_overridden_by_hand_also_for_later(windows, server, app):
    windows.expected = {422}
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["9.9.0", "10.0.0", "10.0.1"]})
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    page.get_by_label("What happens").select_option(label="Raise the minimum version")
    page.get_by_role("textbox", name="Version", exact=True).fill("10.0.0")
    page.get_by_role("textbox", name="Message", exact=True).fill("Please update.")
    day = (now() + datetime.timedelta(days=2)).date().isoformat()
    page.get_by_label("Start", exact=True).fill(f"{day}T08:30")
    page.get_by_label("End", exact=True).fill(f"{day}T09:30")
    page.get_by_role("checkbox", name="can be downloaded from the store").check()
    override = page.get_by_role("checkbox", name="Publish it all the same. The history will say so.")
    expect(override).not_to_be_checked()
    expect(page.get_by_role("table", name="What changes")).to_have_count(0)
    override.check()
    expect(page.get_by_role("table", name="What changes")).to_contain_text("10.0.0")

    # Another version is another risk.
    page.get_by_role("textbox", name="Version", exact=True).fill("10.0.1")
    expect(override).not_to_be_checked()
    override.check()
    expect(page.get_by_role("table", name="What changes")).to_contain_text("10.0.1")
    page.get_by_role("checkbox", name="can be downloaded from the store").check()
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    [window] = [one for one in server.call("GET", "/windows?state=pending&limit=500")["items"] if one["targets"][0]["app"] == app]
    assert window["set"]["requiredUpdate"]["minimumVersion"] == "10.0.1" and window["accept"]


def test_a_block_for_tomorrow_is_made_from_the_target_and_shown_everywhere_with_its_zone(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("link", name="Schedule a change…").click()
    expect(page.get_by_label("App", exact=True)).to_have_value(app)
    expect(page.get_by_role("checkbox", name="iOS")).to_be_checked()
    expect(page.get_by_role("checkbox", name="Android")).not_to_be_checked()
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Berlin")
    day = (now() + datetime.timedelta(days=2)).date().isoformat()
    fill(page, "Sale starts at nine.", f"{day}T08:30", f"{day}T09:00")
    expect(page.locator("main")).to_contain_text(re.compile(r"08:30 Europe/Berlin \(UTC\+0[12]:00\) = 0[67]:30 UTC · in\s"))
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


def test_a_form_tells_what_a_colleague_has_done_meanwhile_and_asks_again(windows, protected_server):
    """A window made over an unseen block would lift it at its end."""
    windows.expected = {412, "lost"}
    server = protected_server
    server.add_app("meanwhile", "Meanwhile", "ios")
    page = windows.open(server, "/schedule/new?t=meanwhile/ios")
    start = now() + datetime.timedelta(days=2)
    fill(page, "Sale starts at nine.", f"{start:%Y-%m-%dT08:00}", f"{start:%Y-%m-%dT09:00}")
    page.get_by_label("to confirm").fill("meanwhile/ios")
    page.get_by_label("Reason").fill("SALE")
    save = page.get_by_role("button", name="Schedule it on ")
    expect(save).to_be_enabled()
    server.change("meanwhile/ios", {"killSwitch": {"message": "Data leak."}}, reason="INC-999")
    news = page.locator(".window-news")
    expect(news).to_contain_text("Meanwhile on iOS has moved: Changed by tests")
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Data leak.")
    save.click()
    assert server.call("GET", "/windows?app=meanwhile")["items"] == []

    # A colleague's window beside this one is told as well.
    make_window(server, "meanwhile/ios", start, start + datetime.timedelta(hours=2), reason="SALE", confirm="meanwhile/ios")
    expect(news).to_contain_text("The schedule has changed meanwhile, by tests.")
    expect(page.locator(".dialog-plan .warnings")).to_be_visible()

    # And if the colleague is faster by less than a poll, the server refuses what this person saw.
    expect(save).to_be_enabled()
    reason, confirm = page.get_by_label("Reason"), page.get_by_label("to confirm")
    confirm.fill("meanwhile/ios")
    deaf(page)
    server.change("meanwhile/ios", {"killSwitch": {"message": "Data leak, do not open."}}, reason="INC-999")
    expect(reason).to_have_value("SALE")
    save.click()
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Data leak, do not open.")
    assert len(server.call("GET", "/windows?app=meanwhile")["items"]) == 1


def test_whoever_leaves_before_the_answer_and_comes_back_makes_no_second_window(windows, server, app):
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    day = (now() + datetime.timedelta(days=3)).date().isoformat()
    fill(page, "Back soon.", f"{day}T08:30", f"{day}T09:30")
    go = page.get_by_role("button", name="Schedule it on ")
    expect(page.get_by_role("table", name="What changes")).to_be_visible()
    late = Held(page, "**/api/v1/windows")
    go.click()
    late.wait()
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Press again: the same is sent once more, and cannot be made twice.")).to_be_visible()
    go.click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    late.release()
    assert len([one for one in server.call("GET", "/windows?state=pending&limit=500")["items"] if one["targets"][0]["app"] == app]) == 1
    # Nothing of it is left for the next one.
    page.goto(f"{server.admin}/#/schedule/new?t={app}/ios")
    expect(page.get_by_label("Message")).to_have_value("")


def test_a_proxys_page_in_place_of_the_answer_costs_no_draft(windows, server, app):
    page = windows.open(server, f"/schedule/new?t={app}/ios&do=alert")
    day = (now() + datetime.timedelta(days=2)).date().isoformat()
    fill(page, "Slow tonight.", f"{day}T08:30", f"{day}T09:00")
    page.route("**/api/v1/windows", lambda route: route.continue_() if route.request.post_data_json.get("dryRun")
               else route.fulfill(status=200, content_type="text/html", body="<h1>Please sign in to the network</h1>"))
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.locator(".planner .problem")).to_contain_text("No answer. It is not known whether the schedule has it.")
    page.reload()
    expect(page.get_by_label("Message")).to_have_value("Slow tonight.")


def test_after_a_lost_answer_the_same_window_is_asked_for_again(windows, server, app):
    windows.expected = {"lost"}
    page = windows.open(server, f"/schedule/new?t={app}/ios&do=alert")
    day = (now() + datetime.timedelta(days=2)).date().isoformat()
    fill(page, "Slow tonight.", f"{day}T08:30", f"{day}T09:00")
    lose_answer(page, "**/api/v1/windows")
    save = page.get_by_role("button", name="Schedule it on ")
    save.click()
    problem = page.locator(".planner .problem")
    expect(problem).to_contain_text("No answer. It is not known whether the schedule has it.")
    # Written differently it would be a second window.
    expect(page.locator(".planner [inert]").first).to_be_attached()
    assert page.get_by_label("Reason").evaluate("(field) => field.closest('[inert]') !== null")
    page.reload()
    expect(problem).to_contain_text("No answer.")
    expect(page.get_by_label("Message")).to_have_value("Slow tonight.")
    save.click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    assert len(server.call("GET", f"/windows?app={app}")["items"]) == 1


@pytest.mark.parametrize("zone, read", [
    ("America/Los_Angeles", "Wed 1 Dec 2027, 02:00 Europe/Berlin (UTC+01:00) = 01:00 UTC = Tue 17:00 for you · in "),
    ("Asia/Tokyo", "Wed 1 Dec 2027, 02:00 Europe/Berlin (UTC+01:00) = 01:00 UTC = 10:00 for you · in "),
    ("Europe/Berlin", "Wed 1 Dec 2027, 02:00 Europe/Berlin (UTC+01:00) = 01:00 UTC · in "),
])
def test_a_time_names_its_year_and_the_day_where_it_is_another_one(windows, server, app, zone, read):
    page = windows.open(server, f"/schedule/new?t={app}/ios", timezone_id=zone)
    page.get_by_label("Time zone").fill("Europe/Berlin")
    fill(page, "Sale starts at nine.", "2027-12-01T02:00", "2027-12-02T00:30")
    expect(page.locator("main")).to_contain_text(read)
    # Half past midnight in Berlin is the day before in UTC.
    expect(page.locator("main")).to_contain_text("Thu 2 Dec 2027, 00:30 Europe/Berlin (UTC+01:00) = Wed 23:30 UTC")


def test_a_countdown_of_the_schedule_counts_down(windows, server, app):
    make_window(server, f"{app}/ios", now() + datetime.timedelta(minutes=50, seconds=30))
    page = windows.open(server, "/schedule")
    times = page.locator(".window-card").filter(has_text=f"{app.capitalize()} on iOS").locator(".window-times")
    expect(times).to_contain_text(re.compile(r"in\s(49|50)\smin"))
    later(page, minutes=20)
    expect(times).to_contain_text(re.compile(r"in\s(29|30)\smin"))


def test_how_far_off_a_time_is_stays_true_while_it_is_being_written(windows, server, app):
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    start = now() + datetime.timedelta(hours=6)
    berlin = start.astimezone(zoneinfo.ZoneInfo("Europe/Berlin"))
    fill(page, "Back soon.", f"{berlin:%Y-%m-%dT%H:%M}", f"{berlin + datetime.timedelta(hours=1):%Y-%m-%dT%H:%M}")
    said = page.locator(".until > .hint").first
    expect(said).to_contain_text(re.compile(r"in\s(5\sh\s5\d\smin|6\sh)$"))
    later(page, minutes=2 * 60)
    expect(said).to_contain_text(re.compile(r"in\s(3\sh\s5\d\smin|4\sh)$"))
    page.goto(f"{server.admin}/#/simulate?t={app}/ios&v=1.0&at={rfc3339(start)}")
    said = page.locator(".field").filter(has=page.get_by_label("Time, past or future")).locator(".hint")
    expect(said).to_contain_text(re.compile(r"in\s(3\sh\s5\d\smin|4\sh)$"))
    later(page, minutes=3 * 60)
    expect(said).to_contain_text(re.compile(r"in\s(2\sh\s5\d\smin|3\sh)$"))


def test_without_an_app_the_form_says_so_and_leads_on(windows, start_server):
    page = windows.open(start_server(), "/schedule/new")
    expect(page.get_by_text("There is no app yet")).to_be_visible()
    expect(page.get_by_text("This needs the operator role.")).to_have_count(0)
    page.get_by_role("link", name="Add an app").click()
    expect(page.get_by_role("heading", level=1, name="Add an app")).to_be_visible()


@pytest.mark.parametrize("word", ["nonsense", "constructor", "__proto__"])
def test_an_address_that_names_no_action_still_opens_the_form(windows, server, app, word):
    page = windows.open(server, f"/schedule/new?t={app}/ios&do={word}")
    expect(page.get_by_label("What happens")).to_have_value("kill")


def test_an_hour_that_clocks_skip_is_refused_with_the_nearest_times(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    fill(page, "Back soon.", "2027-03-28T02:30", "2027-03-28T04:00")
    expect(page.get_by_label("Start")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Start")).to_have_accessible_description(re.compile(r"^Clocks in Europe/Berlin never show this time"))
    page.get_by_role("button", name=re.compile("03:00 Europe")).click()
    expect(page.get_by_label("Start")).to_have_value("2027-03-28T03:00")
    expect(page.locator("main")).to_contain_text("03:00 Europe/Berlin (UTC+02:00) = 01:00 UTC")


@pytest.mark.parametrize("time", ["0002-03-30T09:00", "0202-03-30T09:00", "9999-12-31T23:59", "10000-01-01T00:00", "275760-09-12T00:00"])
def test_no_year_breaks_the_form_nor_what_it_keeps(windows, server, app, time):
    """While 2027 is typed, the year is 2, then 20; and whoever means "for ever" writes 9999."""
    windows.expected = {422}
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    page.get_by_label("Message").fill("Closed.")
    page.get_by_label("Start").fill("2027-03-30T09:00")
    page.get_by_label("End", exact=True).fill("2027-03-30T10:00")
    length = page.get_by_text("1 hour", exact=True)
    expect(length).to_be_visible()
    for label in ("Start", "End"):
        page.get_by_label(label, exact=True).fill(time)
    expect(length).to_have_count(0)
    page.reload()
    expect(page.get_by_role("button", name="Start afresh")).to_be_visible()
    expect(page.get_by_label("Start")).to_have_value(time)


def test_an_hour_that_comes_twice_is_asked_about(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    fill(page, "Back soon.", "2027-10-31T02:30", "2027-10-31T05:00")
    expect(page.get_by_label("Start")).to_have_accessible_description(re.compile(r"^Clocks in Europe/Berlin show this time twice that night, .+ Choose which one is meant\.$"))
    page.get_by_role("button", name="the later one (UTC+01:00)").click()
    expect(page.locator("main")).to_contain_text("02:30 Europe/Berlin (UTC+01:00) = 01:30 UTC")
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    made = [window for window in server.call("GET", f"/windows?app={app}")["items"]]
    assert made[0]["start"]["at"] == "2027-10-31T01:30:00.000Z"


def test_the_past_is_refused(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    page.get_by_label("Time zone").fill("America/New_York")
    fill(page, "Back soon.", "2020-01-01T09:00", "2020-01-01T10:00")
    expect(page.get_by_label("Start")).to_have_attribute("aria-invalid", "true")
    # In the zone of the form, and as times are said everywhere else.
    expect(page.get_by_label("Start")).to_have_accessible_description(re.compile(r"^Wed 1 Jan 2020, 09:00 New York is past: on the server it is \d\d:\d\d New York\."))
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_label("Start")).to_have_attribute("aria-invalid", "true")
    assert server.call("GET", f"/windows?app={app}")["items"] == []


def test_a_warning_about_a_window_says_its_time_as_people_read_it(windows, server, app):
    server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": server.target(f"{app}/ios")["revision"]}], "set": {"killSwitch": {"message": "Sale."}},
        "start": {"wallTime": "2027-11-27T20:00", "zone": "Europe/Berlin"},
    })
    page = windows.open(server, f"/t/{app}/ios/edit/kill")
    dialog(page).get_by_label("Message").fill("Down.")
    warnings = dialog(page).locator(".warnings")
    expect(warnings).to_contain_text(re.compile(r"due Sat 27 Nov 2027, 20:00 Berlin, was made for what is there now"))
    assert not re.search(r"\d{4}-\d\d-\d\dT", warnings.inner_text())


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
    expect(row.locator(".window-line")).to_contain_text(re.compile(r"Berlin: block “Sale starts at nine\.” · in\s\d+\ss"))
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
    expect(panel).to_contain_text("Nobody was kept out without asking you; run it or cancel it.")
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
    expect(page.get_by_role("checkbox", name="iOS")).to_be_checked()
    for label, value in (("App", app), ("What happens", "kill"), ("Message", "Sale starts at nine."), ("Time zone", "America/New_York"), ("At the end", "restore"), ("Start", f"{day}T08:30"), ("Reason", "SALE")):
        expect(page.get_by_label(label, exact=label == "App")).to_have_value(value)
    page.get_by_label("End", exact=True).fill(f"{day}T09:15")
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Sale starts at nine.")
    page.get_by_role("button", name=f"Save the window of {app.capitalize()} on iOS in STAGING").click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    expect(panel).to_have_count(1)
    expect(panel).to_contain_text("08:30 – 09:15 New York")
    [waiting] = server.call("GET", f"/windows?app={app}")["items"]
    assert (waiting["id"], waiting["state"], waiting["end"]["wallTime"][:16], waiting["then"], waiting["reason"]) == (made["id"], "pending", f"{day}T09:15", "restore", "SALE")


@pytest.mark.parametrize("width", [390, 1280])
def test_after_saving_the_focus_is_on_the_windows_card_and_a_status_says_what_was_scheduled(windows, server, app, width):
    for day in range(3, 9):
        make_window(server, f"{app}/android", now() + datetime.timedelta(days=day), now() + datetime.timedelta(days=day, hours=1))
    page = windows.open(server, f"/schedule/new?t={app}/ios,{app}/android", width=width)
    name = f"{app.capitalize()} on Android and iOS"
    day = (now() + datetime.timedelta(days=60)).date()
    span = f"{day:%a} {day.day} {day:%b}{'' if day.year == now().year else f' {day.year}'}, 08:30 – 09:00 Berlin"
    page.get_by_label("Time zone").fill("Europe/Berlin")
    fill(page, "Sale starts at nine.", f"{day}T08:30", f"{day}T09:00")
    page.get_by_label("to confirm").fill("kill 2 targets")
    page.get_by_role("button", name=f"Schedule it on {name}").click()
    heading = page.get_by_role("heading", level=2, name=name, exact=True)
    expect(heading).to_be_focused()
    card = page.locator(".window-card").filter(has=heading)
    expect(card).to_be_in_viewport(ratio=0.95)
    expect(page.get_by_role("status").filter(has_text=f"Scheduled: {name}, {span}.")).to_be_visible()

    # The same after an edit, and not at the next visit.
    card.get_by_role("link", name="Edit…").click()
    page.get_by_label("End", exact=True).fill(f"{day}T09:15")
    page.get_by_label("to confirm").fill("kill 2 targets")
    page.get_by_role("button", name="Save the window of ").click()
    expect(heading).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="– 09:15 Berlin")).to_be_visible()
    page.get_by_role("link", name="Overview").first.click()
    page.get_by_role("link", name="Schedule").first.click()
    expect(page.get_by_role("heading", level=1, name="Schedule")).to_be_focused()
    expect(page.get_by_role("status").filter(has_text="Scheduled")).to_have_count(0)


def test_two_who_edit_the_same_window_overwrite_nothing_unread(windows, server, app):
    windows.expected = {412}
    day = (now() + datetime.timedelta(days=2)).date().isoformat()
    made = server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": "Base."}},
        "start": {"wallTime": f"{day}T08:30", "zone": "Europe/Berlin"}, "end": {"wallTime": f"{day}T09:00", "zone": "Europe/Berlin"},
    })["window"]
    page = windows.open(server, f"/schedule/new?w={made['id']}")
    page.get_by_label("Message").fill("Mine.")
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Mine.")
    server.call("PUT", f"/windows/{made['id']}", {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": "Theirs."}}, "revision": made["revision"],
        "start": {"wallTime": f"{day}T07:30", "zone": "Europe/Berlin"}, "end": {"wallTime": f"{day}T09:00", "zone": "Europe/Berlin"},
    })
    save = page.get_by_role("button", name=f"Save the window of {app.capitalize()} on iOS in STAGING")
    save.click()
    expect(page.locator(".window-news")).to_contain_text("Changed meanwhile by tests.")
    expect(page.locator(".window-news")).to_contain_text("07:30 – 09:00 Berlin: block “Theirs.”")
    expect(page.get_by_label("Message")).to_have_value("Mine.")
    assert server.call("GET", f"/windows/{made['id']}")["set"]["killSwitch"]["message"] == "Theirs."
    # What was written goes on against theirs, also when the page is loaded anew.
    page.reload()
    expect(page.get_by_label("Message")).to_have_value("Mine.")
    page.get_by_role("button", name="Start afresh").click()
    expect(page.get_by_label("Message")).to_have_value("Theirs.")
    page.get_by_label("Message").fill("Mine.")
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Mine.")
    save.click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    assert server.call("GET", f"/windows/{made['id']}")["set"]["killSwitch"]["message"] == "Mine."


@pytest.mark.parametrize("is_heard", [True, False], ids=["heard", "unheard"])
def test_a_form_for_a_window_that_has_begun_meanwhile_offers_to_save_it_no_more(windows, server, app, is_heard):
    windows.expected = {409, 412, "lost"}
    made = make_window(server, f"{app}/ios", now() + datetime.timedelta(hours=1), now() + datetime.timedelta(hours=2))
    page = windows.open(server, f"/schedule/new?w={made['id']}")
    message, save = page.get_by_label("Message"), page.get_by_role("button", name="Save the window of ")
    message.fill("Mine.")
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Mine.")
    if not is_heard:
        deaf(page)
    save.focus()
    server.call("POST", f"/windows/{made['id']}/run", {})
    if not is_heard:
        # Somebody was faster by less than a poll.
        save.click()
    news = page.locator(".window-news")
    expect(news).to_contain_text("It is no longer waiting, because of tests.")
    expect(news.get_by_text("It is no longer waiting")).to_be_focused()
    expect(news).not_to_contain_text("by hand")
    for gone in (page.get_by_text("is replaced as a whole when you save"), save, page.get_by_label("Reason")):
        expect(gone).to_be_hidden()
    expect(news.get_by_role("link", name=f"{app.capitalize()} on iOS")).to_have_attribute("href", f"#/t/{app}/ios")
    expect(news.get_by_role("link", name="Schedule")).to_have_attribute("href", "#/schedule")

    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
    expect(message).to_have_value("Mine.")
    page.clock.install()
    message.fill("Mine, and more.")
    page.get_by_label("Start", exact=True).press("Enter")
    # Longer than a pause in writing, after which a plan would be asked for.
    page.clock.run_for(1000)
    assert sent == []
    expect(page.locator(".planner > .stack > .problem")).to_have_text("")
    expect(message).to_have_value("Mine, and more.")
    assert server.target(f"{app}/ios")["gate"]["killSwitch"]["message"] == "Sale starts at nine."


def run_window(server, target, minutes, zone="Europe/Berlin", **more):
    """A block that runs from now on, and ends on the full minute; its end as people read it."""
    app, platform = target.split("/")
    end = (now() + datetime.timedelta(minutes=minutes)).replace(second=0, microsecond=0).astimezone(zoneinfo.ZoneInfo(zone))
    made = server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": platform, "revision": server.target(target)["revision"]}], "set": {"killSwitch": {"message": "Sale starts soon."}},
        "start": {"at": rfc3339(now() + datetime.timedelta(seconds=30))},
        "end": {"wallTime": end.strftime("%Y-%m-%dT%H:%M"), "zone": zone},
    } | more)["window"]
    server.call("POST", f"/windows/{made['id']}/run", more)
    today = datetime.datetime.now(zoneinfo.ZoneInfo(zone)).date()
    clock = end.strftime("%H:%M") if end.date() == today else re.sub(r"^(\w+) 0?", r"\1 ", end.strftime("%a %d %b, %H:%M"))
    return made, f"{clock} {zone.split('/')[1]}", end


def test_a_running_window_says_on_card_strip_and_overview_when_it_opens(windows, server, app):
    made, clock, end = run_window(server, f"{app}/ios", 46)
    page = windows.open(server, f"/t/{app}/ios")
    card = page.locator(".state-card")
    expect(card).to_contain_text(re.compile(rf"opens by itself {clock} \(in\s4[456]\smin\)", re.I))
    expect(card).not_to_contain_text("somebody opens it")
    live = page.locator(".strip-live")
    width = float(live.get_attribute("x").rstrip("%")) + float(live.get_attribute("width").rstrip("%"))
    assert 10 < width < 13
    page.goto(f"{server.admin}/#/")
    row = page.locator(".target-row").filter(has_text=f"{app}/ios")
    expect(row).to_contain_text(f"opens by itself {clock}")
    # Somebody has changed the block since: the window will leave it, and nobody is promised anything.
    server.change(f"{app}/ios", {"killSwitch": {"message": "INCIDENT."}})
    expect(row).to_contain_text("INCIDENT.")
    expect(row).not_to_contain_text("opens by itself")


def test_a_block_that_a_window_ends_opens_at_the_same_time_after_a_typo_in_it_is_mended(windows, server, app):
    made, clock, end = run_window(server, f"{app}/ios", 46)
    page = windows.open(server, f"/t/{app}/ios/edit/kill")
    shown = dialog(page)
    expect(shown.get_by_label("Until", exact=True)).to_have_value("time")
    until = shown.get_by_label("The time")
    expect(until).to_have_value(end.strftime("%Y-%m-%dT%H:%M"))
    said = f"Opens by itself {clock} (window {made['id']}). After this change it does so because of the time above, no longer because of the window."
    expect(shown.get_by_text(said)).to_be_visible()
    shown.get_by_label("Message").fill("The sale starts soon.")
    button = shown.get_by_role("button", name="Change the block of")
    expect(button).to_have_attribute("aria-disabled", "false")
    # Nothing about its end is news.
    expect(shown.locator(".dialog-plan .callout")).to_have_count(0)

    # Whoever wants it to stay is told what that changes.
    shown.get_by_label("Until", exact=True).select_option("")
    expect(shown.locator(".dialog-plan .callout")).to_contain_text(f"The block of {app.capitalize()} on iOS opens by itself ")
    expect(shown.locator(".dialog-plan .callout")).to_contain_text("After this it stays until somebody opens it.")
    expect(shown.get_by_text(said)).to_be_hidden()
    shown.get_by_label("Until", exact=True).select_option("for 2 hours")
    expect(shown.locator(".dialog-plan .callout")).to_contain_text("opens by itself at another time")
    shown.get_by_label("Until", exact=True).select_option("a time…")
    expect(shown.locator(".dialog-plan .callout")).to_have_count(0)

    # A colleague moves the window's end: what was not touched follows it.
    later_end = end + datetime.timedelta(minutes=30)
    running = server.call("GET", f"/windows/{made['id']}")
    server.call("PUT", f"/windows/{made['id']}", {
        "targets": [{"app": app, "platform": "ios", "revision": server.target(f"{app}/ios")["revision"]}], "set": running["set"], "then": running["then"], "revision": running["revision"],
        "start": {"at": running["start"]["at"]}, "end": {"wallTime": later_end.strftime("%Y-%m-%dT%H:%M"), "zone": "Europe/Berlin"},
    })
    with page.expect_request(lambda request: request.method == "POST" and request.url.endswith("/changes") and request.post_data_json.get("dryRun")):
        expect(until).to_have_value(later_end.strftime("%Y-%m-%dT%H:%M"))
    expect(button).to_have_attribute("aria-disabled", "false")
    button.click()
    expect(shown).to_have_count(0)
    block = server.target(f"{app}/ios")["gate"]["killSwitch"]
    assert (block["message"], datetime.datetime.fromisoformat(block["until"].replace("Z", "+00:00"))) == ("The sale starts soon.", later_end)
    expect(page.locator(".state-card")).not_to_contain_text("somebody opens it")


def test_a_block_in_whose_place_a_window_puts_another_says_that_it_stays_when_changed(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "An incident."}})
    made = make_window(server, f"{app}/ios", now() + datetime.timedelta(seconds=30), now() + datetime.timedelta(minutes=46), then="restore")
    server.call("POST", f"/windows/{made['id']}/run", {})
    page = windows.open(server, f"/t/{app}/ios/edit/kill")
    shown = dialog(page)
    expect(shown.get_by_label("Until", exact=True)).to_have_value("")
    shown.get_by_label("Message").fill("The sale starts soon.")
    expect(shown.locator(".dialog-plan .callout")).to_contain_text("After this it does not, and leaves the changed one.")


def test_what_overtook_a_window_is_told_once_with_how_often(windows, server, app):
    make_window(server, f"{app}/ios", now() + datetime.timedelta(days=2), now() + datetime.timedelta(days=3))
    made, _, _ = run_window(server, f"{app}/ios", 46)
    server.call("POST", f"/windows/{made['id']}/run", {"step": "end"})
    page = windows.open(server, "/schedule")
    panel = page.locator(".window-card").filter(has_text=f"{app.capitalize()} on iOS")
    panel.get_by_text("2 steps so far").click()
    expect(panel.locator(".events li")).to_have_count(2)
    expect(panel.locator(".events li").last).to_contain_text(re.compile(
        rf"overtaken by another change 2 times, the last time by .* – Window {made['id']} ended and changed what this one is about\."))


def test_a_running_window_is_ended_now(windows, server, app):
    made, clock, _ = run_window(server, f"{app}/ios", 46)
    page = windows.open(server, "/schedule")
    panel = page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")
    expect(panel.get_by_role("button", name="Cancel this window…")).to_have_count(0)
    name = f"End now: open {app.capitalize()} on iOS (was to end {clock})"
    panel.get_by_role("button", name=name).click()
    expect(dialog(page).get_by_role("region", name="What people see")).to_contain_text("BLOCKED → OPEN")
    # Letting people in takes one confirm.
    expect(dialog(page).get_by_label("to confirm")).to_be_hidden()
    assert server.target(f"{app}/ios")["state"] == "blocked"
    dialog(page).get_by_role("button", name=f"{name} in STAGING", exact=True).click()
    expect(panel).to_have_count(0)
    assert server.target(f"{app}/ios")["state"] == "open"
    assert server.call("GET", f"/windows/{made['id']}")["state"] == "done"
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_a_running_window_is_extended_from_the_target(windows, server, app):
    windows.expected = {422}
    made, clock, end = run_window(server, f"{app}/ios", 46)
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name=f"Extend {app.capitalize()} on iOS past {clock}…").click()
    shown = dialog(page)
    new_end = shown.get_by_label("New end")
    expect(new_end).to_have_value((end + datetime.timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M"))
    expect(shown.get_by_role("status").filter(has_text="That is 1 hour longer.")).to_be_visible()
    new_end.fill("2020-01-01T09:00")
    expect(new_end).to_have_attribute("aria-invalid", "true")
    shown.locator("button[type=submit]").click(force=True)
    expect(new_end).to_be_focused()
    expect(shown.locator(".problem")).to_have_text("Something above was refused. The field says why.")
    shown.get_by_role("button", name="2 hours longer").click()
    expect(shown.get_by_role("status").filter(has_text="That is 2 hours longer.")).to_be_visible()
    later = end + datetime.timedelta(hours=2)
    assert server.call("GET", f"/windows/{made['id']}")["end"]["wallTime"][11:16] == end.strftime("%H:%M")
    shown.get_by_role("button", name=re.compile(rf"^Extend {app.capitalize()} on iOS to .*{later:%H:%M} Berlin in STAGING$")).click()
    expect(shown).to_have_count(0)
    expect(page.locator(".state-card")).to_contain_text(re.compile(rf"{later:%H:%M} Berlin \(in\s2\sh\s4[456]\smin\)"))
    assert server.call("GET", f"/windows/{made['id']}")["end"]["wallTime"][11:16] == later.strftime("%H:%M")


def test_what_is_extended_or_cancelled_is_called_so_although_the_schedule_cannot_be_read_again(windows, server, app):
    # A window may be heard of before the change that it has just made; then it is planned twice.
    windows.expected = {"lost", 412}
    make_window(server, f"{app}/ios", now() + datetime.timedelta(seconds=2), now() + datetime.timedelta(hours=1))
    make_window(server, f"{app}/android", now() + datetime.timedelta(days=1))
    page = windows.open(server, "/schedule")
    running = page.locator(".window-card[data-window=running]").filter(has_text=app.capitalize())
    running.get_by_role("button", name="Extend ").click(timeout=20_000)
    expect(dialog(page).locator("button[type=submit]")).not_to_have_attribute("aria-disabled", "true")
    page.route("**/api/v1/windows?*", lambda route: route.abort())
    dialog(page).locator("button[type=submit]").click()
    expect(dialog(page)).to_have_count(0)
    waiting = page.locator(".window-card[data-window=pending]").filter(has_text=app.capitalize())
    waiting.get_by_role("button", name="Cancel this window…").click()
    dialog(page).get_by_role("button", name="Cancel the window ").click()
    expect(dialog(page)).to_have_count(0)
    page.unroute("**/api/v1/windows?*")
    expect(waiting).to_have_count(0)


def test_after_a_lost_answer_another_length_is_another_question(windows, server, app):
    windows.expected = {"lost"}
    made, _, end = run_window(server, f"{app}/ios", 46)
    page = windows.open(server, "/schedule")
    lose_answer(page, "**/api/v1/windows/*", "PUT")
    page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS").get_by_role("button", name="Extend ").click()
    shown = dialog(page)
    expect(shown.locator("button[type=submit]")).to_have_attribute("aria-disabled", "false")
    shown.locator("button[type=submit]").click()
    expect(shown.locator(".problem")).to_have_text("No answer. It is not known whether it was done: look again before you repeat it.")
    # It was done, as the page behind it shows.
    expect(page.locator(".panel").filter(has_text=f"{end + datetime.timedelta(hours=1):%H:%M} Berlin")).to_be_visible()
    shown.get_by_role("button", name="2 hours longer").click()
    expect(shown.get_by_role("status").filter(has_text="2 hours longer.")).to_be_visible()
    expect(shown.locator("button[type=submit]")).to_have_attribute("aria-disabled", "false")
    shown.locator("button[type=submit]").click()
    expect(shown).to_have_count(0)
    later = end + datetime.timedelta(hours=2)
    assert server.call("GET", f"/windows/{made['id']}")["end"]["wallTime"][11:16] == later.strftime("%H:%M")


def test_what_was_unfolded_of_a_window_stays_so_when_another_comes(windows, server, app):
    make_window(server, f"{app}/ios", now() + datetime.timedelta(days=2), now() + datetime.timedelta(days=3))
    page = windows.open(server, "/schedule")
    page.locator(".window-card").filter(has_text=f"{app.capitalize()} on iOS").get_by_text("1 step so far").click()
    make_window(server, f"{app}/android", now() + datetime.timedelta(days=4), now() + datetime.timedelta(days=5))
    expect(page.locator(".window-card").filter(has_text=f"{app.capitalize()} on Android")).to_be_visible()
    expect(page.locator(".window-card").filter(has_text=f"{app.capitalize()} on iOS").locator(".events li").first).to_be_visible()


def about_to_run(windows, server, app):
    """The dialog that runs a window of the day after tomorrow now, with its plan."""
    make_window(server, f"{app}/ios", now() + datetime.timedelta(days=2), now() + datetime.timedelta(days=3))
    page = windows.open(server, "/schedule")
    page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS").get_by_role("button", name="Run now…").click()
    expect(dialog(page).locator("button[type=submit]")).to_have_attribute("aria-disabled", "false")
    return page


def test_control_and_enter_runs_a_window_whose_plan_is_read(windows, server, app):
    page = about_to_run(windows, server, app)
    page.keyboard.press("Control+Enter")
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["revision"] == 2


def test_a_dialog_that_is_closing_asks_for_no_plan(windows, server, app):
    page = about_to_run(windows, server, app)
    # A dialog is closed a little before it hears of it. The answer to a poll may come between the two.
    page.evaluate(STORE + """.then(({ store }) => {
        const close = HTMLDialogElement.prototype.close;
        HTMLDialogElement.prototype.close = function () { close.call(this); store.emit("targets"); };
    })""")
    asked = []
    page.on("request", lambda request: asked.append(request.post_data_json) if request.url.endswith("/run") else None)
    page.keyboard.press("Control+Enter")
    expect(dialog(page)).to_have_count(0)
    page.evaluate("fetch('/healthz/live')")
    # A poll may have led to another trial before the press.
    assert [one.get("dryRun", False) for one in asked][-2:] == [True, False]


def test_a_press_counts_while_the_same_plan_is_on_its_way_once_more(windows, server, app):
    page = about_to_run(windows, server, app)
    # Somebody has changed something else.
    page.evaluate(STORE + """.then(({ store }) => {
        store.emit("targets");
        document.querySelector("dialog form").requestSubmit();
    })""")
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["revision"] == 2


def test_a_press_does_not_count_for_a_plan_that_became_doubtful_again(windows, server, app):
    windows.expected = {"lost"}
    page = about_to_run(windows, server, app)
    deaf(page)
    asked = []

    def ask(route):
        asked.append(route)
        # The answer about what was changed last is late.
        if len(asked) != 3:
            route.continue_()

    page.route("**/api/v1/windows/*/run", ask)
    page.evaluate(STORE + """.then(({ store }) => {
        store.emit("targets");
        document.querySelector("dialog form").requestSubmit();
        store.emit("targets");
    })""")
    expect(dialog(page)).to_contain_text("Press again to publish it.")
    assert server.target(f"{app}/ios")["revision"] == 1
    asked[2].continue_()
    dialog(page).locator("button[type=submit]").click()
    expect(dialog(page)).to_have_count(0)


def test_a_press_does_not_count_for_another_plan_that_is_on_its_way(windows, server, app):
    windows.expected = {"lost"}
    page = about_to_run(windows, server, app)
    deaf(page)
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}})
    page.evaluate(STORE + """.then(({ store }) => {
        store.emit("targets");
        document.querySelector("dialog form").requestSubmit();
    })""")
    expect(dialog(page)).to_contain_text("Press again to publish it.")
    assert server.target(f"{app}/ios")["revision"] == 2
    dialog(page).locator("button[type=submit]").click()
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["revision"] == 3


def test_what_a_running_window_does_is_kept(windows, server, app):
    made, clock, _ = run_window(server, f"{app}/ios", 46)
    page = windows.open(server, f"/t/{app}/ios")
    name = f"Keep {app.capitalize()} on iOS blocked (do not reopen {clock})"
    page.get_by_role("button", name=f"{name}…").click()
    expect(dialog(page)).to_contain_text("nobody gets in until somebody opens it")
    dialog(page).get_by_role("button", name=name).click()
    expect(dialog(page)).to_have_count(0)
    expect(page.locator(".state-card")).to_contain_text("somebody opens it")
    expect(page.get_by_role("button", name=f"{name}…")).to_have_count(0)
    assert server.target(f"{app}/ios")["state"] == "blocked"
    assert server.call("GET", f"/windows/{made['id']}")["state"] == "done"


def test_in_a_protected_environment_keeping_a_block_is_confirmed_as_a_block(windows, protected_server):
    protected_server.add_app("kept", "Kept", "ios")
    made, clock, _ = run_window(protected_server, "kept/ios", 46, reason="SALE", confirm="kept/ios")
    page = windows.open(protected_server, "/schedule")
    page.get_by_role("button", name=f"Keep Kept on iOS blocked (do not reopen {clock})…").click()
    expect(dialog(page).get_by_label("to confirm")).to_be_visible()
    dialog(page).get_by_label("Reason").fill("INC-1")
    dialog(page).get_by_label("to confirm").fill("kept/ios")
    dialog(page).get_by_role("button", name="Keep Kept on iOS blocked").click()
    expect(page.get_by_role("button", name="Keep Kept on iOS blocked")).to_have_count(0)
    assert protected_server.call("GET", f"/windows/{made['id']}")["state"] == "done"


def test_an_extension_that_somebody_overtook_is_planned_anew(windows, server, app):
    windows.expected = {412, "lost"}
    made, clock, end = run_window(server, f"{app}/ios", 46)
    page = windows.open(server, "/schedule")
    expect(page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")).to_be_visible()
    # Somebody is faster by less than a poll.
    deaf(page)
    page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS").get_by_role("button", name="Extend ").click()
    shown = dialog(page)
    expect(shown.get_by_role("status").filter(has_text="1 hour longer.")).to_be_visible()
    seen = server.call("GET", f"/windows/{made['id']}")
    server.call("PUT", f"/windows/{made['id']}", {
        "targets": [{"app": app, "platform": "ios", "revision": 2}], "set": seen["set"], "start": {"at": seen["start"]["at"]}, "revision": seen["revision"],
        "end": {"wallTime": (end + datetime.timedelta(hours=5)).strftime("%Y-%m-%dT%H:%M"), "zone": "Europe/Berlin"},
    })
    publish = shown.locator("button[type=submit]")
    publish.click()
    expect(shown.locator(".problem")).to_contain_text("was changed meanwhile")
    assert server.call("GET", f"/windows/{made['id']}")["end"]["wallTime"][11:16] == (end + datetime.timedelta(hours=5)).strftime("%H:%M")
    publish.click()
    expect(shown).to_have_count(0)
    assert server.call("GET", f"/windows/{made['id']}")["end"]["wallTime"][11:16] == (end + datetime.timedelta(hours=1)).strftime("%H:%M")


def test_an_extension_tells_that_somebody_has_moved_the_end_meanwhile(windows, protected_server):
    server = protected_server
    server.add_app("longer", "Longer", "ios")
    made, clock, end = run_window(server, "longer/ios", 46, reason="SALE", confirm="longer/ios")
    page = windows.open(server, "/schedule")
    page.get_by_role("button", name=f"Extend Longer on iOS past {clock}…").click()
    shown = dialog(page)
    publish = shown.locator("button[type=submit]")
    confirm = shown.get_by_label("to confirm")
    expect(confirm).to_be_visible()
    shown.get_by_label("Reason").fill("INC-1")
    confirm.fill("longer/ios")
    expect(publish).to_be_enabled()
    seen = server.call("GET", f"/windows/{made['id']}")
    theirs = end + datetime.timedelta(hours=5)
    server.call("PUT", f"/windows/{made['id']}", {
        "targets": [{"app": "longer", "platform": "ios", "revision": 2}], "set": seen["set"], "start": {"at": seen["start"]["at"]}, "revision": seen["revision"],
        "end": {"wallTime": theirs.strftime("%Y-%m-%dT%H:%M"), "zone": "Europe/Berlin"}, "reason": "INC-2", "confirm": "longer/ios",
    })
    news = shown.locator(".dialog-news")
    expect(news).to_contain_text("Changed meanwhile by tests.")
    expect(news).to_contain_text("ends in 5 h")
    expect(shown.get_by_role("status").filter(has_text="That is 4 hours shorter.")).to_be_visible()
    # It only lets people in sooner now, which takes no phrase.
    expect(confirm).to_be_hidden()
    expect(publish).to_have_attribute("aria-disabled", "false")
    assert confirm.input_value() == ""
    assert server.call("GET", f"/windows/{made['id']}")["end"]["wallTime"][11:16] == theirs.strftime("%H:%M")


def asked_of_a_window(page):
    """What the page asks from now on about single windows, which is for their plans."""
    asked = []
    page.on("request", lambda request: asked.append(request.method) if re.search(r"/windows/\d+(/run)?$", request.url) else None)
    return asked


def polls(page, times):
    """Waits until the page has asked so often what is new, and was told."""
    for _ in range(times):
        with page.expect_response("**/api/v1/events*"):
            pass


def expect_over(page, asked, said):
    """The dialog says that its window is over, offers nothing any more, and is quiet."""
    shown = dialog(page)
    expect(shown.locator(".problem")).to_contain_text(said)
    expect(shown.locator("button[type=submit]")).to_be_hidden()
    expect(shown.locator(".dialog-plan")).to_be_empty()
    expect(shown.locator("input:visible")).to_have_count(0)
    polls(page, 3)
    assert len(asked) <= 4
    expect(shown.locator(".problem")).to_contain_text(said)
    shown.get_by_role("button", name="Close").click()
    expect(shown).to_have_count(0)


@pytest.mark.parametrize("action", ["End now: ", "Extend ", "Keep "])
def test_a_dialog_about_a_window_that_a_colleague_ends_says_so_and_asks_no_more(windows, server, app, action):
    windows.expected = {409, 412}
    made, *_ = run_window(server, f"{app}/ios", 46)
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name=action).click()
    expect(dialog(page).locator("button[type=submit]")).to_have_attribute("aria-disabled", "false")
    asked = asked_of_a_window(page)
    server.call("POST", f"/windows/{made['id']}/run", {"step": "end"})
    expect_over(page, asked, f"Window {made['id']} is over (done).")
    expect(page.locator(".state-card")).to_contain_text("OPEN")


def test_a_dialog_about_a_window_that_ends_by_itself_says_so_and_asks_no_more(windows, server, app):
    windows.expected = {409, 412}
    made = make_window(server, f"{app}/ios", now() + datetime.timedelta(seconds=1), now() + datetime.timedelta(seconds=6))
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name="Keep ").click()
    expect(dialog(page)).to_contain_text("nobody gets in until somebody opens it")
    asked = asked_of_a_window(page)
    expect_over(page, asked, f"Window {made['id']} is over (done).")


@pytest.mark.parametrize("how, said", [("cancelled", "is over (cancelled)."), ("deleted", "is over (failed)."), ("started", "It has started meanwhile")])
def test_run_now_of_a_window_that_waits_no_more_says_so_and_asks_no_more(windows, own_server, how, said):
    # A window that fails would be news to every other test.
    windows.expected = {404, 409, 412}
    server, app = own_server, "shop"
    page = about_to_run(windows, server, app)
    [made] = server.call("GET", f"/windows?app={app}")["items"]
    asked = asked_of_a_window(page)
    if how == "cancelled":
        server.call("DELETE", f"/windows/{made['id']}", {"revision": made["revision"]})
    elif how == "deleted":
        server.call("DELETE", f"/apps/{app}", {"confirm": f"delete {app}"})
    else:
        server.call("POST", f"/windows/{made['id']}/run", {})
    expect_over(page, asked, said)


def test_a_plan_that_is_refused_for_what_the_page_has_not_heard_of_yet_comes_when_it_has(windows, server, app):
    windows.expected = {412}
    run_window(server, f"{app}/ios", 46)
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name="Extend ").click()
    shown = dialog(page)
    expect(shown.locator("button[type=submit]")).to_have_attribute("aria-disabled", "false")
    asked = asked_of_a_window(page)
    # The schedule is read again before the target that has moved is.
    server.change(f"{app}/ios", {"alert": {"message": "Slow today.", "blocking": False}})
    page.evaluate(STORE + """.then(({ store }) => store.emit("schedule"))""")
    polls(page, 2)
    expect(shown.locator("button[type=submit]")).to_have_attribute("aria-disabled", "false")
    expect(shown.locator(".problem")).to_be_empty()
    assert len(asked) <= 4


def test_a_window_that_was_edited_meanwhile_is_not_run_unread(windows, server, app):
    windows.expected = {"lost"}
    start = now() + datetime.timedelta(days=2)
    made = make_window(server, f"{app}/ios", start, start + datetime.timedelta(hours=1))
    page = windows.open(server, "/schedule")

    def edit(message):
        seen = server.call("GET", f"/windows/{made['id']}")
        server.call("PUT", f"/windows/{made['id']}", {
            "targets": [{"app": app, "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": message}},
            "start": {"at": rfc3339(start)}, "end": {"at": rfc3339(start + datetime.timedelta(hours=1))}, "revision": seen["revision"],
        })

    page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS").get_by_role("button", name="Run now…").click()
    shown = dialog(page)
    expect(shown).to_contain_text("Sale starts at nine.")
    edit("Another text.")
    expect(shown.locator(".dialog-news")).to_contain_text("Changed meanwhile by tests.")
    expect(shown.get_by_role("table", name="What changes")).to_contain_text("Another text.")
    # And if somebody is faster by less than a poll, nothing is run either.
    deaf(page)
    edit("A third text.")
    publish = shown.locator("button[type=submit]")
    publish.click()
    expect(shown.get_by_role("table", name="What changes")).to_contain_text("A third text.")
    assert server.target(f"{app}/ios")["state"] == "open"
    publish.click()
    expect(shown).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"]["killSwitch"]["message"] == "A third text."


def test_a_window_that_says_more_than_the_form_can_is_not_edited_there(windows, server, app):
    later = now() + datetime.timedelta(days=1)
    server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "start": {"at": rfc3339(later)},
        "set": {"killSwitch": {"message": "Closed."}, "alert": {"message": "Soon.", "blocking": False}},
    })
    page = windows.open(server, "/schedule")
    panel = page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")
    expect(panel.get_by_role("button", name="Cancel this window…")).to_be_visible()
    expect(panel.get_by_role("link", name="Edit…")).to_have_count(0)
    expect(panel.get_by_role("link", name="Duplicate…")).to_have_count(0)


MANY_WORDS = {"killSwitch": {"message": {"default": "Closed.", "de": "Zu.", "fr": "Fermé."}, "retryInterval": 60}}


def make_in_languages(server, app):
    day = (now() + datetime.timedelta(days=2)).date()
    return server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "set": MANY_WORDS,
        "start": {"wallTime": f"{day}T20:00", "zone": "Europe/Berlin"}, "end": {"wallTime": f"{day}T21:00", "zone": "Europe/Berlin"},
    })["window"]


def test_a_window_in_several_languages_with_its_own_retry_interval_is_edited(windows, server, app):
    made = make_in_languages(server, app)
    page = windows.open(server, "/schedule")
    page.get_by_role("link", name=f"Edit… the window of {app.capitalize()} on iOS").click()
    expect(page.get_by_label("Message", exact=True)).to_have_value("Closed.")
    expect(page.get_by_label("Message in German (de)")).to_have_value("Zu.")
    expect(page.get_by_label("Message in French (fr)")).to_have_value("Fermé.")
    expect(page.get_by_label("Check again every")).to_have_value("60")
    page.get_by_label("Message in German (de)").fill("Wir sind gleich zurück.")
    page.get_by_label("Message in French (fr)").fill("")
    retry = page.get_by_label("Check again every")
    retry.fill("3")
    page.get_by_role("button", name="Save the window").click()
    expect(retry).to_be_focused()
    expect(retry).to_have_attribute("aria-invalid", "true")
    assert server.call("GET", f"/windows/{made['id']}")["revision"] == made["revision"]
    retry.fill("45")
    # What is written survives a reload, as all of the form does.
    page.reload()
    expect(page.get_by_label("Message in German (de)")).to_have_value("Wir sind gleich zurück.")
    page.get_by_role("button", name="Save the window").click()
    expect(page.get_by_role("heading", level=1, name="Schedule")).to_be_visible()
    assert server.call("GET", f"/windows/{made['id']}")["set"]["killSwitch"] == {"message": {"default": "Closed.", "de": "Wir sind gleich zurück."}, "retryInterval": 45}


def test_a_window_in_several_languages_with_its_own_retry_interval_is_duplicated(windows, server, app):
    made = make_in_languages(server, app)
    page = windows.open(server, "/schedule")
    page.get_by_role("link", name=f"Duplicate… the window of {app.capitalize()} on iOS").click()
    expect(page.get_by_label("Message in German (de)")).to_have_value("Zu.")
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")).to_have_count(2)
    copies = [window for window in server.call("GET", f"/windows?app={app}&state=pending")["items"] if window["id"] != made["id"]]
    assert [copy["set"] for copy in copies] == [MANY_WORDS]


def test_without_a_retry_interval_of_its_own_a_window_leaves_it_to_the_platform(windows, server, app):
    page = plan_of_shop(windows, server, app)
    expect(page.get_by_label("Check again every")).to_have_value("")
    page.get_by_label("What happens").select_option("alert")
    expect(page.get_by_label("Check again every")).to_be_hidden()


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


def test_a_window_is_cancelled_by_keyboard_alone_and_says_what_becomes_of_it(windows, server, app):
    start = now() + datetime.timedelta(days=1)
    make_window(server, f"{app}/ios", start, start + datetime.timedelta(hours=1))
    page = windows.open(server, "/schedule", width=390, height=844)
    panel = page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")
    panel.get_by_role("button", name="Cancel this window…").press("Enter")
    expect(dialog(page)).to_contain_text("It has changed nothing yet, and will not.")
    expect(dialog(page).get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Control+Enter")
    expect(dialog(page)).to_have_count(0)
    expect(panel).to_have_count(0)
    assert page.evaluate("document.activeElement.closest('main') !== null")


def clocks_around(moment, zone="Europe/Berlin"):
    """The minute a moment fell into, and the next: the server's clock may have gone on."""
    there = moment.astimezone(zoneinfo.ZoneInfo(zone))
    return "|".join(f"{there + datetime.timedelta(minutes=minutes):%H:%M}" for minutes in (0, 1))


def test_a_schedule_that_comes_late_does_not_take_a_newer_window_off_the_screen(windows, server, app):
    make_window(server, f"{app}/ios", now() + datetime.timedelta(days=1))
    page = windows.open(server, "/schedule")
    cards = page.locator(".window-card").filter(has_text=app.capitalize())
    expect(cards).to_have_count(1)
    late = Held(page, "**/api/v1/windows?*")
    cards.get_by_role("button", name="Cancel this window…").click()
    dialog(page).get_by_role("button", name="Cancel the window ").click()
    late.wait()
    expect(cards).to_have_count(0)
    make_window(server, f"{app}/android", now() + datetime.timedelta(days=1))
    expect(cards).to_have_count(1)
    late.release()
    page.wait_for_timeout(1500)
    assert cards.count() == 1


def test_a_window_that_was_run_early_tells_when_it_really_began_and_ended(windows, server, app):
    """Planned for the day after tomorrow, begun now: nothing of it may look as if it were still to come."""
    there = (now() + datetime.timedelta(days=2)).date()
    body = {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": "Early sale."}},
        "start": {"wallTime": f"{there}T20:00", "zone": "Europe/Berlin"}, "end": {"wallTime": f"{there}T23:00", "zone": "Europe/Berlin"},
    }
    made = server.call("POST", "/windows", body)["window"]
    server.call("POST", f"/windows/{made['id']}/run", {})
    began = clocks_around(now())
    planned = datetime.datetime.fromisoformat(f"{there}T20:00").strftime("%-d %b, 20:00")
    page = windows.open(server, "/schedule")
    panel = page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")
    line = panel.locator(".window-line")
    expect(panel.locator(".window-state")).to_have_text("running")
    expect(line).to_contain_text(re.compile(rf"({began}) – .*23:00 Berlin"))
    expect(line).not_to_contain_text("20:00")
    expect(panel).to_contain_text(re.compile(rf"Began .*({began}) Europe/Berlin .*(ago|just now)"))
    expect(panel).to_contain_text(f"planned for {datetime.datetime.fromisoformat(f'{there}T20:00'):%a} {planned} Berlin")
    # Of what has begun nothing says that its beginning is "in 2 d", or "now".
    expect(panel.locator(".window-times > div").filter(has_text="Began")).not_to_contain_text(re.compile(r"in\s\d|now,"))

    page.goto(f"{server.admin}/#/t/{app}/ios")
    bar = page.locator(".strip-window")
    # Two of the line's twenty-four hours are past.
    expect(bar).to_have_attribute("x", re.compile(r"^8\.[23]"))
    assert float(bar.get_attribute("width").rstrip("%")) > 91
    page.goto(f"{server.admin}/#/")
    expect(page.locator(".target-row").filter(has_text=f"{app}/ios").locator(".window-line")).to_contain_text(re.compile(rf"running .*({began}) – "))

    server.call("POST", f"/windows/{made['id']}/run", {"step": "end"})
    ended = clocks_around(now())
    page.goto(f"{server.admin}/#/schedule")
    page.get_by_role("button", name="Show past windows").click()
    past = page.locator(".past .panel").filter(has_text=f"{app.capitalize()} on iOS")
    expect(past.locator(".window-line")).to_contain_text(re.compile(rf"({began}) – ({ended}) Berlin"))
    expect(past).to_contain_text(re.compile(rf"Ended .*({ended}) Europe/Berlin"))


@pytest.mark.parametrize("is_asked_first", [False, True])
def test_a_window_that_ends_while_the_past_ones_are_on_their_way_is_among_them(windows, server, app, is_asked_first):
    made, _, _ = run_window(server, f"{app}/ios", 46)
    page = windows.open(server, "/schedule")
    expect(page.locator(".panel").filter(has_text=f"{app.capitalize()} on iOS")).to_contain_text("running")
    windows.expected = {"lost"}
    deaf(page)
    end = lambda: server.call("POST", f"/windows/{made['id']}/run", {"step": "end"})
    if not is_asked_first:
        end()
    late = Held(page, "**/api/v1/windows?state=done*")
    page.get_by_role("button", name="Show past windows").click()
    late.wait()
    if is_asked_first:
        end()
    page.evaluate(STORE + ".then(({ store }) => store.reloadWindows())")
    expect(page.locator(".panel[data-window=running]").filter(has_text=f"{app.capitalize()} on iOS")).to_have_count(0)
    if is_asked_first:
        expect(page.locator(".past .panel").filter(has_text=f"{app.capitalize()} on iOS")).to_contain_text("done")
    late.release()
    expect(page.get_by_role("heading", name="Past windows")).to_be_visible()
    page.evaluate("fetch('/healthz/live')")
    expect(page.locator(".past .panel").filter(has_text=f"{app.capitalize()} on iOS")).to_contain_text("done")


def test_many_windows_are_read_at_once_and_past_ones_page_by_page(windows, own_server):
    made = [make_window(own_server, "shop/ios", now() + datetime.timedelta(days=2, hours=n), now() + datetime.timedelta(days=2, hours=n, minutes=30)) for n in range(60)]
    page = windows.open(own_server, path=None)
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/api/v1/windows?" in request.url else None)
    page.goto(f"{own_server.admin}/#/schedule")
    panels = page.locator(".panel").filter(has_text="Shop on iOS")
    expect(panels).to_have_count(60)
    assert len(asked) == 1

    for window in made[:-1]:
        own_server.call("DELETE", f"/windows/{window['id']}", {"revision": window["revision"]})
    expect(panels).to_have_count(1)
    page.get_by_role("button", name="Show past windows").click()
    past = page.locator(".past .panel")
    expect(past).to_have_count(50)
    page.get_by_role("button", name="Show older windows").click()
    expect(past).to_have_count(59)
    expect(page.get_by_role("button", name="Show older windows")).to_have_count(0)
    expect(past.nth(50).locator("summary")).to_be_focused()
    # What is over now comes first, and no other is lost for it.
    own_server.call("DELETE", f"/windows/{made[-1]['id']}", {"revision": made[-1]["revision"]})
    expect(past).to_have_count(60)
    expect(past.first).to_contain_text("cancelled")


def plan_of_shop(windows, server, app, **options):
    page = windows.open(server, f"/schedule/new?t={app}/ios,{app}/android", **options)
    expect(page.get_by_role("checkbox", name="iOS")).to_be_checked()
    return page


def test_a_sale_on_both_platforms_is_one_form_by_keyboard_alone(windows, server, app):
    """Tonight 20:00 to tomorrow 09:00: a preset, a standing text, a press; every target in one call."""
    page = windows.open(server, "/schedule")
    asked = []
    page.on("request", lambda request: asked.append(request.post_data_json) if request.method == "POST" and request.url.endswith("/windows") else None)
    page.get_by_role("link", name="Schedule a change…").focus()
    page.keyboard.press("Enter")
    began = time.monotonic()
    keys = 0

    def tab_to(control):
        nonlocal keys
        for _ in range(40):
            if control.evaluate("(element) => element === document.activeElement"):
                return
            page.keyboard.press("Tab")
            keys += 1
        raise AssertionError("not reached by Tab")

    expect(page.get_by_role("heading", level=1, name="Schedule a change")).to_be_focused()
    tab_to(page.get_by_label("App", exact=True))
    page.keyboard.type(app.capitalize())
    for platform in ("Android", "iOS"):
        tab_to(page.get_by_role("checkbox", name=platform))
        page.keyboard.press("Space")
    tab_to(page.get_by_role("button", name="Sale soon"))
    page.keyboard.press("Enter")
    expect(page.get_by_label("Message")).to_be_focused()
    tab_to(page.get_by_role("group", name="Fill in the times").get_by_role("button").first)
    page.keyboard.press("Enter")
    tab_to(page.locator("form button[type=submit]"))
    expect(page.get_by_role("table", name="What changes")).to_contain_text("The sale is about to start.")
    page.keyboard.press("Enter")
    # Several targets at once are confirmed by a phrase, which the plan names.
    phrase = page.locator(".phrase").text_content()
    expect(page.get_by_label("to confirm")).to_be_focused()
    page.keyboard.type(phrase)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    assert keys < 60
    assert time.monotonic() - began < 40
    made = asked[-1]
    assert sorted(target["platform"] for target in made["targets"]) == ["android", "ios"]
    [window] = server.call("GET", f"/windows?app={app}")["items"]
    assert (window["start"]["wallTime"][11:16], window["end"]["wallTime"][11:16], window["start"]["zone"]) == ("20:00", "09:00", "Europe/Berlin")
    assert (datetime.date.fromisoformat(window["end"]["wallTime"][:10]) - datetime.date.fromisoformat(window["start"]["wallTime"][:10])).days == 1
    expect(page.locator(".panel").filter(has_text=f"{app.capitalize()} on Android and iOS")).to_contain_text("20:00")


def test_a_preset_names_its_days_as_they_are_on_the_walls_of_the_zone(windows, server, app):
    page = plan_of_shop(windows, server, app)
    for zone in ("Europe/Berlin", "Pacific/Kiritimati", "Pacific/Pago_Pago"):
        page.get_by_label("Time zone").fill(zone)
        there = datetime.datetime.now(zoneinfo.ZoneInfo(zone))
        starts = there.date() + datetime.timedelta(days=0 if there.hour < 20 else 1)
        preset = page.get_by_role("group", name="Fill in the times").get_by_role("button").first
        if starts == there.date():
            expect(preset).to_have_text("Tonight 20:00 → Tomorrow 09:00")
        else:
            expect(preset).to_have_text(re.compile(r"^Tomorrow 20:00 → \w{3} 09:00$"))
        preset.click()
        expect(page.get_by_label("Start")).to_have_value(f"{starts}T20:00")
        expect(page.get_by_label("End", exact=True)).to_have_value(f"{starts + datetime.timedelta(days=1)}T09:00")


def test_the_length_stands_in_words_and_a_long_block_is_said_more_loudly(windows, server, app):
    page = plan_of_shop(windows, server, app)
    day = (now() + datetime.timedelta(days=9)).date()
    length = page.locator(".window-length")
    page.get_by_label("Start").fill(f"{day}T08:30")
    expect(length).to_be_empty()
    page.get_by_label("End", exact=True).fill(f"{day}T10:00")
    expect(length).to_have_text("1 hour 30 minutes")
    page.get_by_label("End", exact=True).fill(f"{day}T20:30")
    expect(length).to_have_text("12 hours")
    page.get_by_label("Start").fill(f"{day}T07:30")
    expect(length).to_have_text("13 hours: nobody gets in for all that time. Make sure that is meant.")
    page.get_by_label("What happens").select_option("alert")
    expect(length).to_have_text("13 hours")
    page.get_by_label("End", exact=True).fill(f"{day}T07:00")
    expect(length).to_have_text("The end is before the start.")
    page.get_by_label("What happens").select_option("kill")
    page.get_by_label("At the end").select_option("none")
    expect(length).to_have_text("Nobody gets in until somebody opens it. Make sure that is meant.")
    # The night in which the clocks go back is an hour longer than its walls say.
    page.get_by_label("At the end").select_option("open")
    page.get_by_label("Start").fill("2027-10-30T22:00")
    page.get_by_label("End", exact=True).fill("2027-10-31T06:00")
    expect(length).to_have_text("9 hours")
    expect(page.get_by_text("UTC+02:00 at the start, UTC+01:00 at the end: its clocks change in between")).to_be_visible()


def test_a_zone_is_found_by_its_city_and_says_its_offset_then(windows, server, app):
    page = plan_of_shop(windows, server, app)
    zone = page.get_by_label("Time zone")
    zone.click()
    # What stands there is replaced, not added to.
    page.keyboard.type("new york")
    page.keyboard.press("Tab")
    expect(zone).to_have_value("America/New_York")
    assert page.locator("datalist#zones option").count() > 300
    page.get_by_label("Start").fill("2027-01-15T09:00")
    expect(page.get_by_text("UTC−05:00 at that time")).to_be_visible()
    page.get_by_label("Start").fill("2027-07-15T09:00")
    expect(page.get_by_text("UTC−04:00 at that time")).to_be_visible()
    zone.fill("Atlantis")
    page.keyboard.press("Tab")
    expect(page.get_by_text("No zone of that name is known.")).to_be_visible()
    expect(zone).to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize("typed, value, said", [
    ("berl", "Europe/Berlin", ""), ("york", "America/New_York", ""), ("US/Eastern", "US/Eastern", ""), ("Etc/GMT+5", "Etc/GMT+5", ""),
    ("EST", "EST", "No zone of that name is known."), ("MST", "MST", "No zone of that name is known."),
    ("IST", "IST", "No zone of that name is known."), ("uk", "uk", "No zone of that name is known."),
    ("indiana", "indiana", "Several zones fit: America/Indiana/"),
])
def test_a_zone_is_never_guessed(windows, server, app, typed, value, said):
    """EST is not Creston, and IST is not Istanbul: a guessed zone moves the window by hours."""
    page = plan_of_shop(windows, server, app)
    zone = page.get_by_label("Time zone")
    zone.fill(typed)
    zone.press("Tab")
    if said:
        expect(page.get_by_text(said)).to_be_visible()
    expect(zone).to_have_value(value)
    expect(zone).to_have_attribute("aria-invalid", "true") if said else expect(zone).not_to_have_attribute("aria-invalid", "true")


def test_the_form_draws_the_days_and_the_phone_while_the_window_runs(windows, server, app):
    page = plan_of_shop(windows, server, app)
    page.get_by_role("group", name="Fill in the times").get_by_role("button").first.click()
    strip = page.locator(".day-strip")
    expect(strip.locator(".strip-window")).to_have_attribute("data-state", "blocked")
    expect(strip).to_contain_text("20:00 – 09:00")
    expect(strip).to_contain_text("now")
    now_at, begin = (float(strip.locator(mark).get_attribute(name).rstrip("%")) for mark, name in ((".strip-now", "x1"), (".strip-window", "x")))
    assert 0 <= now_at < begin < 100
    page.get_by_label("Message").fill("Sale starts at nine.")
    side = page.get_by_role("complementary", name="While it runs")
    expect(side.locator("figure .phone")).to_contain_text("Sale starts at nine.")
    expect(side.get_by_label("Shown on").locator("option")).to_have_count(2)
    side.get_by_label("Shown on").select_option(f"{app}/android")
    expect(side.locator(".preview-says")).to_contain_text("Gandalf")
    assert server.target(f"{app}/ios")["state"] == "open"


def test_more_apps_go_into_the_same_window(windows, server, app):
    server.add_app(f"{app}b", f"{app.capitalize()}b", "ios")
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    page.get_by_role("button", name="Add another app").click()
    second = page.get_by_label("App", exact=True).nth(1)
    expect(second).to_be_focused()
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_text("Choose an app, and tick at least one platform of it.")).to_be_visible()
    expect(second).to_be_focused()
    second.select_option(f"{app}b")
    expect(page.get_by_role("button", name=f"Schedule it on {app.capitalize()} on iOS, {app.capitalize()}b on iOS in STAGING")).to_be_visible()
    page.get_by_role("button", name="Leave out").click()
    expect(page.get_by_role("button", name=f"Schedule it on {app.capitalize()} on iOS in STAGING")).to_be_visible()


def test_a_window_is_duplicated_to_the_next_day_with_its_targets_and_times(windows, server, app):
    day = (now() + datetime.timedelta(days=2)).date()
    later = day + datetime.timedelta(days=1)
    server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": platform, "revision": 1} for platform in ("ios", "android")], "set": {"killSwitch": {"message": "Night."}}, "then": "restore",
        "start": {"wallTime": f"{day}T20:00", "zone": "America/New_York"}, "end": {"wallTime": f"{later}T09:00", "zone": "America/New_York"}, "confirm": "kill 2 targets",
    })
    page = windows.open(server, "/schedule")
    panel = page.locator(".panel").filter(has_text=f"{app.capitalize()} on ")
    panel.get_by_role("link", name=f"Duplicate… the window of {app.capitalize()} on").click()
    for label, value in (("Message", "Night."), ("Time zone", "America/New_York"), ("At the end", "restore"), ("Start", f"{later}T20:00")):
        expect(page.get_by_label(label)).to_have_value(value)
    expect(page.get_by_label("End", exact=True)).to_have_value(f"{later + datetime.timedelta(days=1)}T09:00")
    for platform in ("iOS", "Android"):
        expect(page.get_by_role("checkbox", name=platform)).to_be_checked()
    page.get_by_label("to confirm").fill("kill 2 targets")
    page.get_by_role("button", name="Schedule it on ").click()
    expect(panel).to_have_count(2)
    assert len(server.call("GET", f"/windows?app={app}&state=pending")["items"]) == 2


def test_a_copy_of_the_block_that_runs_says_that_the_same_is_in_force_now(windows, server, app):
    made = make_window(server, f"{app}/ios", now() + datetime.timedelta(seconds=30), now() + datetime.timedelta(hours=1))
    server.call("POST", f"/windows/{made['id']}/run", {})
    page = windows.open(server, f"/schedule/new?copy={made['id']}")
    changes = page.locator(".dialog-plan")
    expect(changes).to_contain_text("The same is in force there now. This compares with now, not with the start.")
    expect(changes.get_by_role("table")).to_have_count(0)
    page.get_by_label("Message").fill("Another text.")
    expect(changes.get_by_role("table", name="What changes")).to_contain_text("Another text.")
    expect(changes).not_to_contain_text("The same is in force")


def test_a_past_window_is_duplicated_to_the_next_time_its_hour_comes(windows, server, app):
    made = make_window(server, f"{app}/ios", now() + datetime.timedelta(days=1), now() + datetime.timedelta(days=1, hours=1))
    server.call("DELETE", f"/windows/{made['id']}", {})

    def past(route):
        response = route.fetch()
        window = response.json()
        window["start"] |= {"wallTime": "2026-01-05T20:00:00", "zone": "Europe/Berlin"}
        window["end"] |= {"wallTime": "2026-01-06T09:00:00", "zone": "Europe/Berlin"}
        route.fulfill(response=response, json=window)

    page = windows.open(server, path=None)
    page.route(f"**/api/v1/windows/{made['id']}", past)
    page.goto(f"{server.admin}/#/schedule/new?copy={made['id']}")
    there = datetime.datetime.now(zoneinfo.ZoneInfo("Europe/Berlin"))
    starts = there.date() + datetime.timedelta(days=0 if there.hour < 20 else 1)
    expect(page.get_by_label("Start")).to_have_value(f"{starts}T20:00")
    expect(page.get_by_label("End", exact=True)).to_have_value(f"{starts + datetime.timedelta(days=1)}T09:00")
    expect(page.get_by_text(f"A copy of window {made['id']}, moved to ")).to_be_visible()


def troubled(made, state, days):
    """A window as the server tells of one that has gone wrong some days ago."""
    at = rfc3339(now() - datetime.timedelta(days=days))
    return made | {"state": state, "due": None, "events": made["events"] + [{"at": at, "what": state, "actor": {"kind": "system", "name": "repair"}, "detail": None, "sequence": None}]}


def test_what_was_missed_or_failed_is_a_red_banner_on_the_overview(windows, server, app):
    made = make_window(server, f"{app}/ios", now() + datetime.timedelta(days=1), now() + datetime.timedelta(days=1, hours=1))
    # One that failed eight days ago is history; one that was missed then still waits for somebody.
    items = [troubled(made, "failed", 2), troubled(made, "failed", 8) | {"id": 9001}, troubled(made, "missed", 8) | {"id": 9002}]
    page = windows.open(server, path=None)
    page.route("**/api/v1/windows?state=pending*", lambda route: route.fulfill(json={"items": items, "next": None}))
    page.goto(f"{server.admin}/#/")
    banner = page.get_by_role("alert").filter(has_text="MISSED")
    expect(banner.get_by_role("heading", name="1 scheduled window was MISSED and waits for you · 1 scheduled window FAILED")).to_be_visible()
    expect(banner.get_by_role("listitem")).to_have_count(2)
    expect(banner).to_contain_text(f"{app.capitalize()} on iOS")
    banner.get_by_role("link", name="Look at the schedule").click()
    expect(page.locator(".panel")).to_have_count(2)
    expect(page.locator(".panel").first).to_contain_text("MISSED")
    expect(page.locator(".panel").nth(1)).to_contain_text("FAILED")


def test_without_trouble_there_is_no_banner(windows, server, app):
    make_window(server, f"{app}/ios", now() + datetime.timedelta(days=1))
    page = windows.open(server)
    expect(page.locator(".target-row").filter(has_text=f"{app}/ios").locator(".window-line")).to_be_visible()
    expect(page.locator(".trouble")).to_be_hidden()


def test_what_was_written_survives_leaving_and_reloading_and_goes_with_its_window(windows, server, app):
    page = plan_of_shop(windows, server, app)
    page.get_by_role("checkbox", name="Android").uncheck()
    day = (now() + datetime.timedelta(days=2)).date()
    page.get_by_label("Message").fill("Half a sentence")
    page.get_by_label("Time zone").fill("America/New_York")
    page.get_by_label("Start").fill(f"{day}T20:00")
    page.get_by_label("Reason").fill("SALE")

    def is_there():
        expect(page.get_by_text("What you wrote here before is filled in.")).to_be_visible()
        for label, value in (("Message", "Half a sentence"), ("Time zone", "America/New_York"), ("Start", f"{day}T20:00"), ("Reason", "SALE")):
            expect(page.get_by_label(label)).to_have_value(value)
        expect(page.get_by_role("checkbox", name="iOS")).to_be_checked()
        expect(page.get_by_role("checkbox", name="Android")).not_to_be_checked()

    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    page.go_back()
    is_there()
    page.reload()
    is_there()
    # Another address is another form.
    page.goto(f"{server.admin}/#/schedule/new?t={app}/android")
    expect(page.get_by_role("checkbox", name="Android")).to_be_checked()
    expect(page.get_by_label("Message")).to_have_value("")
    page.go_back()
    is_there()
    page.get_by_label("End", exact=True).fill(f"{day}T21:00")
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
    page.goto(f"{server.admin}/#/schedule/new?t={app}/ios,{app}/android")
    expect(page.get_by_label("Message")).to_have_value("")
    page.get_by_label("Message").fill("Not this.")
    page.reload()
    page.get_by_role("button", name="Start afresh").click()
    expect(page.get_by_label("Message")).to_have_value("")


def test_a_minimum_version_that_is_scheduled_needs_the_word_that_the_store_will_have_it(windows, server, app):
    page = windows.open(server, f"/schedule/new?t={app}/ios")
    tick = page.get_by_role("checkbox", name="can be downloaded from the store by then")
    expect(page.get_by_role("button", name="Schedule it on ")).to_be_visible()
    expect(tick).to_have_count(0)
    page.locator("select[name=action]").select_option("min")
    page.locator("[name=version]").fill("4.2.0")
    page.get_by_label("Message").fill("Please update.")
    page.get_by_label("Start", exact=True).fill("2090-03-30T09:00")
    page.get_by_label("End", exact=True).fill("2090-03-30T10:00")
    expect(page.get_by_role("table", name="What changes")).to_be_visible()
    page.get_by_role("button", name="Schedule it on ").click()
    expect(tick).to_be_focused()
    waiting = server.call("GET", "/windows?state=pending")["items"]
    assert app not in [target["app"] for window in waiting for target in window["targets"]]
    tick.check()
    page.get_by_role("button", name="Schedule it on ").click()
    expect(page.get_by_role("heading", level=1, name="Schedule", exact=True)).to_be_visible()
