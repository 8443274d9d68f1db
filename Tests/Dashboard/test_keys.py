"""Single keys: what they do, when they do nothing, and how they are switched off."""

import re

import pytest
from playwright.sync_api import expect

from steps import dialog


def test_keys_find_open_and_block_a_target_but_publish_nothing(server, overview, app):
    page, row = overview
    expect(row).to_be_visible()
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox", name="Filter")).to_be_focused()
    page.keyboard.type(f"{app}/ios")
    expect(page.locator(".target-row")).to_have_count(1)
    # While typing, letters are letters.
    expect(dialog(page)).to_have_count(0)
    page.locator("h1").focus()
    page.keyboard.press("j")
    expect(row.get_by_role("link")).to_be_focused()
    page.keyboard.press("b")
    expect(dialog(page).get_by_role("heading", name=f"Block {app.capitalize()} on iOS")).to_be_visible()
    page.keyboard.press("Escape")
    expect(row.get_by_role("link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{app.capitalize()} · iOS")
    page.keyboard.press("b")
    dialog(page).get_by_label("Message").press_sequentially("bob goes / home?")
    expect(dialog(page).get_by_label("Message")).to_have_value("bob goes / home?")
    expect(dialog(page)).to_have_count(1)
    page.keyboard.press("Escape")
    for keys, title in (("gh", "History"), ("gs", "Schedule"), ("go", "Overview")):
        for key in keys:
            page.keyboard.press(key)
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
    assert server.target(f"{app}/ios")["revision"] == 1


def test_single_keys_can_be_switched_off(overview, app):
    page, row = overview
    expect(row).to_be_visible()
    page.keyboard.press("?")
    dialog(page).get_by_role("checkbox", name="Single keys work").uncheck()
    page.keyboard.press("Escape")
    for key in ("?", "/", "j"):
        page.keyboard.press(key)
    expect(dialog(page)).to_have_count(0)
    expect(page.get_by_role("searchbox", name="Filter")).not_to_be_focused()
    page.goto(re.sub("#.*", "#/settings/account", page.url))
    page.get_by_role("button", name="Keyboard shortcuts").click()
    dialog(page).get_by_role("checkbox", name="Single keys work").check()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(dialog(page)).to_be_visible()


@pytest.mark.parametrize("keys, name", [("?", "Keyboard"), ("Control+k", "Go to or do anything")], ids=["keys", "palette"])
def test_going_back_closes_what_belongs_to_no_screen(server, overview, app, keys, name):
    page, row = overview
    row.get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"{app.capitalize()} · iOS")
    page.keyboard.press(keys)
    expect(page.get_by_role("dialog", name=name)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    expect(dialog(page)).to_have_count(0)
