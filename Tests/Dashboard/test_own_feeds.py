"""Feeds of an app's own shape in the app's settings: made, changed with the document before and after, removed."""

import re

import pytest
from playwright.sync_api import expect

from steps import dialog, eventually

TEMPLATE = '{"off": {"$eval": "kill != null"}, "v": 1}'


def go(page, name):
    """What the plan asks for, and the press."""
    confirm = dialog(page).get_by_label("to confirm")
    if confirm.is_visible():
        confirm.fill(dialog(page).locator(".phrase").inner_text())
    dialog(page).get_by_role("button", name=name).click()
    dialog(page).wait_for(state="detached")


def make(page, name, template, platform="ios"):
    page.get_by_text("Make one from a template").click()
    page.locator('input[name="own-name"]').fill(name)
    page.locator('select[name="own-platform"]').select_option(platform)
    page.locator("section:has(> .own-feeds) > details textarea").fill(template)
    page.get_by_role("button", name="Add the feed").click()


def test_one_is_made_changed_and_removed(windows, server, app):
    page = windows.open(server, f"/settings/apps/{app}")
    feeds = page.locator(".own-feeds")
    expect(feeds).to_have_text("None.")
    make(page, "status", TEMPLATE)
    expect(dialog(page)).to_contain_text("what phones make of this shape is the app's own affair")
    expect(dialog(page).locator(".document-change pre")).to_have_text(['{\n  "off": false,\n  "v": 1\n}'])
    go(page, "Change the feed own/status.json")
    expect(feeds).to_contain_text(f"/feeds/{app}/ios/own/status.json")
    assert server.feed(f"{app}/ios/own/status.json") == {"off": False, "v": 1}
    # An alias can lead to it at once, and the next one starts with an empty form.
    page.locator('select[name="feed"]').select_option("own/status.json")
    expect(page.locator('input[name="own-name"]')).to_have_value("")

    page.get_by_role("button", name="Edit own/status.json").click()
    template = feeds.locator("textarea")
    assert template.input_value() == TEMPLATE
    template.fill(TEMPLATE.replace("1}", "2}"))
    feeds.get_by_role("button", name="Save the template").click()
    expect(dialog(page).locator(".document-change pre")).to_have_text(['{\n  "off": false,\n  "v": 1\n}', '{\n  "off": false,\n  "v": 2\n}'])
    go(page, "Change the feed own/status.json")
    expect(feeds.locator(".own-document")).to_have_text('{"off": false, "v": 2}')

    page.get_by_role("button", name="Remove own/status.json").click()
    expect(dialog(page)).to_contain_text("answers 404 from now on")
    go(page, "Remove own/status.json")
    expect(feeds).to_have_text("None.")
    assert server.call("GET", f"/apps/{app}").get("ownFeeds", []) == []


@pytest.mark.parametrize("written", ["", "  ", "a/b", ".."])
def test_a_name_that_is_no_part_of_an_address_is_asked_for_at_its_field(windows, server, app, written):
    page = windows.open(server, f"/settings/apps/{app}")
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
    make(page, written, TEMPLATE)
    name = page.locator('input[name="own-name"]')
    expect(name).to_be_focused()
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_have_accessible_description(re.compile("Write a name, such as status."))
    expect(page.locator("section:has(> .own-feeds) .problem")).to_have_text("")
    assert sent == []


def test_a_template_that_does_not_hold_is_refused_at_its_field(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/settings/apps/{app}")
    make(page, "status", '{"off": {"$eval": "kill.nothing"}}')
    expect(page.locator(".error:visible")).to_contain_text("kill")
    assert server.call("GET", f"/apps/{app}").get("ownFeeds", []) == []


def test_whoever_may_not_change_sees_what_there_is(windows, server, app):
    server.call("PUT", f"/apps/{app}/own-feeds/status", {"platform": "ios", "template": TEMPLATE})
    page = windows.open(server, f"/settings/apps/{app}")
    expect(page.locator(".own-feeds")).to_contain_text(f"/feeds/{app}/ios/own/status.json")


def test_a_template_that_is_being_written_outlives_another_feed(windows, server, app):
    page = windows.open(server, f"/settings/apps/{app}")
    make(page, "status", TEMPLATE)
    go(page, "Change the feed own/status.json")
    page.get_by_role("button", name="Edit own/status.json").click()
    template = page.locator(".own-feeds textarea")
    template.fill("half of a template")
    page.locator('input[name="own-name"]').fill("other")
    page.locator("section:has(> .own-feeds) > details textarea").fill(TEMPLATE)
    page.get_by_role("button", name="Add the feed").click()
    go(page, "Change the feed own/other.json")
    expect(page.locator(".own-feeds > li")).to_have_count(2)
    expect(template).to_have_value("half of a template")


def test_a_template_that_is_being_written_outlives_being_folded(windows, server, app):
    page = windows.open(server, f"/settings/apps/{app}")
    make(page, "status", TEMPLATE)
    go(page, "Change the feed own/status.json")
    change = page.get_by_role("button", name="Edit own/status.json")
    change.click()
    template = page.locator(".own-feeds textarea")
    template.fill("{}")
    change.click()
    expect(template).to_be_hidden()
    change.click()
    expect(template).to_have_value("{}")


def test_a_plan_that_comes_late_asks_nothing_on_another_screen(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Closed."}})
    page = windows.open(server, f"/settings/apps/{app}")
    held = []
    page.route(f"**/api/v1/apps/{app}/**", lambda route: held.append(route))
    make(page, "status", TEMPLATE)
    eventually(lambda: page.wait_for_timeout(20) or held, "the plan is asked for")
    page.get_by_role("link", name="Schedule").first.click()
    expect(page.get_by_role("heading", name="Schedule", level=1)).to_be_visible()
    with page.expect_response(lambda answer: f"/apps/{app}/" in answer.url):
        held[0].continue_()
    page.wait_for_timeout(300)
    expect(dialog(page)).to_have_count(0)
    assert server.call("GET", f"/apps/{app}").get("ownFeeds", []) == []


def test_a_feed_that_is_folded_before_its_template_comes_stays_folded(windows, server, app):
    server.call("PUT", f"/apps/{app}/own-feeds/status", {"platform": "ios", "template": TEMPLATE})
    page = windows.open(server, f"/settings/apps/{app}")
    opener = page.get_by_role("button", name="Edit own/status.json")
    held = []
    page.route("**/own-feeds/status", lambda route: held.append(route))
    with page.expect_request("**/own-feeds/status"):
        opener.click()
    opener.click()
    with page.expect_response("**/own-feeds/status"):
        held.pop().continue_()
    expect(opener).to_have_attribute("aria-expanded", "false")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(page.locator(".own-feeds textarea")).to_have_count(0)
