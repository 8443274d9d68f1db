"""The timeline, one change, and the way back."""

import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from steps import Held, deaf, dialog, wait_until


def test_a_change_shows_its_difference_and_reverting_to_before_it_makes_a_new_revision(windows, server, app):
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "4.1.0", "message": "Please update."}}, reason="REL-1")
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}}, reason="REL-2")
    page = windows.open(server, "/history")
    page.get_by_role("link", name=re.compile(rf"the minimum version 4\.1\.0 → 4\.2\.0 on {app}", re.IGNORECASE)).click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    row = page.get_by_role("row").filter(has_text="4.2.0")
    expect(row.locator("del")).to_have_text("4.1.0")
    expect(row.locator("ins")).to_have_text("4.2.0")
    expect(row).to_contain_text("Changed")
    expect(page.locator("main")).to_contain_text("REL-2")
    page.get_by_role("button", name="Revert to before this…").click()
    expect(dialog(page).get_by_role("row").filter(has_text="4.1.0")).to_be_visible()
    dialog(page).get_by_role("button", name="back to revision 2").click()
    expect(dialog(page)).to_have_count(0)
    target = server.target(f"{app}/ios")
    assert (target["revision"], target["gate"]["requiredUpdate"]["minimumVersion"]) == (4, "4.1.0")
    assert server.changes(f"{app}/ios")[0]["kind"] == "revert"


def test_a_revert_is_compared_with_now_and_not_with_then(windows, server, app):
    server.change(f"{app}/ios", {"alert": {"message": "First.", "blocking": False}})
    second = server.change(f"{app}/ios", {"alert": {"message": "Second.", "blocking": False}})
    server.change(f"{app}/ios", {"alert": {"message": "Third.", "blocking": False}})
    page = windows.open(server, f"/history/{second['change']['sequence']}")
    page.get_by_role("button", name="Revert to before this…").click()
    row = dialog(page).get_by_role("row").filter(has_text="First.")
    expect(row.locator("del")).to_have_text("Third.")


def test_a_revert_that_somebody_overtook_shows_what_it_would_have_brought_back(windows, server, app):
    windows.expected = {412, "lost"}
    server.change(f"{app}/ios", {"alert": {"message": "First.", "blocking": False}})
    second = server.change(f"{app}/ios", {"alert": {"message": "Second.", "blocking": False}})
    page = windows.open(server, f"/history/{second['change']['sequence']}")
    deaf(page)
    page.get_by_role("button", name="Revert to before this…").click()
    expect(dialog(page).get_by_role("row").filter(has_text="First.")).to_be_visible()
    server.change(f"{app}/ios", {"alert": {"message": "Third.", "blocking": False}})
    dialog(page).get_by_role("button", name="back to revision 2").click()
    row = dialog(page).get_by_role("table", name="Changed meanwhile").get_by_role("row").filter(has_text="Message")
    expect(row.get_by_role("cell")).to_have_text(["Second.", "Third.", "First."])
    expect(dialog(page).locator(".conflict")).not_to_contain_text("What you have written")


def test_what_was_unfolded_stays_so_when_another_target_changes(windows, server, app):
    made = server.change(f"{app}/ios", {"alert": {"message": "First.", "blocking": False}})
    page = windows.open(server, f"/history/{made['change']['sequence']}")
    page.locator("details.json summary").click()
    page.locator("details.json").evaluate("(details) => { details.dataset.old = true; }")
    server.change(f"{app}/android", {"alert": {"message": "Slow today.", "blocking": False}})
    expect(page.locator("details.json[data-old]")).to_have_count(0)
    expect(page.locator("details.json pre")).to_be_visible()
    expect(page.locator("details.json summary")).to_be_focused()


def test_what_arrives_meanwhile_waits_behind_a_button(windows, server, app):
    page = windows.open(server, f"/history?app={app}&platform=ios")
    expect(page.locator(".change")).to_have_count(1)
    server.change(f"{app}/ios", {"alert": {"message": "Hello.", "blocking": False}})
    button = page.get_by_role("button", name="1 new change")
    expect(button).to_be_visible(timeout=3000)
    expect(page.locator(".change")).to_have_count(1)
    button.click()
    expect(page.locator(".change")).to_have_count(2)
    expect(button).to_have_count(0)


