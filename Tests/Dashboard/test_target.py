"""One target: its gates, a draft and review for each rule, and what happens when two people edit at once."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from steps import Held, deaf, dialog, later


def gate(page, name):
    return page.locator(".gate-row").filter(has=page.get_by_role("switch", name=name))


@pytest.mark.parametrize(
    "switch, fill, expected",
    [
        ("Minimum version", {"Minimum version": "4.2.0", "Message": "Please update."}, {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}}),
        ("Optional update", {"Version to suggest": "4.3.0", "Message": "4.3 is out."}, {"optionalUpdate": {"optionalVersion": "4.3.0", "message": "4.3 is out."}}),
        ("Alert", {"Message": "Card payments are slow."}, {"alert": {"message": "Card payments are slow.", "blocking": False}}),
        ("Forced update", {"Message": "Please update."}, {"forceUpdate": {"message": "Please update."}}),
    ],
)
def test_each_rule_is_drafted_reviewed_published_and_cleared(windows, server, app, switch, fill, expected):
    page = windows.open(server, f"/t/{app}/ios")
    gate(page, switch).get_by_role("switch").click()
    for label, text in fill.items():
        dialog(page).get_by_role("textbox", name=label).fill(text)
    expect(dialog(page).get_by_role("table", name="What changes")).to_contain_text("Added")
    expect(gate(page, switch).get_by_role("switch", include_hidden=True)).not_to_be_checked()
    tick = dialog(page).get_by_role("checkbox", name="can be downloaded from the store")
    if tick.count():
        tick.check()
    dialog(page).get_by_role("button", name="Publish ").click()
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"] == expected
    expect(gate(page, switch).get_by_role("switch")).to_be_checked()
    expect(gate(page, switch)).to_contain_text(fill["Message"])
    gate(page, switch).get_by_role("switch").click()
    dialog(page).get_by_role("button", name="Clear ").click()
    expect(gate(page, switch).get_by_role("switch")).not_to_be_checked()
    assert server.target(f"{app}/ios")["gate"] == {}


def test_a_new_minimum_version_needs_the_word_that_the_store_has_it(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    dialog(page).get_by_role("textbox", name="Minimum version").fill("4.2.0")
    dialog(page).get_by_role("textbox", name="Message").fill("Please update.")
    dialog(page).get_by_role("button", name="Publish ").press("Enter")
    expect(dialog(page).get_by_role("checkbox", name="Version 4.2.0 or newer can be downloaded from the store")).to_be_focused()
    assert server.target(f"{app}/ios")["revision"] == 1


def test_who_vouches_for_one_version_has_not_vouched_for_another(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    version = dialog(page).get_by_role("textbox", name="Minimum version")
    version.fill("4.2.0")
    dialog(page).get_by_role("textbox", name="Message").fill("Please update.")
    tick = dialog(page).get_by_role("checkbox", name="can be downloaded from the store")
    tick.check()
    version.fill("9.9.0")
    expect(tick).not_to_be_checked()
    dialog(page).get_by_role("button", name="Publish ").press("Enter")
    expect(tick).to_be_focused()
    # Nor for what is written tomorrow: a draft keeps no word of honour.
    tick.check()
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    # The address is given back when the dialog has gone; the same address would lead nowhere.
    page.wait_for_url(f"{server.admin}/#/t/{app}/ios")
    page.goto(f"{server.admin}/#/t/{app}/ios/edit/min")
    expect(version).to_have_value("9.9.0")
    expect(tick).not_to_be_checked()
    assert server.target(f"{app}/ios")["revision"] == 1


def test_what_the_server_refuses_is_said_beside_its_field(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    version = dialog(page).get_by_role("textbox", name="Minimum version")
    dialog(page).get_by_role("textbox", name="Message").fill("Please update.")
    version.fill("v4.x")
    expect(version).to_have_attribute("aria-invalid", "true")
    described = version.get_attribute("aria-describedby").split()[-1]
    expect(page.locator(f"#{described}")).not_to_be_empty()


def test_the_page_says_who_is_locked_out_and_what_they_see(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back at 09:30.", "retryInterval": 30}}, reason="INC-5")
    page = windows.open(server, f"/t/{app}/ios")
    card = page.locator(".state-card")
    expect(card).to_contain_text(f"Nobody on iOS can use {app.capitalize()}. They see:")
    for text in ("Back at 09:30.", "INC-5", "30 seconds", "tests"):
        expect(card).to_contain_text(text)
    expect(page).to_have_title(f"■{page.title()[1:].split(' ')[0]} {app.capitalize()} · iOS · Gatehouse – STAGING")
    page.get_by_role("button", name=f"Open {app.capitalize()} on iOS…").first.click()
    dialog(page).get_by_role("button", name="Open ").click()
    expect(card).to_contain_text(f"Everybody on iOS can use {app.capitalize()}.")


def test_a_remote_change_is_noted_in_an_open_form_and_leaves_its_text_alone(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios/edit/alert")
    message = dialog(page).get_by_role("textbox", name="Message")
    message.fill("Half a sentence")
    expect(dialog(page).get_by_role("table", name="What changes")).to_contain_text("Half a sentence")
    server.change(f"{app}/ios", {"alert": {"message": "Somebody else's.", "blocking": False}})
    expect(dialog(page).get_by_text("Changed by tests")).to_be_visible(timeout=3000)
    expect(message).to_have_value("Half a sentence")
    dialog(page).get_by_role("button", name="Review mine again").click()
    expect(dialog(page).get_by_role("row").filter(has_text="Half a sentence").locator("del")).to_have_text("Somebody else's.")
    dialog(page).get_by_role("button", name="Publish ").click()
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"]["alert"]["message"] == "Half a sentence"


def test_the_second_of_two_edits_gets_base_theirs_and_yours_and_overwrites_nothing(windows, server, app):
    windows.expected = {412}
    server.change(f"{app}/ios", {"alert": {"message": "Base.", "blocking": False}})
    page = windows.open(server, f"/t/{app}/ios")
    # This window hears of nothing, as if the other person had been faster by less than a second.
    windows.expected.add("lost")
    deaf(page)
    page.get_by_role("button", name="Edit: Alert").click()
    dialog(page).get_by_role("textbox", name="Message").fill("Mine.")
    expect(dialog(page).get_by_role("table", name="What changes")).to_contain_text("Mine.")
    server.change(f"{app}/ios", {"alert": {"message": "Theirs.", "blocking": False}})
    dialog(page).get_by_role("button", name="Publish ").click()
    conflict = dialog(page).get_by_role("table", name="Changed meanwhile")
    for text in ("Base.", "Theirs.", "Mine."):
        expect(conflict).to_contain_text(text)
    assert server.target(f"{app}/ios")["gate"]["alert"]["message"] == "Theirs."
    dialog(page).get_by_role("button", name="Review mine again").click()
    expect(dialog(page).get_by_role("textbox", name="Message")).to_have_value("Mine.")
    dialog(page).get_by_role("button", name="Publish ").click()
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"]["alert"]["message"] == "Mine."


def test_a_review_starts_from_theirs_as_it_is_now_also_if_they_went_on_while_it_was_read(windows, server, app):
    windows.expected = {412, "lost"}
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name="Block ").filter(visible=True).first.click()
    dialog(page).get_by_label("Message").fill("Mine.")
    publish = dialog(page).get_by_role("button", name="Block ")
    expect(publish).not_to_have_attribute("aria-disabled", "true")
    deaf(page)
    server.change(f"{app}/ios", {"alert": {"message": "First.", "blocking": False}})
    publish.click()
    expect(dialog(page).locator(".conflict")).to_contain_text("revision 2")
    server.change(f"{app}/ios", {"alert": {"message": "Second.", "blocking": False}})
    page.unroute("**/api/v1/events*")
    expect(gate(page, "Alert")).to_contain_text("Second.")
    dialog(page).get_by_role("button", name="Review mine again").click()
    expect(dialog(page).locator(".dialog-news")).to_contain_text("revision 3")
    expect(dialog(page).get_by_role("table", name="Theirs → yours")).to_contain_text("Mine.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"]["killSwitch"]["message"] == "Mine."


def test_leaving_an_edit_returns_to_the_target_with_the_focus_where_it_was(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    button = page.get_by_role("button", name="Set: Alert")
    button.click()
    expect(dialog(page)).to_be_visible()
    expect(page).to_have_url(re.compile(re.escape(f"#/t/{app}/ios/edit/alert") + "$"))
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(page).to_have_url(re.compile(re.escape(f"#/t/{app}/ios") + "$"))


def test_a_refusal_that_may_be_overridden_says_why_and_is_overridden_only_by_hand(windows, server, app):
    windows.expected = {422}
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["1.8", "1.9"]})
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    version = dialog(page).get_by_role("textbox", name="Minimum version")
    dialog(page).get_by_role("textbox", name="Message").fill("Please update.")
    # No release reaches it: everybody would be locked out.
    version.fill("2.0")
    dialog(page).get_by_role("checkbox", name="can be downloaded from the store").check()
    override = dialog(page).get_by_role("checkbox", name="Publish it all the same. The history will say so.")
    expect(override).to_be_visible()
    override.check()
    expect(dialog(page).get_by_role("table", name="What changes")).to_contain_text("2.0")
    dialog(page).get_by_role("button", name="Publish ").click()
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"]["requiredUpdate"]["minimumVersion"] == "2.0"
    assert "accepted:" in server.changes(f"{app}/ios")[0]["reason"]


def test_new_wording_of_a_live_alert_warns_that_everybody_sees_it_again(windows, server, app):
    server.change(f"{app}/ios", {"alert": {"message": "Card payments are slow.", "blocking": False}})
    page = windows.open(server, f"/t/{app}/ios/edit/alert")
    dialog(page).get_by_role("textbox", name="Message").fill("Card payments are slow today.")
    expect(dialog(page).locator(".warnings")).to_contain_text("again")


def test_last_changes_that_come_late_do_not_take_a_newer_one_off_the_page(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    changes = page.locator(".changes .change")
    expect(changes).to_have_count(1)
    late = Held(page, "**/api/v1/changes?*limit=5*")
    server.change(f"{app}/ios", {"alert": {"message": "First.", "blocking": False}})
    late.wait()
    server.change(f"{app}/ios", {"alert": {"message": "Second.", "blocking": False}})
    expect(changes).to_have_count(3)
    late.release()
    page.wait_for_timeout(500)
    assert changes.count() == 3


def test_a_page_whose_platform_is_deleted_offers_nothing_that_does_nothing(windows, server, app):
    windows.expected = {404}
    page = windows.open(server, f"/t/{app}/ios")
    expect(page.get_by_role("switch", name="Kill switch")).to_be_visible()
    plan = server.call("DELETE", f"/apps/{app}/platforms/ios", {"dryRun": True})["plan"]
    server.call("DELETE", f"/apps/{app}/platforms/ios", {"confirm": plan["confirm"]} if plan["confirm"] else {})
    expect(page.get_by_role("switch")).to_have_count(0)
    expect(page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…")).to_have_count(0)


@pytest.mark.parametrize(
    "rule, set, command",
    [
        ("Kill switch", {"killSwitch": {"message": "It’s closed.", "retryInterval": 30}}, "kill {app} ios -m 'It’s closed.' --retry 30s -r INC-9"),
        ("Minimum version", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}}, "require {app} ios 4.2.0 -m 'Please update.' -r INC-9"),
        ("Optional update", {"optionalUpdate": {"optionalVersion": "4.3.0", "message": "4.3 is out."}}, "suggest {app} ios 4.3.0 -m '4.3 is out.' -r INC-9"),
        ("Alert", {"alert": {"message": "Shut.", "blocking": True}}, "alert {app} ios -m Shut. --blocking -r INC-9"),
        ("Alert", {"alert": {"message": "-50% all day", "blocking": False}}, "alert {app} ios -m='-50% all day' --dismissible -r INC-9"),
        ("Forced update", {"forceUpdate": {"message": "All must."}}, "force {app} ios --on --store-checked -m 'All must.' -r INC-9"),
    ],
)
def test_a_rule_in_force_can_be_copied_as_a_command_scheduled_and_cleared_from_its_row(windows, server, app, rule, set, command):
    server.change(f"{app}/ios", set, reason="INC-9")
    page = windows.open(server, f"/t/{app}/ios")
    more = gate(page, rule).get_by_label(f"More: {rule}")
    more.click()
    gate(page, rule).get_by_role("button", name="Copy as gatectl").click()
    assert page.evaluate("navigator.clipboard.readText()") == "gatectl " + command.format(app=app)
    # Escape closes it and goes back to where it was opened; so does leaving it.
    page.keyboard.press("Escape")
    expect(more).to_be_focused()
    expect(gate(page, rule).get_by_role("button", name="Copy as gatectl")).to_be_hidden()
    more.press("Enter")
    gate(page, rule).get_by_role("button", name="Open…" if rule == "Kill switch" else "Clear…").click()
    expect(dialog(page)).to_be_visible()
    page.keyboard.press("Escape")
    if rule != "Forced update":
        if gate(page, rule).locator("details:not([open])").count():
            more.click()
        gate(page, rule).get_by_role("link", name="Schedule a change…").click()
        expect(page.get_by_label("What happens")).to_have_value({"Kill switch": "kill", "Minimum version": "min", "Optional update": "optional", "Alert": "alert"}[rule])
        expect(page.get_by_label("App", exact=True)).to_have_value(app)
        expect(page.get_by_role("checkbox", name="iOS")).to_be_checked()
    assert server.target(f"{app}/ios")["revision"] == 2


@pytest.mark.parametrize("rule", [
    {"minimumVersion": "4.2.0", "message": {"default": "Please update.", "de": "Bitte aktualisieren."}},
    {"minimumVersion": "4.2.0", "blockedVersions": ["4.3.1"], "message": "Please update."},
])
def test_a_rule_for_which_gatectl_has_no_words_is_not_offered_as_a_command(windows, server, app, rule):
    """A command that leaves out the translations or the blocked versions puts another rule into force."""
    server.change(f"{app}/ios", {"requiredUpdate": rule})
    page = windows.open(server, f"/t/{app}/ios")
    gate(page, "Minimum version").get_by_label("More: Minimum version").click()
    expect(gate(page, "Minimum version").get_by_role("button", name="Clear…")).to_be_visible()
    expect(gate(page, "Minimum version").get_by_role("button", name="Copy as gatectl")).to_have_count(0)


def test_a_countdown_on_the_page_counts_down(windows, server, app):
    until = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(minutes=50)
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon.", "until": until.strftime("%Y-%m-%dT%H:%M:%SZ")}})
    page = windows.open(server, f"/t/{app}/ios")
    facts = page.locator(".state-card .fact-list")
    expect(facts).to_contain_text(re.compile(r"UTC · in\s(49|50)\smin"))
    later(page, minutes=20)
    expect(facts).to_contain_text(re.compile(r"UTC · in\s(29|30)\smin"))


COVERED = """async () => {
    const base = document.querySelector("script[src$='app.js']").src.replace("app.js", "");
    const [{ store }, { setServerTime }] = await Promise.all([import(`${base}store.js`), import(`${base}time.js`)]);
    const covered = [];
    for (let minutes = 0; minutes < 480; minutes += 10) {
        setServerTime(new Date(Date.now() + minutes * 60_000).toISOString());
        store.emit("targets");
        const [now, ...hours] = [...document.querySelectorAll(".day-strip .strip-label")].reverse().map((label) => label.getBoundingClientRect());
        covered.push(...hours.filter(({ left, right }) => left < now.right && right > now.left).map(() => minutes));
    }
    return covered;
}"""


@pytest.mark.parametrize("width", [320, 390])
def test_no_hour_of_the_line_lies_on_the_word_now(windows, server, app, width):
    page = windows.open(server, f"/t/{app}/ios", width=width, height=844)
    expect(page.locator(".day-strip").get_by_text("now")).to_be_visible()
    assert page.evaluate(COVERED) == []


@pytest.mark.parametrize("path", ["/t/{app}/ios", "/schedule/new?t={app}/ios"])
def test_a_preview_that_scrolls_by_itself_fades_out_where_it_goes_on(windows, server, app, path):
    page = windows.open(server, path.format(app=app), height=600)
    if "schedule" in path:
        page.get_by_label("Message").fill("Back soon.")
    expect(page.locator(".preview .preview-says").first).to_be_visible()
    side = page.locator("aside.target-side, aside.planner-side")
    assert side.evaluate("(side) => side.scrollHeight > side.clientHeight")
    fade = side.evaluate("(side) => { const { position, backgroundImage } = getComputedStyle(side, '::after'); return [position, backgroundImage]; }")
    assert fade[0] == "sticky" and fade[1].startswith("linear-gradient")
    # What has the focus is not under it.
    last = side.locator("a, button, select, input").filter(visible=True).last
    last.focus()
    assert last.evaluate("(last) => last.getBoundingClientRect().bottom <= last.closest('aside').getBoundingClientRect().bottom - 40")


@pytest.mark.parametrize("path, heading", [("/t/early/ios", "Early · iOS"), ("/settings/apps/soon", "Soon")])
def test_a_link_that_is_followed_too_early_leads_there_once_the_app_has_come(windows, server, path, heading):
    page = windows.open(server, path)
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")
    page.get_by_role("link", name="Go to the overview").focus()
    name = heading.split(" ")[0]
    server.add_app(name.lower(), name, "ios")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    expect(page.get_by_role("heading", level=1)).to_be_focused()


def test_what_a_rule_does_is_not_read_as_what_is_in_force(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    hints = page.locator(".gate-row[data-on=false] .hint, .gate-row:not([data-on]) .hint")
    expect(hints.first).to_be_visible()
    assert all(text.startswith("When on, ") for text in hints.all_inner_texts()), hints.all_inner_texts()


def test_the_keyboard_of_a_phone_has_a_point_for_a_version(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios/edit/min")
    expect(dialog(page).get_by_label("Minimum version")).to_have_attribute("inputmode", "text")
