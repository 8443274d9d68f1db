"""Who sees what: versions by libraries, as the server answers, at any moment, under an address that can be sent."""

import datetime
import json
import re
import urllib.parse

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from steps import dialog, eventually

NAMES = {"bellerophon": "Bellerophon", "launchgate": "LaunchGate", "gandalf": "Gandalf", "prince-of-versions": "Prince of Versions"}
WORDS = {"blocked": "BLOCKED", "updateRequired": "UPDATE", "updateOffered": "OFFERED", "notice": "NOTICE", "open": "OPEN", "failed": "NOT USED", "broken": "BROKEN"}
AXE = {"rules": {"target-size": {"enabled": True}}, "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}


@pytest.fixture
def misread(server, app):
    """A minimum version that LaunchGate reads as text."""
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["1.9", "1.10"]})
    server.call("POST", "/changes", {
        "targets": [{"app": app, "platform": "ios", "revision": 2}], "accept": ["text_order"], "reason": "REL-42",
        "set": {"requiredUpdate": {"minimumVersion": "1.10", "message": "Please <b>update</b>."}},
    })
    return app


def matrix(server, app, platform="ios", versions=(), **question):
    return server.call("POST", "/simulate", {"app": app, "platform": platform, "versions": list(versions), **question})


def cell(page, client, version):
    return page.locator(f'.sim-row [data-key="cell {version} {client}"]')


def check(page, answer, feed="static"):
    """Every cell is what the server has said of it."""
    expect(page.locator(".sim-row .sim-version")).to_have_text(answer["versions"])
    for one in answer["cells"]:
        shown = cell(page, one["client"], one["version"])
        expect(shown.locator(".badge-word").first).to_have_text(WORDS[one[feed]["outcome"]])
        expect(shown.locator(".sim-mark")).to_have_count(1 if one[feed]["deviation"] else 0)


def test_the_table_is_the_servers_answer_with_the_versions_that_matter(windows, server, misread):
    page = windows.open(server, f"/simulate?t={misread}/ios")
    answer = matrix(server, misread)
    assert answer["versions"] == ["1.2", "1.9", "1.10"]
    check(page, answer)
    expect(page.locator(".chips .chip")).to_have_text(answer["versions"])
    page.get_by_label("Feed").select_option("version")
    check(page, answer, "targeted")
    page.get_by_label("Feed").select_option("both")
    expect(cell(page, "launchgate", "1.9").locator(".badge-word")).to_have_text(["OPEN", "UPDATE"])
    wrong = page.locator(".sim-wrong")
    expect(wrong).to_contain_text("LaunchGate orders versions as text")
    expect(wrong).to_contain_text("requested with ?version=1.2&platform=ios, it tells this phone to update")
    expect(page.get_by_role("navigation", name="Main").get_by_role("link", name="Simulate")).to_have_attribute("aria-current", "page")


def test_a_cell_opens_its_reason_by_keyboard_and_the_focus_stays(windows, server, misread):
    page = windows.open(server, f"/simulate?t={misread}/ios&v=1.9")
    shown = cell(page, "launchgate", "1.9")
    shown.focus()
    page.keyboard.press("Enter")
    reason = page.locator(".sim-reason")
    expect(reason).to_contain_text('"1.9" is not below "1.10"')
    expect(reason).to_contain_text("The targeted feed is right")
    expect(reason.locator(".said")).to_have_text("Please <b>update</b>.")
    expect(shown).to_be_focused()
    expect(shown).to_have_attribute("aria-expanded", "true")
    problems = Axe().run(page, options=AXE).response["violations"]
    assert not problems, [one["id"] for one in problems]
    reason.get_by_role("button", name="Close the reason").press("Enter")
    expect(reason).to_have_count(0)
    expect(shown).to_be_focused()


def test_all_that_is_asked_stands_in_the_address(windows, server, misread):
    page = windows.open(server, f"/simulate?t={misread}/android")
    page.get_by_label("Target").select_option(f"{misread}/ios")
    page.get_by_label("Versions", exact=True).fill("1.9, 1.10")
    page.get_by_label("Phones", exact=True).select_option("1")
    page.get_by_label("Feed").select_option("everybody")
    page.wait_for_url("**v=1.9*seen=1*feed=everybody*")
    answer = matrix(server, misread, versions=["1.9", "1.10"], seen=True)
    check(page, answer)
    other = windows.open(server, page.url.split("#")[1])
    check(other, answer)
    expect(other.get_by_label("Phones", exact=True)).to_have_value("1")
    expect(other.get_by_label("Feed")).to_have_value("everybody")
    expect(other.get_by_label("Versions", exact=True)).to_have_value("1.9,1.10")


