"""Every screen and dialog, light and dark, narrow and wide: axe, reflow, targets, colours, motion."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from gatehouse_server import PASSWORD, USERNAME
from steps import block, dialog, kill_switch, wait_until

AXE = {"rules": {"target-size": {"enabled": True}}, "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}}
# Only colours differ in the dark; everything else was looked at in the light.
AXE_IN_THE_DARK = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
SIZES = {"narrow": (390, 844), "wide": (1280, 800)}


@pytest.fixture(scope="module")
def server(protected_server):
    """One app in every state, and one that is open."""
    server = protected_server
    server.add_app("every", "Every state", "ios", "android", "macos", "tvos")
    server.change("every/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}})
    server.change("every/ios", {"killSwitch": {"message": "A rather long message for people who wait. Wir sind gleich zurück."}}, reason="INC-1")
    server.change("every/android", {"requiredUpdate": {"minimumVersion": "41", "message": "Please update."}})
    server.call("POST", "/windows", {
        "targets": [{"app": "every", "platform": "tvos", "revision": 1}], "set": {"killSwitch": {"message": "Sale starts at nine."}},
        "start": {"wallTime": "2099-03-30T09:00", "zone": "Europe/Berlin"}, "end": {"wallTime": "2099-03-30T09:30", "zone": "Europe/Berlin"}, "reason": "SALE", "confirm": "every/tvos",
    })
    server.change("every/macos", {"alert": {"message": "Card payments are slow today.", "blocking": False}})
    return server


def last_change(server):
    return server.changes("every/ios")[0]["sequence"]


ROUTES = ["/", "/schedule", "/schedule/new?t=every/ios", "/t/every/ios", "/t/every/tvos", "/history", "/history/LAST", "/simulate?t=every/ios", "/simulate?t=every/ios&v=4.1.0,4.10.0&revision=2", "/settings/apps", "/settings/apps/every", "/settings/apps/new", "/settings/import", "/settings/tokens", "/settings/people", "/settings/account", "/nowhere"]


def violations(page):
    """What axe says of the page as it stands, in light and in dark."""
    problems = []
    for scheme, options in (("dark", AXE_IN_THE_DARK), ("light", AXE)):
        page.emulate_media(color_scheme=scheme)
        for one in Axe().run(page, options=options).response["violations"]:
            problems.append(f"{scheme} {one['id']}: {[node['target'] for node in one['nodes']]} {one['nodes'][0]['failureSummary']}")
    return problems


# An address is gone to at once; its screen may still be on its way, with the one before on show. At the door there is none.
ARRIVED = """() => {
    const [main, path] = [document.querySelector("main[data-screen]"), location.hash.slice(1).split("?")[0] || "/"];
    return !main || main.dataset.screen.split("/edit/")[0] === path.split("/edit/")[0];
}"""


def settle(page):
    page.locator("main h1").first.wait_for()
    wait_until(page, ARRIVED)
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    # A phone that is on show has been answered for.
    expect(page.get_by_text("Asking the server…").locator("visible=true")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_on_any_screen_in_light_and_dark(windows, server, size):
    width, height = SIZES[size]
    page = windows.open(server, width=width, height=height)
    found = {}
    for route in ROUTES:
        page.goto(f"{server.admin}/#{route.replace('LAST', str(last_change(server)))}")
        settle(page)
        found[route] = violations(page)
    assert {route: problems for route, problems in found.items() if problems} == {}


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_in_any_dialog_in_light_and_dark(windows, server, size):
    width, height = SIZES[size]
    page = windows.open(server, "/t/every/tvos", width=width, height=height)
    found = {}
    for edit in ("kill", "min", "optional", "alert", "force"):
        page.goto(f"{server.admin}/#/t/every/tvos/edit/{edit}")
        # Pressed with nothing written, so that errors are on show too.
        dialog(page).locator("button[type=submit]").press("Enter")
        expect(dialog(page).locator("[aria-invalid=true]").first).to_be_visible()
        found[edit] = violations(page)
        page.keyboard.press("Escape")
        expect(dialog(page)).to_have_count(0)
    page.goto(f"{server.admin}/#/")
    kill_switch(page, "every/ios").click()
    expect(dialog(page)).to_be_visible()
    found["open"] = violations(page)
    page.keyboard.press("Escape")
    page.goto(f"{server.admin}/#/history/{last_change(server)}")
    page.get_by_role("button", name="Revert to before this…").click()
    expect(dialog(page).get_by_role("table")).to_be_visible()
    found["revert"] = violations(page)
    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_in_what_asks_before_it_acts_in_light_and_dark(windows, server, size):
    """The dialogs that are no drafts: clearing, cancelling and running a window, deleting, the keys, the undo."""
    width, height = SIZES[size]
    page = windows.open(server, "/t/every/macos", width=width, height=height)
    found = {}

    def look(name):
        expect(dialog(page)).to_be_visible()
        settle(page)
        found[name] = violations(page)
        page.keyboard.press("Escape")
        expect(dialog(page)).to_have_count(0)

    page.locator(".gate-row").filter(has=page.get_by_role("switch", name="Alert")).get_by_role("switch").click()
    look("clear")
    page.get_by_label("More: Alert").click()
    found["more"] = violations(page)
    page.goto(f"{server.admin}/#/schedule")
    page.get_by_role("button", name="Cancel this window…").first.click()
    look("cancel a window")
    page.get_by_role("button", name="Run now…").first.click()
    expect(dialog(page).get_by_role("table")).to_be_visible()
    look("run a window")
    page.goto(f"{server.admin}/#/settings/apps/every")
    page.get_by_role("button", name="Delete").first.click()
    look("delete")
    page.keyboard.press("?")
    look("keys")
    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_around_a_window_that_runs_in_light_and_dark(windows, server, size):
    """Its target, the schedule, what can be done with it, and the banner of one that was missed."""
    width, height = SIZES[size]
    app = f"runs{size}"
    server.add_app(app, app.capitalize(), "ios")
    terms = {"reason": "SALE", "confirm": f"{app}/ios"}
    made = server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": 1}], "set": {"killSwitch": {"message": "Sale starts at nine."}},
        "start": {"wallTime": "2099-03-30T09:00", "zone": "Europe/Berlin"}, "end": {"wallTime": "2099-03-30T09:30", "zone": "Europe/Berlin"},
    } | terms)["window"]
    server.call("POST", f"/windows/{made['id']}/run", terms)
    page = windows.open(server, f"/t/{app}/ios", width=width, height=height)
    found = {}
    for name in ("End now: ", "Extend ", "Keep "):
        page.get_by_role("button", name=name).click()
        expect(dialog(page).locator(".confirmation")).to_be_visible()
        found[name] = violations(page)
        page.keyboard.press("Escape")
        expect(dialog(page)).to_have_count(0)
    settle(page)
    found["target"] = violations(page)
    page.goto(f"{server.admin}/#/schedule")
    settle(page)
    found["schedule"] = violations(page)
    page.route("**/api/v1/windows?state=pending*", lambda route: route.fulfill(json={"items": [made | {"state": "missed", "due": None}], "next": None}))
    page.goto("about:blank")
    page.goto(f"{server.admin}/#/")
    expect(page.locator(".trouble")).to_be_visible()
    found["banner"] = violations(page)
    assert {name: problems for name, problems in found.items() if problems} == {}
    # Nothing of it runs on into the other tests.
    server.call("POST", f"/windows/{made['id']}/run", {"step": "end"})


def test_axe_finds_nothing_in_a_phone_that_shows_something_in_light_and_dark(windows, server):
    """Every way of showing it, on a narrow screen where the preview is opened by hand, and with large text."""
    page = windows.open(server, "/t/every/ios", width=390, height=844)
    found = {}
    for target, clients in (("every/ios", ["bellerophon", "launchgate", "prince-of-versions"]), ("every/android", ["gandalf"])):
        page.goto(f"{server.admin}/#/t/{target}")
        page.locator(".target-preview > summary").click()
        for client in clients:
            expect(page.locator(".preview-says")).not_to_be_empty()
            page.get_by_label("Client library").select_option(client)
            expect(page.locator("figure .phone")).to_be_visible()
            settle(page)
            found[f"{target} {client}"] = violations(page)
    page.get_by_label("Large text").check()
    page.get_by_label("Dark").check()
    found["large and dark"] = violations(page)
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_axe_finds_nothing_at_the_door_in_light_and_dark(windows, server):
    windows.expected = {401}
    page = windows.open(server, signed_in=False)
    expect(page.get_by_label("Username")).to_be_focused()
    assert violations(page) == []


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_in_the_first_minute_in_light_and_dark(windows, start_server, size):
    """The set-up, the welcome, and the app that is ready with its addresses."""
    width, height = SIZES[size]
    windows.expected = {401}
    server = start_server(environment=None, users=False)
    page = windows.open(server, f"/setup/{server.setup_code()}", signed_in=False, width=width, height=height)
    found = {}
    expect(page.get_by_role("heading", name="Set up Gatehouse")).to_be_visible()
    found["set-up"] = violations(page)
    page.get_by_label("Username").fill("mara")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Create administrator").click()
    expect(page.get_by_role("heading", name="Welcome to Gatehouse")).to_be_visible()
    settle(page)
    found["welcome"] = violations(page)
    page.get_by_label("Name").fill("Shop")
    page.get_by_label("iOS").check()
    page.get_by_role("button", name="Add app").click()
    expect(page.get_by_role("status").filter(has_text="Waiting for the first poll of iOS…")).to_be_visible()
    found["ready"] = violations(page)
    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_in_what_comes_between_in_light_and_dark(windows, server, size):
    """A change by somebody else, the conflict it leads to, and the password that is wanted over the page."""
    width, height = SIZES[size]
    windows.expected = {401, 412}
    page = windows.open(server, "/t/every/macos/edit/alert", signed_in=False, width=width, height=height)
    page.get_by_label("Username").fill(USERNAME)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    found = {}
    mine = f"Mine, {size}."
    dialog(page).get_by_role("textbox", name="Message").fill(mine)
    expect(dialog(page).get_by_role("table", name="What changes")).to_contain_text(mine)
    server.change("every/macos", {"alert": {"message": f"Theirs, {size}.", "blocking": False}})
    expect(dialog(page).get_by_text("What you have written is untouched.")).to_be_visible()
    settle(page)
    found["news"] = violations(page)
    dialog(page).get_by_role("button", name="Publish ").press("Enter")
    expect(dialog(page).get_by_role("table", name="Changed meanwhile")).to_be_visible()
    found["conflict"] = violations(page)
    page.context.clear_cookies()
    expect(page.get_by_role("dialog", name="Your session has ended")).to_be_visible()
    found["password"] = violations(page)
    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize("text_size", [100, 200])
def test_at_320_pixels_nothing_scrolls_sideways(windows, server, text_size):
    page = windows.open(server, width=320, height=640, has_touch=True)
    wide = []
    for route in ROUTES + ["/t/every/tvos/edit/kill", "/t/every/tvos/edit/min"]:
        page.goto(f"{server.admin}/#{route.replace('LAST', str(last_change(server)))}")
        settle(page)
        page.evaluate("(size) => { document.documentElement.style.fontSize = `${size}%`; }", text_size)
        if "/edit/" in route:
            expect(dialog(page)).to_be_visible()
        overflow = page.evaluate("""() => [document.scrollingElement, ...document.querySelectorAll("dialog[open], dialog[open] .dialog-body")]
            .some((box) => box.scrollWidth > box.clientWidth + 1)""")
        if overflow:
            wide.append((route, page.evaluate("""() => [...document.querySelectorAll("body *")].filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
                .map((element) => `${element.tagName}.${element.className}`).slice(0, 6)""")))
    assert wide == []


SIDEWAYS = """() => [document.scrollingElement, ...document.querySelectorAll("dialog[open], dialog[open] .dialog-body")]
    .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => `${box.tagName}.${box.className}`)"""


@pytest.mark.parametrize("width", [720, 768, 820])
def test_large_letters_of_a_tablets_browser_leave_room_for_what_is_said(windows, server, width):
    page = windows.open(server, path=None, width=width, height=1024)
    # As a reader sets it for all pages.
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": 32}})
    page.goto(f"{server.admin}/#/t/every/tvos")
    settle(page)
    assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == "32px"
    assert page.evaluate(SIDEWAYS) == []
    # A line of a gate has room for some words.
    assert min(page.locator(".gate-value").evaluate_all("(values) => values.map((value) => value.clientWidth)")) > width / 3
    page.keyboard.press("b")
    expect(dialog(page).get_by_label("Message")).to_be_focused()
    assert page.evaluate(SIDEWAYS) == []
    assert min(dialog(page).locator(".beside > *").evaluate_all("(parts) => parts.map((part) => part.clientWidth)")) > width / 2


def test_a_long_name_on_a_small_phone_does_not_push_a_question_out_of_the_window(windows, own_server):
    own_server.add_app("long", "Fahrzeugflottenverwaltungsaußendienstmitarbeiterportal", "ios")
    page = windows.open(own_server, "/simulate?t=long/ios", width=320, height=640)
    expect(page.locator(".sim-head")).to_contain_text("Fahrzeugflotten")
    assert page.evaluate(SIDEWAYS) == []


def test_controls_are_large_enough_for_a_thumb(windows, server):
    page = windows.open(server, width=390, height=844, has_touch=True, is_mobile=True)
    small = []
    for route in ROUTES + ["/t/every/tvos/edit/kill"]:
        page.goto(f"{server.admin}/#{route.replace('LAST', str(last_change(server)))}")
        settle(page)
        small += page.evaluate("""(route) => [...document.querySelectorAll("button, input:not([type=file]), select, textarea, summary")]
            .filter((control) => control.checkVisibility())
            .map((control) => [control, (control.closest("label") ?? control).getBoundingClientRect()])
            .filter(([, box]) => box.height > 0 && box.height < 43.5)
            .map(([control, box]) => `${route} ${control.tagName}.${control.className} ${control.textContent} ${box.height}`)""", route)
    assert small == []


def test_states_keep_their_shape_and_word_without_colours(windows, server):
    page = windows.open(server, forced_colors="active")
    words = page.locator(".target-row .badge")
    expect(words.first).to_be_visible()
    drawn = page.evaluate("""() => Object.fromEntries([...document.querySelectorAll(".target-row")].map((row) =>
        [row.dataset.state, [row.querySelector(".badge-word").textContent, row.querySelector(".shape").firstElementChild.outerHTML]]))""")
    assert set(drawn) == {"blocked", "updateRequired", "notice", "open"}
    assert len({word for word, _ in drawn.values()}) == len({shape for _, shape in drawn.values()}) == 4
    # The kill switch does not look like the box that picks the row, and shows by its place and colour whether it is on.
    drawing = "(box) => { const { appearance, backgroundColor } = getComputedStyle(box); return [appearance, backgroundColor, getComputedStyle(box, '::after').transform]; }"
    on, off = (page.locator(f".target-row[data-state='{state}']").get_by_role("switch").first.evaluate(drawing) for state in ("blocked", "open"))
    assert on[0] == off[0] == "none"
    assert on[1] != off[1] and on[2] != off[2]


def test_reduced_motion_leaves_nothing_moving(windows, server):
    page = windows.open(server, "/t/every/ios", reduced_motion="reduce")
    settle(page)
    longest = page.evaluate("""() => Math.max(...[...document.querySelectorAll("*")].flatMap((element) => {
        const style = getComputedStyle(element);
        return [style.transitionDuration, style.animationDuration].flatMap((list) => list.split(",")).map((text) => parseFloat(text) * (text.includes("ms") ? 1 : 1000));
    }))""")
    assert longest <= 1


def test_the_skip_link_leads_past_the_navigation(windows, server):
    page = windows.open(server)
    settle(page)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


def test_a_focused_control_is_never_hidden_behind_a_bar(windows, server):
    page = windows.open(server, width=1280, height=700)
    block(page, "every/tvos", "Back soon.", reason="INC-2", confirm="every/tvos")
    settle(page)
    met = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        control, is_hidden = page.evaluate("""() => {
            const focused = document.activeElement;
            if (!focused || focused === document.body) return [null, false];
            const box = focused.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return [focused.outerHTML.slice(0, 200), !(top && (top === focused || focused.contains(top) || top.contains(focused)))];
        }""")
        assert not is_hidden, control
        met |= {control} - {None}
    assert len(met) > 5, met
