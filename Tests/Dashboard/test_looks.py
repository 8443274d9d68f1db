"""How it looks, as far as a test can tell: drawings in place of letters, figures below each other, and what is told at a glance."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from gatehouse_server import Server
from steps import block

# Letters that stand for a drawing where a font happens to have them. An arrow in "before → after" is a word of the sentence.
GLYPHS = "✓✔✕✖×⋯■▲◆○●◷⚠←▶⏸🔍⚙📅"

ROUTES = [
    "/", "/schedule", "/schedule/new?t=looks/ios", "/t/looks/ios", "/t/looks/tvos", "/history", "/history/LAST", "/settings/apps", "/settings/apps/looks",
    "/settings/apps/new", "/settings/import", "/settings/tokens", "/settings/people", "/settings/account",
]


def rfc3339(moment):
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Every state, and a window that waits, that runs, and that was called off."""
    server = Server(tmp_path_factory.mktemp("looks"), environment="staging")
    server.add_app("looks", "Looks", "ios", "android", "macos", "tvos")
    server.add_app("calm", "Calm", "ios")
    server.change("looks/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}})
    server.change("looks/android", {"killSwitch": {"message": "Back at nine."}})
    server.change("looks/macos", {"alert": {"message": "Slow today.", "blocking": False}})
    soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=1)
    for hours, step in ((0, None), (2, "run"), (4, "cancel")):
        start = soon + datetime.timedelta(hours=hours)
        made = server.call("POST", "/windows", {
            "targets": [{"app": "looks", "platform": "tvos", "revision": server.target("looks/tvos")["revision"]}], "set": {"killSwitch": {"message": "Sale."}},
            "start": {"at": rfc3339(start)}, "end": {"at": rfc3339(start + datetime.timedelta(hours=1))},
        })["window"]
        if step == "run":
            server.call("POST", f"/windows/{made['id']}/run", {})
        elif step == "cancel":
            server.call("DELETE", f"/windows/{made['id']}", {})
    yield server
    server.stop()


def go(page, server, route):
    path = route.replace("LAST", str(server.changes("looks/ios")[0]["sequence"]))
    page.goto(f"{server.admin}/#{path}")
    page.locator(f"main[data-screen='{path.split('?')[0]}'] h1").first.wait_for()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    if route == "/schedule":
        page.get_by_role("button", name="Show past windows").click()
        page.get_by_role("heading", name="Past windows").wait_for()


SHOWN = """(glyphs) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const holder = walker.currentNode.parentElement;
        if ([...glyphs].some((glyph) => walker.currentNode.data.includes(glyph)) && holder.checkVisibility() && !holder.closest(".visually-hidden"))
            found.push(walker.currentNode.data.trim());
    }
    for (const element of document.querySelectorAll("*")) {
        for (const pseudo of ["::before", "::after"]) {
            const { content } = getComputedStyle(element, pseudo);
            if ([...glyphs].some((glyph) => content.includes(glyph))) found.push(`${element.className}${pseudo} ${content}`);
        }
    }
    return [...new Set(found)];
}"""
TALKING = """() => [...document.querySelectorAll("svg")].filter((drawing) => !drawing.closest("[aria-hidden='true'], [role='img']")).map((drawing) => drawing.outerHTML)"""


def test_no_letter_of_a_font_stands_for_a_drawing_and_no_drawing_speaks(windows, server):
    page = windows.open(server)
    block(page, "calm/ios", "For a while.")
    found = {}
    for route in ROUTES + ["/t/calm/ios"]:
        go(page, server, route)
        found[route] = page.evaluate(SHOWN, GLYPHS) + page.evaluate(TALKING)
    assert {route: glyphs for route, glyphs in found.items() if glyphs} == {}
    go(page, server, "/t/looks/tvos")
    page.get_by_role("button", name="Block Looks on tvOS…").or_(page.get_by_role("button", name="Open Looks on tvOS…")).first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate(SHOWN, GLYPHS) == []


