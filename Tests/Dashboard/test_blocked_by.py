"""Who is named for a block: whoever began it, whatever somebody else has changed beside it since; and nobody in their place unsaid."""

import re

import pytest
from playwright.sync_api import expect

from steps import dialog, kill_switch

BLOCK = {"killSwitch": {"message": "Back soon."}}


@pytest.fixture(scope="module")
def people(server):
    """Changes a target as the administrator from one of two machines."""
    tokens = {name: server.own_token(name) for name in ("bob", "ann")}

    def change(person, target, rules, reason):
        server.token, own = tokens[person], server.token
        try:
            server.change(target, rules, reason=reason)
        finally:
            server.token = own

    return change


def card(page):
    return page.locator(".state-card")


def fact(page, name):
    """What stands under a name on the state card; nothing where the name is not shown."""
    return card(page).locator("dl > div:visible").filter(has=page.get_by_text(name, exact=True)).locator("dd")


def requests(page):
    """The questions to the history about the beginning of something."""
    asked = []
    page.on("request", lambda request: asked.append(request.url) if re.search(r"/changes\?.*(until|since)=", request.url) else None)
    return asked


@pytest.mark.parametrize("after", [
    {"alert": {"message": "Slow.", "blocking": False}},
    {"killSwitch": {"message": "Back at nine."}},
    {"killSwitch": {"message": "Back soon.", "until": "2099-01-01T09:00:00Z"}},
], ids=["another rule", "its words", "its end"])
def test_the_card_and_the_dialog_name_who_blocked_after_somebody_else_has_changed_something(windows, server, app, people, after):
    target = f"{app}/ios"
    people("bob", target, BLOCK, "INC-1")
    people("ann", target, after, "SALE-2")
    page = windows.open(server, path=None)
    asked = requests(page)
    page.goto(f"{server.admin}/#/t/{target}")
    expect(fact(page, "By")).to_have_text("admin (bob)")
    expect(fact(page, "Reason")).to_have_text("INC-1")
    expect(card(page)).not_to_contain_text("Last change by")
    assert len(asked) == 1
    # Whatever else is painted anew, it is not asked again.
    people("ann", target, {"optionalUpdate": {"optionalVersion": "4.3.0", "message": "4.3 is out."}}, "SALE-3")
    expect(fact(page, "Revision")).to_have_text("4")
    expect(fact(page, "By")).to_have_text("admin (bob)")
    assert len(asked) == 1
    page.get_by_role("button", name=f"Open {app.capitalize()} on iOS…").first.click()
    expect(dialog(page)).to_contain_text("Blocked by admin (bob) only")
    expect(dialog(page)).to_contain_text("They may still need it. Reason given: INC-1")
    expect(dialog(page).locator("p.callout")).to_have_count(1)
    expect(dialog(page)).not_to_contain_text("ann")


def test_a_block_within_another_one_is_its_own(windows, server, app, people):
    """A forced update keeps the state as it was, while one block goes and another comes."""
    target = f"{app}/ios"
    people("bob", target, BLOCK, "INC-1")
    people("bob", target, {"forceUpdate": {"message": "Please update."}}, "INC-2")
    people("bob", target, {"killSwitch": None}, "INC-3")
    people("ann", target, BLOCK, "INC-4")
    people("bob", target, {"alert": {"message": "Slow.", "blocking": False}}, "INC-5")
    page = windows.open(server, f"/t/{target}")
    # The card tells of the state, and the dialog of what it takes away.
    expect(fact(page, "Reason")).to_have_text("INC-1")
    page.get_by_role("button", name=f"Open {app.capitalize()} on iOS…").first.click()
    expect(dialog(page)).to_contain_text("Blocked by admin (ann)")
    expect(dialog(page)).to_contain_text("INC-4")


def test_of_several_each_is_named_with_who_blocked_it(windows, server, app, people):
    people("bob", f"{app}/ios", BLOCK, "INC-1")
    people("ann", f"{app}/ios", {"killSwitch": {"message": "Back at nine."}}, "SALE-2")
    people("ann", f"{app}/android", BLOCK, "INC-3")
    page = windows.open(server, f"/?q={app}")
    page.get_by_role("checkbox", name=f"Pick all of {app.capitalize()}").check()
    page.get_by_role("button", name="Open 2 targets…").click()
    line = lambda platform: dialog(page).get_by_role("listitem").filter(has_text=f"{app.capitalize()} on {platform}").first
    expect(line("iOS")).to_contain_text("blocked by admin (bob)")
    expect(line("Android")).to_contain_text("blocked by admin (ann)")


@pytest.mark.parametrize("answer", ["none", "late"])
def test_until_it_is_known_the_last_change_is_called_that(windows, server, app, people, answer):
    windows.expected = {"lost"}
    target = f"{app}/ios"
    people("bob", target, BLOCK, "INC-1")
    people("ann", target, {"killSwitch": {"message": "Back at nine."}}, "SALE-2")
    page = windows.open(server, path=None)
    waiting = []
    page.route(re.compile(r"/changes\?.*(until|since)="), lambda route: waiting.append(route) if answer == "late" else route.abort())
    page.goto(f"{server.admin}/#/?q={app}")
    kill_switch(page, target).click()
    # Never a line less, and nobody is blamed.
    expect(dialog(page)).to_contain_text("Last change by admin (ann)")
    expect(dialog(page)).not_to_contain_text("Blocked by")
    expect(dialog(page).locator("p.callout")).to_have_count(0)
    for route in waiting:
        route.continue_()
    if answer == "late":
        expect(dialog(page)).to_contain_text("Blocked by admin (bob)")
        expect(dialog(page)).not_to_contain_text("Last change by")
    page.keyboard.press("Escape")
    waiting.clear()
    page.goto(f"{server.admin}/#/t/{target}")
    expect(fact(page, "Last change by")).to_have_text("admin (ann)")
    expect(fact(page, "Its reason")).to_have_text("SALE-2")
    expect(fact(page, "By")).to_have_count(0)
    if answer == "late":
        for route in waiting:
            route.continue_()
        expect(fact(page, "By")).to_have_text("admin (bob)")
        expect(fact(page, "Reason")).to_have_text("INC-1")
