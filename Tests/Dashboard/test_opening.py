"""Opening gradually: from the dialog to what the screens say, and how it is ended."""

import re

from playwright.sync_api import expect

from steps import block, dialog, kill_switch, open_again


def open_over(page, target, label):
    kill_switch(page, target).click()
    shown = dialog(page)
    shown.get_by_label("Let people in").select_option(label=label)
    expect(shown).to_contain_text("let in at a growing share")
    shown.get_by_role("button", name="Open ").click()
    shown.wait_for(state="detached")


def test_opening_gradually_is_shown_and_ended_by_opening(server, overview, app):
    page, row = overview
    block(page, f"{app}/ios", "Back soon.")
    open_over(page, f"{app}/ios", "gradually, over 10 minutes")
    kill = server.target(f"{app}/ios")["gate"]["killSwitch"]
    assert kill["opening"] < kill["until"] and kill["message"] == "Back soon."
    expect(row).to_contain_text("BLOCKED")
    expect(row.locator(".opening gh-said")).to_have_text(re.compile(r"^opening, \d+ %, until \d\d:\d\d UTC$"))
    expect(row.get_by_role("switch")).to_be_checked()
    page.goto(page.url.split("#")[0] + f"#/t/{app}/ios")
    expect(page.get_by_text("Letting people in")).to_be_visible()
    expect(page.get_by_text("More and more on iOS can use")).to_be_visible()
    expect(page.locator(".strip-open").first).to_be_attached()
    expect(page.locator("main")).to_contain_text("began opening")
    page.goto(page.url.split("#")[0] + "#/")
    open_again(page, f"{app}/ios")
    assert server.target(f"{app}/ios")["gate"] == {}
    expect(row).to_contain_text("OPEN")


def test_all_at_once_is_what_is_offered_first(server, overview, app):
    page, _ = overview
    block(page, f"{app}/ios", "Back soon.")
    kill_switch(page, f"{app}/ios").click()
    assert dialog(page).get_by_label("Let people in").input_value() == ""
    dialog(page).get_by_role("button", name="Open ").click()
    dialog(page).wait_for(state="detached")
    assert server.target(f"{app}/ios")["gate"] == {}


def test_another_text_while_it_opens_shuts_nobody_out_again(windows, server, app):
    page = windows.open(server)
    block(page, f"{app}/ios", "Bakc soon.")
    open_over(page, f"{app}/ios", "gradually, over 10 minutes")
    before = server.target(f"{app}/ios")["gate"]["killSwitch"]
    page.goto(page.url.split("#")[0] + f"#/t/{app}/ios/edit/kill")
    shown = dialog(page)
    shown.get_by_label("Message").fill("Back soon.")
    shown.get_by_role("button", name="Change the block").click()
    expect(shown).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"]["killSwitch"] == before | {"message": "Back soon."}

    # Whoever wants to shut everybody out again says so, and is told.
    page.goto(page.url.split("#")[0] + f"#/t/{app}/ios/edit/kill")
    expect(shown.get_by_text("everybody who was let in so far is shut out again")).to_be_hidden()
    shown.get_by_label("Go on letting people in gradually").uncheck()
    expect(shown.get_by_text("everybody who was let in so far is shut out again")).to_be_visible()
    shown.get_by_role("button", name="Change the block").click()
    expect(shown).to_have_count(0)
    assert "opening" not in server.target(f"{app}/ios")["gate"]["killSwitch"]
