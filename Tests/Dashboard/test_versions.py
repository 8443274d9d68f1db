"""Which versions poll: the bars on a target's page, what a plan says of them, and what becomes a known release."""

import http.client
import re

import pytest
from playwright.sync_api import expect

from steps import dialog
from test_accessibility import SIZES, violations

POLLED = {"4.2.0": 4000, "4.1.0": 2500, "4.0.0": 1500, "3.9.2": 900, "3.9.1": 500, "3.8.0": 300, "3.0.0": 150, "2.9": 100, "1.10": 40, "1.9": 10}


def poll(server, app, polled):
    """Asks for a feed as phones do, over one connection."""
    connection = http.client.HTTPConnection(server.feeds.split("//")[1], timeout=20)
    for version, times in polled.items():
        for _ in range(times):
            connection.request("GET", f"/feeds/{app}/ios/bellerophon.json?version={version}")
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
    connection.close()


def rows(page):
    return page.locator(".polled tbody tr")


def test_ten_thousand_polls_are_told_on_the_page_and_in_the_plan_to_a_poll(windows, start_server):
    server = start_server(options=["--blast-radius", "49%"])
    server.add_app("shop", "Shop", "ios")
    poll(server, "shop", POLLED)
    page = windows.open(server, "/t/shop/ios")
    expect(page.locator(".polled caption")).to_have_text("10000 polls of the last hour named a version")
    page.get_by_role("button", name="2 more").click()
    expect(rows(page)).to_have_count(10)
    told = {row.locator("th").text_content(): int(row.locator("td").last.text_content().split()[0]) for row in rows(page).all()}
    assert told == POLLED
    bars = [float(bar.get_attribute("value")) for bar in rows(page).locator("progress").all()]
    assert bars == [polls / 10_000 for polls in POLLED.values()]
    # Below 4.1.0 are 35 %: fewer than the administrator lets pass. Below 4.2.0 are 60 %.
    page.goto(f"{server.admin}/#/t/shop/ios/edit/min")
    dialog(page).get_by_role("textbox", name="Minimum version").fill("4.1.0")
    dialog(page).get_by_role("textbox", name="Message").fill("Please update.")
    said = dialog(page).locator(".dialog-plan")
    expect(said).to_contain_text("Blocks 35 % of the polls of the last hour on shop/ios: 4.0.0 (15 %), 3.9.2 (9 %), 3.9.1 (5 %), 3.8.0 (3 %), 3.0.0 (2 %), 3 more (2 %).")
    expect(dialog(page).get_by_label("to confirm")).to_be_hidden()
    dialog(page).get_by_role("textbox", name="Minimum version").fill("4.2.0")
    expect(said).to_contain_text("Blocks 60 % of the polls of the last hour on shop/ios: 4.1.0 (25 %)")
    expect(dialog(page).get_by_label(re.compile("require 1 targets"))).to_be_visible()


def test_of_the_day_and_of_the_hour_is_a_press(windows, server, app):
    poll(server, app, {"4.2.0": 3})
    page = windows.open(server, f"/t/{app}/ios")
    expect(rows(page)).to_have_count(1)
    page.get_by_role("button", name="Last day").click()
    expect(page.get_by_role("button", name="Last day")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".polled caption")).to_have_text("3 polls of the last day named a version")


def test_where_no_poll_names_its_version_it_is_said_how(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    expect(page.locator(".polled-list")).to_have_text("No poll of the last hour named its version. Phones name it with ?version=4.1.0 after the feed’s address.")
    expect(page.get_by_role("button", name="Add to the known releases")).to_have_count(0)


def test_what_polls_becomes_a_release_when_somebody_says_so(windows, server, app):
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["4.1.0"]})
    poll(server, app, {"4.1.0": 5, "4.2.0": 3, "4.3.0": 2, "latest": 1})
    page = windows.open(server, f"/t/{app}/ios")
    # What is no version of its scheme cannot be a release, and what is one already needs no asking.
    boxes = page.get_by_role("group", name="Not among the known releases").get_by_role("checkbox")
    expect(boxes).to_have_count(2)
    # Anybody can poll with anything: nothing is ticked.
    assert not any(box.is_checked() for box in boxes.all())
    page.get_by_label("4.2.0", exact=True).check()
    page.get_by_role("button", name="Add to the known releases").click()
    expect(page.get_by_text("Added.")).to_be_visible()
    assert server.target(f"{app}/ios")["settings"]["releases"] == ["4.1.0", "4.2.0"]


def test_who_may_not_change_an_app_is_not_asked(windows, server, app):
    poll(server, app, {"4.2.0": 3})
    server.call("POST", "/users", {"username": f"op-{app}", "password": "a long enough password", "role": "operator", "apps": [app]})
    windows.expected = {401}
    page = windows.open(server, f"/t/{app}/ios", signed_in=False)
    page.get_by_label("Username").fill(f"op-{app}")
    page.get_by_label("Password", exact=True).fill("a long enough password")
    page.get_by_role("button", name="Sign in").click()
    expect(rows(page)).to_have_count(1)
    expect(page.get_by_role("button", name="Add to the known releases")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_at_the_bars(windows, server, app, size):
    poll(server, app, {"4.2.0": 3, "1234567.1234567.1234567.12345": 2})
    width, height = SIZES[size]
    page = windows.open(server, f"/t/{app}/ios", width=width, height=height)
    expect(rows(page)).to_have_count(2)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
