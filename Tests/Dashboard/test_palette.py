"""Ctrl-K: every app, action and screen by its name, by keyboard alone, and nothing published by it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from steps import dialog, wait_until


def palette(page):
    return page.get_by_role("dialog", name="Go to or do anything")


def chosen(page):
    return palette(page).locator("[role=option][aria-selected=true]")


@pytest.mark.parametrize("keys", ["Control+k", "Meta+k"])
def test_a_target_is_gone_to_by_its_name(server, overview, app, keys):
    page, row = overview
    expect(row).to_be_visible()
    page.keyboard.press(keys)
    field = palette(page).get_by_role("combobox")
    expect(field).to_be_focused()
    page.keyboard.type(f"{app} andr")
    expect(chosen(page)).to_contain_text(f"{app.capitalize()} · Android")
    expect(field).to_have_attribute("aria-activedescendant", chosen(page).get_attribute("id"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name=f"{app.capitalize()} · Android")).to_be_focused()
    expect(palette(page)).to_have_count(0)


def test_an_action_opens_the_dialog_that_asks_and_publishes_nothing(server, overview, app):
    page, row = overview
    link = row.get_by_role("link")
    link.focus()
    page.keyboard.press("Control+k")
    page.keyboard.type(f"block {app} ios")
    expect(chosen(page)).to_contain_text(f"Block {app.capitalize()} on iOS…")
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("heading", name=f"Block {app.capitalize()} on iOS")).to_be_visible()
    expect(dialog(page).get_by_label("Message")).to_be_focused()
    # Over a dialog there is no palette.
    page.keyboard.press("Control+k")
    expect(palette(page)).to_have_count(0)
    page.keyboard.press("Escape")
    expect(link).to_be_focused()
    assert server.target(f"{app}/ios")["revision"] == 1


def test_arrows_go_around_and_escape_gives_the_focus_back(server, overview, app):
    page, _ = overview
    filter = page.get_by_role("searchbox", name="Filter")
    filter.fill(app)
    # It works while typing too: it is no single key.
    filter.press("Control+k")
    first = chosen(page).text_content()
    page.keyboard.press("ArrowUp")
    assert chosen(page).text_content() != first
    expect(chosen(page)).to_be_in_viewport()
    page.keyboard.press("ArrowDown")
    assert chosen(page).text_content() == first
    page.keyboard.type("there is nothing of that name")
    expect(palette(page).get_by_role("status")).to_have_text("Nothing of that name.")
    expect(palette(page).get_by_role("combobox")).not_to_have_attribute("aria-activedescendant", "")
    page.keyboard.press("Enter")
    expect(palette(page)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(palette(page)).to_have_count(0)
    expect(filter).to_be_focused()


def test_a_viewer_is_offered_no_action(windows, server, app):
    server.call("POST", "/users", {"username": "vera", "password": "a long enough password", "role": "viewer"})
    page = windows.open(server, signed_in=False)
    page.get_by_label("Username").fill("vera")
    page.get_by_label("Password", exact=True).fill("a long enough password")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Go to…").click()
    palette(page).get_by_role("combobox").fill(app)
    expect(palette(page).get_by_role("option").filter(has_text=f"{app.capitalize()} · iOS")).to_be_visible()
    expect(palette(page).get_by_role("option").filter(has_text="Block ")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_in_it_and_it_stays_on_the_screen(windows, server, app, width, scheme):
    page = windows.open(server, width=width, height=800, color_scheme=scheme)
    expect(page.locator(".target-row").first).to_be_visible()
    page.keyboard.press("Control+k")
    expect(palette(page).get_by_role("option").first).to_be_visible()
    wait_until(page, "[...document.styleSheets].some((sheet) => sheet.href?.endsWith('palette.css'))")
    assert Axe().run(page, options={"rules": {"target-size": {"enabled": True}}}).response["violations"] == []
    box = palette(page).bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= width and box["y"] + box["height"] <= 800
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width, rows", [(390, 1), (320, 2)])
def test_on_a_phone_a_button_opens_it(windows, server, app, width, rows):
    page = windows.open(server, width=width, height=664, has_touch=True, is_mobile=True)
    button = page.get_by_role("button", name="Go to…")
    expect(button).to_be_visible()
    box = button.bounding_box()
    assert min(box["width"], box["height"]) >= 43.5
    # In the bar beside the screens' names, which keep to their row.
    tops = page.get_by_role("navigation", name="Main").get_by_role("link").evaluate_all("links => links.map((link) => Math.round(link.getBoundingClientRect().top))")
    assert len({*tops, round(box["y"])}) <= rows
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    button.tap()
    expect(palette(page).get_by_role("combobox")).to_be_focused()
    palette(page).get_by_role("combobox").fill(f"{app} ios")
    palette(page).get_by_role("option").first.tap()
    expect(page.get_by_role("heading", level=1, name=f"{app.capitalize()} · iOS")).to_be_focused()
    expect(palette(page)).to_have_count(0)


@pytest.mark.parametrize("width, height", [(1280, 800), (390, 664)])
def test_long_names_lie_over_no_other_entry(windows, server, width, height):
    for number in range(12):
        name = f"Gesellschaft für grenzüberschreitende Zeitungszustellung und Verlagsdienste {number}"
        server.add_app(f"extra-long-key-{width}-{number:02}", name, "ios", "android")
    page = windows.open(server, width=width, height=height)
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_visible()
    page.keyboard.press("Control+k")
    palette(page).get_by_role("combobox").fill("extra")
    expect(palette(page).get_by_role("option")).not_to_have_count(0)
    rows = palette(page).get_by_role("option").evaluate_all(
        "(all) => all.map((one) => [one.getBoundingClientRect().top, one.getBoundingClientRect().bottom, one.scrollHeight - one.clientHeight])"
    )
    assert len(rows) > 10 and all(below[0] >= above[1] - 1 for above, below in zip(rows, rows[1:]))
    assert all(over <= 1 for _, _, over in rows)