def test_what_was_changed_during_a_gap_waits_behind_the_button_too(windows, server, app):
    windows.expected = {"lost"}
    page = windows.open(server, f"/history?app={app}&platform=ios")
    expect(page.locator(".change")).to_have_count(1)
    page.clock.install()
    deaf(page)
    page.clock.run_for(31_000)
    expect(page.get_by_text("showing last known state")).to_be_visible()
    server.change(f"{app}/ios", {"alert": {"message": "Hello.", "blocking": False}})
    page.unroute("**/api/v1/events*")
    button = page.get_by_role("button", name="1 new change")
    # Retries come up to half a minute apart by now.
    page.clock.run_for(31_000)
    expect(page.get_by_text("showing last known state")).to_have_count(0)
    expect(button).to_be_visible()
    expect(page.get_by_role("status").filter(has_text=f"{app.capitalize()} on iOS is now notice, changed by tests.")).to_have_count(1)
    button.click()
    expect(page.locator(".change")).to_have_count(2)
    expect(button).to_have_count(0)


def test_after_a_gap_that_nobody_can_tell_of_the_history_offers_to_look(windows, server, app):
    page = windows.open(server, f"/history?app={app}&platform=ios")
    expect(page.locator(".change")).to_have_count(1)
    told = []

    def forget(route):
        answer = route.fetch().json()
        if not told and answer["items"]:
            told.append(answer)
            return route.fulfill(json=answer | {"items": [], "reset": True})
        route.fulfill(json=answer)

    page.route("**/api/v1/events*", forget)
    server.change(f"{app}/ios", {"alert": {"message": "Hello.", "blocking": False}})
    button = page.get_by_role("button", name="Look for new changes")
    button.click()
    expect(page.locator(".change")).to_have_count(2)
    expect(button).to_have_count(0)


def test_what_arrives_while_the_list_is_read_is_not_lost(windows, server, app):
    page = windows.open(server, path=None)
    first = Held(page, "**/api/v1/changes?*")
    page.goto(f"{server.admin}/#/history?app={app}&platform=ios")
    first.wait()
    server.change(f"{app}/ios", {"alert": {"message": "Hello.", "blocking": False}})
    button = page.get_by_role("button", name="1 new change")
    expect(button).to_be_visible()
    first.release()
    expect(page.locator(".change")).to_have_count(1)
    expect(button).to_be_visible()
    button.click()
    expect(page.locator(".change")).to_have_count(2)
    expect(button).to_have_count(0)


def test_older_changes_do_not_take_the_place_of_new_ones(windows, server, app):
    for number in range(60):
        server.change(f"{app}/ios", {"alert": {"message": f"Text {number}.", "blocking": False}})
    page = windows.open(server, f"/history?app={app}&platform=ios")
    more = page.locator("[data-key=more]")
    expect(more).to_be_visible()
    before = page.locator(".change").count()
    server.change(f"{app}/ios", {"alert": {"message": "The newest.", "blocking": False}})
    button = page.get_by_role("button", name="1 new change")
    expect(button).to_be_visible(timeout=3000)
    more.click()
    expect(page.locator(".change")).to_have_count(61)
    assert before < 61
    expect(button).to_be_visible()
    button.click()
    expect(page.locator(".timeline, main").first).to_contain_text("The newest.")


def test_the_last_of_the_older_changes_leave_the_page_where_it_was_pressed(windows, server, app):
    for number in range(54):
        server.change(f"{app}/ios", {"alert": {"message": f"Text {number}.", "blocking": False}})
    page = windows.open(server, f"/history?app={app}&platform=ios")
    page.locator("[data-key=more]").click()
    expect(page.locator(".change")).to_have_count(55)
    oldest = page.locator(".change a").nth(50)
    expect(oldest).to_be_focused()
    expect(oldest).to_be_in_viewport()


def test_what_a_persons_token_did_is_told_with_both_and_found_by_the_person(windows, server, app):
    own, server.token = server.token, server.own_token("laptop")
    try:
        server.change(f"{app}/ios", {"alert": {"message": "Hello.", "blocking": False}})
    finally:
        server.token = own
    page = windows.open(server, f"/history?app={app}&platform=ios")
    expect(page.locator(".change").first.locator("strong")).to_have_text("admin (laptop)")
    page.get_by_label("By").fill("admin")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".change")).to_have_count(1)


def test_filters_live_in_the_address(windows, server, app):
    page = windows.open(server, "/history")
    page.get_by_label("App").select_option(app)
    page.get_by_label("Platform").select_option("android")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".change")).to_have_count(1)
    expect(page).to_have_url(re.compile(re.escape(f"#/history?app={app}&platform=android") + "$"))
    page.get_by_role("link", name="Clear").click()
    expect(page.get_by_label("App")).to_have_value("")