def test_a_proposed_version_is_one_press_away(windows, server, misread):
    page = windows.open(server, f"/simulate?t={misread}/ios")
    chip = page.get_by_role("button", name="Version 1.9", exact=True)
    chip.click()
    check(page, matrix(server, misread, versions=["1.9"]))
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(chip).to_be_focused()
    chip.click()
    check(page, matrix(server, misread))


def test_what_a_note_says_of_a_time_is_said_as_people_read_it(windows, server, misread):
    page = windows.open(server, path=None)
    note = "Change 7 of 2020-03-29T09:00:00.000Z restored a backup."
    page.route("**/api/v1/simulate", lambda route: route.fulfill(json=route.fetch().json() | {"notes": [note]}))
    page.goto(f"{server.admin}/#/simulate?t={misread}/ios&revision=2")
    expect(page.locator(".sim-result .callout")).to_have_text(re.compile(r"^Change 7 of Sun 29 Mar 2020, 11:00 Berlin restored a backup\.$"))


def test_what_phones_saw_at_a_past_moment_names_the_change(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back at 09:30."}}, reason="INC-123")
    killed = server.changes(f"{app}/ios")[0]
    server.change(f"{app}/ios", {"killSwitch": None})
    page = windows.open(server, f"/simulate?t={app}/ios&v=4.1.0&at={killed['at']}")
    expect(cell(page, "launchgate", "4.1.0")).to_contain_text("BLOCKED")
    expect(page.locator(".sim-result .fact-list")).to_contain_text("INC-123")
    page.locator(".sim-result").get_by_role("link", name=f"Change {killed['sequence']}").click()
    page.get_by_role("link", name="What phones saw then").click()
    expect(page.get_by_label("Moment")).to_have_value("revision")
    expect(cell(page, "bellerophon", "1.0.0")).to_contain_text("BLOCKED")
    expect(page.locator(".sim-head")).to_contain_text("with revision 2")
    page.get_by_label("Moment").select_option("now")
    expect(cell(page, "bellerophon", "1.0.0")).to_contain_text("OPEN")


def test_a_past_moment_is_said_to_be_past_and_can_be_read_whole_on_a_phone(windows, server, app):
    at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=3)
    windows.expected.add(422)
    page = windows.open(server, f"/simulate?t={app}/ios&at={at:%Y-%m-%dT%H:%M:00Z}", width=390, height=844, locale="en-US")
    time = page.get_by_label("Time, past or future")
    expect(page.locator(".field").filter(has=time).locator(".hint")).to_have_text(re.compile(r"UTC · 3\sh ago$"))
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 844})
        assert time.bounding_box()["width"] >= 220


def test_a_moment_before_there_was_anything_is_refused_at_its_field(windows, server, app):
    windows.expected.add(422)
    page = windows.open(server, f"/simulate?t={app}/ios&at=2020-01-01T09:00:00.000Z")
    expect(page.get_by_label("Time, past or future")).to_have_attribute("aria-invalid", "true")
    expect(page.locator(".filters .error:visible")).to_contain_text("nothing is known of the time before that")
    page.get_by_label("Versions", exact=True).fill("4 1")
    page.get_by_label("Moment").select_option("now")
    expect(page.get_by_label("Versions", exact=True)).to_have_attribute("aria-invalid", "true")


@pytest.mark.parametrize("moment, field, wrong, said", [
    ("revision", "Revision", "", "A whole number from 1."), ("revision", "Revision", "0", "A whole number from 1."),
    ("at", "Time, past or future", "", "Choose the time."),
])
def test_a_question_that_is_not_finished_is_said_so_and_has_no_answer_beside_it(windows, server, app, moment, field, wrong, said):
    # The minute in which the app was made began before there was one.
    windows.expected = {422}
    page = windows.open(server, f"/simulate?t={app}/ios")
    result = page.get_by_role("region", name="What phones show")
    expect(result.get_by_role("table")).to_be_visible()
    held = []
    page.route("**/api/v1/simulate", lambda route: held.append(route))
    page.get_by_label("Moment").select_option(moment)
    eventually(lambda: page.wait_for_timeout(20) or held, "the question is asked")
    page.get_by_label(field).fill(wrong)
    expect(page.locator(".error:visible")).to_have_text(said)
    for route in held:
        route.continue_()
    expect(result).not_to_have_attribute("aria-busy", "true")
    expect(result.get_by_role("table")).to_have_count(0)


