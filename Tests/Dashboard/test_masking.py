"""⚠ MASKED: a rule that is set and that a library in the app never shows."""

import urllib.request

import pytest
from playwright.sync_api import expect


NAMES = {"bellerophon": "Bellerophon", "launchgate": "LaunchGate", "gandalf": "Gandalf", "prince-of-versions": "Prince of Versions"}
RULES = {
    "killSwitch": {"message": "Back soon."}, "forceUpdate": {"message": "Update."}, "optionalUpdate": {"optionalVersion": "4", "message": "New."},
    "requiredUpdate": {"minimumVersion": "4", "message": "Update."}, "alert": {"message": "Slow.", "blocking": True},
}


def clients(server, app, platform, *names):
    server.call("PUT", f"/apps/{app}/platforms/{platform}", {"clients": list(names)})


@pytest.mark.parametrize("platform", ["ios", "android"])
@pytest.mark.parametrize("rule", RULES)
def test_what_is_said_to_be_masked_is_what_the_server_says_each_library_never_shows(windows, server, app, platform, rule):
    server.change(f"{app}/{platform}", {rule: RULES[rule]})
    answer = server.call("POST", "/simulate", {"app": app, "platform": platform, "versions": ["1", "9"]})
    page = windows.open(server, f"/?q={app}")
    row = page.locator(f'.target-row[data-target="{app}/{platform}"]')
    for client in answer["clients"]:
        cells = [cell for cell in answer["cells"] if cell["client"] == client]
        never = all(cell["static"]["rule"] != rule for cell in cells)
        clients(server, app, platform, client)
        page.reload()
        expect(row.locator(".badge-word").first).not_to_have_text("OPEN")
        expect(row.get_by_text("MASKED")).to_have_count(1 if never else 0)
        if never:
            expect(row).to_contain_text(f"{NAMES[client]} does not show it")
        # Whoever gets in is told of, and whether asking with the version helps.
        page.goto(f"{server.admin}/#/t/{app}/{platform}")
        card = page.locator(".state-card")
        expect(card.get_by_text("MASKED")).to_have_count(1 if never else 0)
        if never:
            least = cells[0]
            told = {
                (True, False): "does not show it: those people get in.",
                (True, True): "does not show it: those people get in, unless their phones ask with their version.",
                (False, False): "does not show it.",
            }[least["static"]["deviation"] == "letsIn", least["static"]["deviation"] == "letsIn" and least["targeted"]["rule"] == rule]
            expect(card.locator(".callout")).to_have_text(f"{NAMES[client]} {told}")
            expect(card.locator(".lead")).not_to_contain_text("Nobody")
            expect(card.locator(".lead")).to_contain_text("no library in the app shows it")
        gate = page.locator(".gate-row[data-on]")
        expect(gate.get_by_text("in force")).to_have_count(0 if never else 1)
        page.goto(f"{server.admin}/#/?q={app}")


@pytest.mark.parametrize("width", [390, 1280])
def test_one_of_two_libraries_is_named(windows, server, app, width):
    clients(server, app, "ios", "bellerophon", "prince-of-versions")
    server.change(f"{app}/ios", {"killSwitch": RULES["killSwitch"]})
    page = windows.open(server, f"/?q={app}", width=width)
    row = page.locator(f'.target-row[data-target="{app}/ios"]')
    expect(row).to_contain_text("Prince of Versions does not show it")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    row.get_by_role("link").click()
    card = page.locator(".state-card")
    expect(card.locator(".lead")).to_contain_text("Nobody on iOS can use")
    expect(card.locator(".callout")).to_have_text("Prince of Versions does not show it: those people get in.")
    gate = page.locator(".gate-row").filter(has=page.get_by_role("switch", name="Kill switch"))
    expect(gate).to_contain_text("in force")
    expect(gate).to_contain_text("Prince of Versions does not show it")


def test_a_rule_behind_one_that_nobody_shows_is_in_force(windows, server, app):
    clients(server, app, "ios", "prince-of-versions")
    server.change(f"{app}/ios", {"killSwitch": RULES["killSwitch"], "requiredUpdate": RULES["requiredUpdate"]})
    page = windows.open(server, f"/t/{app}/ios")
    expect(page.locator(".state-card .callout")).to_have_text("Prince of Versions does not show it.")
    expect(page.locator(".gate-row").filter(has=page.get_by_role("switch", name="Minimum version"))).to_contain_text("in force")
    expect(page.locator(".gate-row").filter(has=page.get_by_role("switch", name="Kill switch"))).not_to_contain_text("in force")


def test_while_the_libraries_are_not_in_the_settings_the_polls_tell_them(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": RULES["killSwitch"]})
    page = windows.open(server, f"/t/{app}/ios")
    expect(page.locator(".state-card .lead")).to_contain_text("Nobody on iOS")
    expect(page.get_by_text("MASKED")).to_have_count(0)
    urllib.request.urlopen(f"{server.feeds}/feeds/{app}/prince-of-versions.json").read()
    while not (server.target(f"{app}/ios").get("reach") or {}).get("feeds"):
        page.wait_for_timeout(200)
    page.reload()
    expect(page.locator(".state-card").get_by_text("MASKED")).to_be_visible()
    expect(page.locator(".state-card .callout")).to_have_text("Prince of Versions does not show it: those people get in.")