@pytest.mark.parametrize("path", ["/nowhere", "/t/no/such", "/settings/apps/nothing"])
def test_an_unknown_address_shows_a_way_home(windows, server, path):
    page = windows.open(server, path)
    expect(page.get_by_role("heading", level=1, name="Nothing here")).to_be_visible()
    page.get_by_role("link", name="Go to the overview").click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_a_change_that_does_not_exist_is_said_to_be_missing(windows, server):
    windows.expected = {404}
    page = windows.open(server, "/history/999999")
    expect(page.get_by_text("There is no change with this number.")).to_be_visible()


def test_a_line_says_the_state_the_time_of_day_and_what_was_there_before(windows, server, app):
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "4.1.0", "message": "Please update."}})
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}})
    server.change(f"{app}/ios", {"killSwitch": {"message": "Closed."}})
    page = windows.open(server, f"/history?app={app}&platform=ios")
    blocked, raised = page.locator(".change").nth(0), page.locator(".change").nth(1)
    expect(blocked.locator(".change-glyph")).to_have_text("BLOCKED")
    expect(blocked.locator(".change-glyph svg")).to_be_visible()
    expect(raised.locator(".change-glyph")).to_have_text("UPDATE REQUIRED")
    expect(raised.locator("del")).to_have_text("4.1.0")
    expect(raised.locator("ins")).to_have_text("4.2.0")
    at = server.changes(f"{app}/ios")[0]["at"]
    expect(blocked.locator(".change-when > time")).to_have_attribute("datetime", at)
    expect(blocked.locator(".change-when > time")).to_have_text(re.compile(r"^\d\d:\d\d$"))
    # The message of a block is quoted, and not told twice.
    expect(blocked.get_by_text("Closed.")).to_have_count(1)


def test_since_takes_a_day_or_a_moment_and_says_of_anything_else_that_it_is_none(windows, server, app):
    made = server.change(f"{app}/ios", {"alert": {"message": "Hello.", "blocking": False}})["change"]
    page = windows.open(server, timezone_id="UTC")
    for since, count in ((made["at"], 1), (made["at"][:10], 2), ("2999-01-01T00:00:00+00:00", 0)):
        page.goto(f"{server.admin}/#/history?app={app}&platform=ios&since={urllib.parse.quote(since)}")
        expect(page.locator(".filters [name=since]")).to_have_value(since[:10])
        expect(page.locator(".change")).to_have_count(count)
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
    for since in ("24h", "12026-01-01", "yesterday", "2026-13-01"):
        page.goto(f"{server.admin}/#/history?since={since}")
        expect(page.locator(".timeline")).to_have_text("That is not a valid date. A year has four digits.")


def test_a_deleted_app_stays_chosen_in_the_filter(windows, server, app):
    server.call("DELETE", f"/apps/{app}", {"confirm": f"delete {app}"})
    page = windows.open(server, f"/history?app={app}")
    expect(page.locator(".changes > li").first).to_be_visible()
    expect(page.get_by_label("App", exact=True)).to_have_value(app)
    page.get_by_label("By", exact=True).fill("tests")
    page.get_by_role("button", name="Apply the filter").click()
    wait_until(page, "(app) => location.hash === `#/history?app=${app}&actor=tests`", app)


def test_back_from_a_change_leads_to_its_place_in_the_list(windows, server, app):
    for number in range(60):
        server.change(f"{app}/ios", {"alert": {"message": f"Number {number}.", "blocking": False}})
    page = windows.open(server, f"/history?app={app}&platform=ios")
    page.get_by_role("button", name="Show older").click()
    changes = page.locator(".change a")
    expect(changes).to_have_count(61)
    sequence = changes.nth(55).get_attribute("href")
    changes.nth(55).click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.go_back()
    link = page.locator(f'.change a[href="{sequence}"]')
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    expect(changes).to_have_count(61)
    expect(page.locator(".fresh button")).to_have_count(0)
    # What happens meanwhile waits behind the button, as always.
    link.click()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    title = page.title()
    server.change(f"{app}/ios", {"killSwitch": {"message": "The last."}})
    # It counts the blocked targets, so the page knows.
    expect(page).not_to_have_title(title)
    page.go_back()
    expect(link).to_be_focused()
    page.locator(".fresh").get_by_role("button", name="Look for new changes").click()
    expect(page.locator(".change").first).to_contain_text("The last.")