def test_every_state_of_a_window_and_every_rule_has_a_drawing_of_its_own(windows, server):
    page = windows.open(server)
    go(page, server, "/schedule")
    drawn = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll(".window-card")].map((card) =>
        [card.dataset.window, [card.querySelector(".window-state").textContent.trim(), card.querySelector(".window-state path").getAttribute("d")]]))""")
    assert {state: word for state, (word, _) in drawn.items()} == {"pending": "waits", "running": "running", "cancelled": "cancelled"}
    assert len({path for _, path in drawn.values()}) == 3
    go(page, server, "/t/looks/ios")
    rules = page.locator(".gate-row .switch-label svg path").evaluate_all("paths => paths.map((path) => path.getAttribute('d'))")
    assert len(rules) == len(set(rules)) == 5


def test_the_drawings_are_sixteen_pixels_in_the_colour_of_their_text(windows, server):
    page = windows.open(server)
    go(page, server, "/schedule")
    wrong = page.evaluate("""() => [...document.querySelectorAll(".button .icon, .window-state .icon")].flatMap((drawing) => {
        const box = drawing.getBoundingClientRect();
        const path = getComputedStyle(drawing.firstElementChild);
        const colour = getComputedStyle(drawing).color;
        return [box.width, box.height].every((side) => Math.abs(side - 16) < 0.5) && [path.fill, path.stroke].includes(colour) ? [] : [drawing.outerHTML];
    })""")
    assert wrong == []


def test_no_drawing_outgrows_its_line(windows, server):
    page = windows.open(server)
    large = """() => [...document.querySelectorAll("svg:not(.day-strip svg, .qr svg)")].filter((drawing) => drawing.getBoundingClientRect().width > 20)
        .map((drawing) => drawing.outerHTML)"""
    for route in ROUTES:
        go(page, server, route)
        assert page.evaluate(large) == [], route
    # Between the phones before and after a draft too.
    page.goto(f"{server.admin}/#/t/looks/ios/edit/kill")
    page.get_by_role("dialog").get_by_role("textbox", name="Message").fill("Closed.")
    expect(page.get_by_role("dialog").locator(".thumb svg")).to_have_count(1)
    assert page.evaluate(large) == []


def test_the_list_of_apps_tells_each_platforms_state_and_leads_to_it(windows, server):
    page = windows.open(server)
    go(page, server, "/settings/apps")
    mine = page.locator(".panel").filter(has_text="Looks")
    states = mine.get_by_role("listitem")
    expect(states).to_have_text([re.compile(text) for text in ("Android.*BLOCKED", "iOS.*UPDATE", "macOS.*NOTICE", "tvOS.*BLOCKED")])
    mine.get_by_role("link", name="Looks on iOS: UPDATE REQUIRED").click()
    expect(page.get_by_role("heading", level=1, name="Looks · iOS")).to_be_visible()
    # It follows what happens elsewhere.
    go(page, server, "/settings/apps")
    server.change("looks/ios", {"requiredUpdate": None})
    expect(mine.get_by_role("link", name="Looks on iOS: OPEN")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_figures_that_change_are_as_wide_as_each_other(windows, server, width):
    page = windows.open(server, width=width)
    for route in ("/", "/schedule", "/t/looks/tvos", "/history"):
        go(page, server, route)
        plain = page.evaluate("""() => [...document.querySelectorAll("main time, .clock, main .badge-word, .window-line, .window-times dd")]
            .filter((element) => /\\d/.test(element.textContent) && !getComputedStyle(element).fontVariantNumeric.includes("tabular-nums"))
            .map((element) => element.outerHTML)""")
        assert plain == [], route


def test_on_a_phone_the_worst_platform_of_an_app_stands_first_and_stays_where_it_was(windows, server):
    page = windows.open(server, width=390)
    rows = page.locator(".app-row").filter(has_text="Looks").locator(".target-row")
    first = ["looks/android", "looks/tvos"]
    expect(rows).to_have_count(4)
    names = lambda: [row.get_attribute("data-target") for row in rows.all()]
    assert names()[:2] == first
    before = names()
    server.change("looks/android", {"killSwitch": None})
    expect(rows.first).to_have_attribute("data-state", "open")
    assert names() == before
    page.goto("about:blank")
    page.goto(f"{server.admin}/#/")
    expect(rows).to_have_count(4)
    assert names()[0] == "looks/tvos"