def test_a_plan_leads_to_it_with_its_draft_and_nothing_is_changed(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios/edit/kill")
    dialog(page).get_by_label("Message").fill("Closed for now.")
    link = dialog(page).get_by_role("link", name="Who sees what")
    # The plan follows what is written.
    expect(link).to_have_attribute("href", re.compile("Closed\\+for\\+now"))
    with page.expect_popup() as opened:
        link.click()
    other = opened.value
    expect(other.locator(".callout")).to_contain_text("With a draft that is not in force")
    expect(cell(other, "bellerophon", "1.0.0")).to_contain_text("BLOCKED")
    drafted = json.loads(dict(urllib.parse.parse_qsl(other.url.split("?")[1]))["set"])
    assert drafted["killSwitch"]["message"] == "Closed for now."
    cell(other, "launchgate", "1.0.0").click()
    expect(other.locator(".sim-reason .said")).to_have_text("Closed for now.")
    other.get_by_role("button", name="Look without the draft").click()
    expect(cell(other, "bellerophon", "1.0.0")).to_contain_text("OPEN")
    expect(dialog(page).get_by_label("Message")).to_have_value("Closed for now.")
    assert server.target(f"{app}/ios")["state"] == "open"


def test_the_target_page_leads_to_it_and_what_is_live_is_followed(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("link", name="Who sees what").click()
    expect(page.locator("h1")).to_be_focused()
    expect(cell(page, "bellerophon", "1.0.0")).to_contain_text("OPEN")
    server.change(f"{app}/ios", {"killSwitch": {"message": "Closed."}})
    expect(cell(page, "bellerophon", "1.0.0")).to_contain_text("BLOCKED")


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_each_version_is_a_card_and_nothing_scrolls_sideways(windows, server, misread, width):
    page = windows.open(server, f"/simulate?t={misread}/ios", width=width, height=844)
    check(page, matrix(server, misread))
    cell(page, "launchgate", "1.9").click()
    expect(page.locator(".sim-reason")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    expect(page.locator(".sim-row .sim-label", has_text="LaunchGate").first).to_be_visible()
    heights = page.locator(".sim-cell").evaluate_all("cells => cells.map((cell) => cell.getBoundingClientRect().height)")
    assert min(heights) >= 44


def test_without_an_answer_it_says_how_a_terminal_asks_and_asks_again_once_there_is_one(windows, server, misread):
    windows.expected = {"lost"}
    page = windows.open(server, path=None)
    page.route("**/api/v1/simulate", lambda route: route.abort())
    page.goto(f"{server.admin}/#/simulate?t={misread}/ios&v=1.2,1.9&revision=2&seen=1")
    expect(page.get_by_role("heading", name="What phones show could not be shown")).to_be_visible()
    expect(page.locator("main code")).to_have_text(f"gatectl simulate {misread} ios 1.2 1.9 --revision=2 --seen")
    page.unroute("**/api/v1/simulate")
    expect(page.get_by_role("table", name="What phones show")).to_be_visible()


def test_without_an_app_the_way_to_one_is_on_the_page(windows, start_server):
    page = windows.open(start_server(), "/simulate")
    expect(page.get_by_text("There is no app yet.")).to_be_visible()
    page.get_by_role("link", name="Add an app").click()
    expect(page.get_by_role("heading", level=1, name="Add an app")).to_be_visible()


def test_while_a_year_is_typed_what_was_asked_stands(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/simulate?t={app}/ios&at=2099-03-30T09:10")
    for time in ("0002-03-30T09:10", "9999-12-31T23:59", "2098-03-30T09:10"):
        page.get_by_label("Time, past or future").fill(time)
    expect(page.locator(".sim-head")).to_contain_text("2098")


def test_the_platform_can_be_read_where_the_name_is_long(windows, server):
    server.add_app("longest", "Application 000 of all", "ios", "android")
    page = windows.open(server, "/simulate?t=longest/android", width=1280)
    target = page.locator("select[name=t]")
    expect(target).to_have_value("longest/android")
    # What the select needs beside the text: its padding and its arrow.
    assert target.evaluate("""(select) => {
        const text = document.createElement("span");
        text.style.font = getComputedStyle(select).font;
        text.textContent = select.selectedOptions[0].textContent;
        document.body.append(text);
        const needed = text.getBoundingClientRect().width;
        text.remove();
        return select.clientWidth - needed;
    }""") > 40