def test_pressing_twice_for_older_changes_adds_them_once(windows, server, app):
    for number in range(60):
        server.call("PATCH", f"/apps/{app}", {"name": f"{app} {number}"})
    page = windows.open(server, f"/history?app={app}")
    # Both at once: between the two presses of a mouse the answer could come.
    page.get_by_role("button", name="Show older").evaluate("(button) => { button.click(); button.click(); }")
    expect(page.get_by_role("button", name="Show older")).to_have_count(0)
    wait_until(page, "() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('cursor=')).length === 2")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    shown = page.locator(".changes a[href^='#/history/']").evaluate_all("(links) => links.map((link) => link.getAttribute('href'))")
    assert len(shown) > 60
    assert len(shown) == len(set(shown))


def test_a_rehearsal_begun_from_a_change_stays_told_when_another_target_changes(windows, server, app):
    made = server.change(f"{app}/ios", {"killSwitch": {"message": "Back at nine."}})["change"]
    page = windows.open(server, f"/history/{made['sequence']}")
    page.get_by_role("button", name="Try on a phone: ").click()
    expect(page.get_by_role("link", name="addresses and polls")).to_be_visible()
    server.change(f"{app}/android", {"killSwitch": {"message": "Back at ten."}})
    expect(page.get_by_role("status").filter(has_text=f"{app.capitalize()} on Android is now blocked")).to_have_count(1)
    expect(page.get_by_role("link", name="addresses and polls")).to_be_visible()


def change_all(server, keys, rules):
    """One change of iOS and Android of several apps."""
    targets = [server.target(f"{key}/{platform}") for key in keys for platform in ("ios", "android")]
    body = {"targets": [{name: target[name] for name in ("app", "platform", "revision")} for target in targets], "set": rules}
    plan = server.call("POST", "/changes", body | {"dryRun": True})["plan"]
    return server.call("POST", "/changes", body | ({"confirm": plan["confirm"]} if plan["confirm"] else {}))["change"]


def test_a_change_of_many_targets_names_the_first_few_and_the_one_that_the_list_is_about(windows, start_server):
    server = start_server()
    keys = [f"app{number:02}" for number in range(20)]
    for key in keys:
        server.add_app(key, key.capitalize(), "ios", "android")
    server.change("app00/ios", {"killSwitch": {"message": "Back soon."}})
    change = change_all(server, keys, {"killSwitch": {"message": "Closed."}})
    few = change_all(server, keys[:3], {"alert": {"message": "Slow.", "blocking": False}})
    page = windows.open(server, "/history", width=390, height=844)
    line = page.locator(".change", has=page.locator(f"a[href='#/history/{change['sequence']}']"))
    expect(line).to_contain_text("changed the block of App00 on iOS; ")
    expect(line).to_contain_text(re.compile(r"blocked App\d\d on \w+, App\d\d on \w+, App\d\d on \w+ and 36 more targets"))
    assert line.bounding_box()["height"] < 400
    # Few are all named.
    expect(page.locator(".change", has=page.locator(f"a[href='#/history/{few['sequence']}']")).locator(".change-line")).to_have_text(
        re.compile(r"set the alert on( App0[0-2] on (iOS|Android),?){6}$"))
    page.goto(f"{server.admin}/#/history?app=app07")
    expect(line).to_contain_text(re.compile(r"blocked App07 on \w+, App07 on \w+ and 37 more targets"))
    page.goto(f"{server.admin}/#/t/app07/android")
    expect(line).to_contain_text("blocked App07 on Android and 38 more targets")
    assert line.bounding_box()["height"] < 400
    page.goto(f"{server.admin}/#/history/{change['sequence']}")
    expect(page.locator(".lead")).to_contain_text("and 36 more targets")
    expect(page.locator("section.panel")).to_have_count(40)

    # With what the answer leaves out, one count tells of all.
    def cut(route):
        answer = route.fetch().json()
        for item in answer["items"]:
            if item["sequence"] == change["sequence"]:
                item["omitted"] = 100
        route.fulfill(json=answer)

    page.route(re.compile("/api/v1/changes"), lambda route: cut(route))
    page.goto(f"{server.admin}/#/history?platform=ios")
    expect(line).to_contain_text(re.compile(r"App\d\d on iOS, App\d\d on iOS … and 136 more targets"))
    expect(line).to_have_text(re.compile(r"^((?!more target).)*more targets((?!more target).)*$", re.DOTALL))
