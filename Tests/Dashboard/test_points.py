"""The points of acceptance that more than one screen has a part in. Each test has the number of its point in its name."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from steps import block, dialog, open_again
from test_preview import NAMES, answer, check, preview, thumbs

ROUTES = [
    "/", "/schedule", "/schedule/new?t=points/ios", "/t/points/ios", "/t/points/tvos", "/history", "/history/LAST", "/settings/apps", "/settings/apps/points",
    "/settings/apps/new", "/settings/import", "/settings/tokens", "/settings/people", "/settings/account", "/nowhere",
]
DIALOGS = ["/t/points/tvos/edit/kill", "/t/points/tvos/edit/min", "/t/points/ios/edit/kill"]


@pytest.fixture(scope="module")
def crowded(protected_server):
    """A protected server with many apps, one of which is blocked, and one has a window that waits."""
    server = protected_server
    server.add_app("points", "Points with a rather long name", "ios", "android", "tvos")
    for number in range(15):
        server.add_app(f"other{number:02}", f"Other {number:02}", "ios", "android")
    server.change("points/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Please update."}})
    server.change("points/ios", {"killSwitch": {"message": "We are back at nine. Thank you for your patience, and for waiting with us."}}, reason="INC-1")
    day = (datetime.date.today() + datetime.timedelta(days=3)).isoformat()
    server.call("POST", "/windows", {
        "targets": [{"app": "points", "platform": "tvos", "revision": 1}], "set": {"killSwitch": {"message": "Sale starts at nine."}}, "reason": "SALE", "confirm": "points/tvos",
        "start": {"wallTime": f"{day}T20:00", "zone": "Europe/Berlin"}, "end": {"wallTime": f"{day}T21:00", "zone": "Europe/Berlin"},
    })
    return server


def go(page, server, route):
    path = route.replace("LAST", str(server.changes("points/ios")[0]["sequence"]))
    page.goto("about:blank")
    page.goto(f"{server.admin}/#{path}")
    shown = re.sub(r"/edit/.*", "", path.split("?")[0])
    page.locator(f"main[data-screen^='{shown}'] h1").first.wait_for()
    if "/edit/" in path:
        expect(dialog(page)).to_be_visible()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)


# What is nearest to the reader at a control's middle: the control, what is in it, or the label it belongs to.
ON_TOP = """(control) => {
    // A link that is broken over two lines has its middle on neither.
    const { x, y, width, height } = control.getClientRects()[0];
    const there = document.elementFromPoint(x + width / 2, y + height / 2);
    const holder = control.closest("label") ?? control;
    return Boolean(there) && (holder.contains(there) || there.contains(control) && there.closest("label") === holder);
}"""


@pytest.mark.parametrize("width, height", [(390, 664), (1280, 800)])
def test_point_1_the_first_card_is_the_blocked_one_and_whole_in_view_beside_a_receipt(windows, crowded, width, height):
    page = windows.open(crowded, width=width, height=height, has_touch=width < 500, is_mobile=width < 500)
    # A receipt of another target than the one that is blocked.
    block(page, "other14/android", "For a moment.", reason="INC-2", confirm="other14/android")
    open_again(page, "other14/android")
    page.evaluate("scrollTo(0, 0)")
    expect(page.get_by_role("region", name="Last change")).to_be_visible()
    first = page.locator(".app-row").first
    expect(first.get_by_role("heading", level=2)).to_contain_text("Points with a rather long name")
    row = first.locator(".target-row[data-state=blocked]")
    expect(row.locator(".badge")).to_have_text("BLOCKED")
    for part in (first.get_by_role("heading", level=2), row.locator(".badge"), row.locator(".said"), row.get_by_role("switch")):
        expect(part).to_be_in_viewport(ratio=1)
    box = row.bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= height
    assert row.get_by_role("switch").evaluate(ON_TOP)
    if width < 500:
        expect(first.locator(".target-row").first).to_have_attribute("data-state", "blocked")


def test_point_8_the_receipt_tells_revision_time_publication_and_fetches_and_all_of_it_after_a_minute(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    page.clock.install()
    page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").first.click()
    page.clock.run_for(500)
    dialog(page).get_by_label("Message").fill("Back soon.")
    page.clock.run_for(500)
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page)).to_have_count(0)
    receipt = page.get_by_role("region", name="Last change")
    made = server.changes(f"{app}/ios")[0]
    for _ in range(2):
        server.feed(f"{app}/ios/bellerophon.json")

    def tells(polls):
        expect(receipt).to_contain_text(f"revision {made['targets'][0]['revision']}")
        expect(receipt.locator("time")).to_have_attribute("datetime", made["at"])
        expect(receipt.locator("time")).to_have_text(re.compile(r"\d\d:\d\d:\d\d"))
        expect(receipt).to_contain_text("✓ feed published")
        expect(receipt).to_contain_text(f"fetched by {polls} polls")

    page.clock.run_for(4_000)
    tells(2)
    page.clock.run_for(61_000)
    tells(2)
    # It goes on counting all the while.
    server.feed(f"{app}/ios/bellerophon.json")
    page.clock.run_for(4_000)
    tells(3)


@pytest.mark.parametrize("platform, clients", [("ios", ["bellerophon", "launchgate"]), ("android", ["gandalf", "prince-of-versions"])])
def test_point_15_small_phones_and_the_phone_of_a_draft_are_the_servers_answers_too(windows, server, app, platform, clients):
    old, new = {"ios": ("4.1.0", "4.3.0"), "android": ("41", "43")}[platform]
    server.call("PUT", f"/apps/{app}/platforms/{platform}", {"releases": [old, new], "clients": clients})
    between = {"ios": "4.2.0", "android": "42"}[platform]
    server.change(f"{app}/{platform}", {"requiredUpdate": {"minimumVersion": between, "message": "Must."}, "alert": {"message": "Slow.", "blocking": False}})
    page = windows.open(server, f"/t/{app}/{platform}")
    expect(thumbs(preview(page))).to_have_count(4)
    seen = []
    for number in range(4):
        thumb = thumbs(preview(page)).nth(number)
        thumb.click()
        client = preview(page).get_by_label("Client library").input_value()
        version = preview(page).get_by_label("App version").input_value()
        seen.append((client, version))
        expected = answer(server, app, platform, client=client, version=version)
        check(page, preview(page), expected)
        expect(thumb).to_have_attribute("title", f"{NAMES[client]}, version {version}: {expected['detail']}")
        small = thumb.locator(".phone-message")
        if expected["presentation"] not in ("app", "nothing") and expected["message"]:
            expect(small).to_have_text(expected["message"])
    assert sorted(seen) == sorted((client, version) for client in clients for version in (old, new))

    # And of what is only written: the same question with the draft in it.
    page.goto(f"{server.admin}/#/t/{app}/{platform}/edit/kill")
    dialog(page).get_by_role("textbox", name="Message").fill("Closed until nine.")
    shown = dialog(page).locator(".preview")
    expect(shown.locator(".preview-says")).not_to_be_empty()
    asked = {"client": shown.get_by_label("Client library").input_value(), "version": shown.get_by_label("App version").input_value()}
    drafted = answer(server, app, platform, set={"killSwitch": {"message": "Closed until nine."}}, **asked)
    expect(shown.locator(".preview-says")).to_contain_text(drafted["detail"])
    if drafted["message"]:
        expect(shown.locator("figure .phone-message")).to_have_text(drafted["message"])
    assert server.target(f"{app}/{platform}")["state"] == "updateRequired"


@pytest.mark.parametrize("width", [390, 1280])
def test_point_16_of_two_tabs_the_second_save_gets_a_conflict_and_loses_no_word(windows, server, app, width):
    windows.expected = {412}
    server.change(f"{app}/ios", {"alert": {"message": "Base.", "blocking": False}})
    first = windows.open(server, f"/t/{app}/ios/edit/alert", width=width)
    second = first.context.new_page()
    # The second tab hears of nothing, as if its owner were quicker than its next poll.
    second.route("**/api/v1/events*", lambda route: route.abort())
    windows.expected.add("lost")
    second.goto(f"{server.admin}/#/t/{app}/ios/edit/alert")
    for page, text in ((first, "The first tab’s."), (second, "The second tab’s.")):
        dialog(page).get_by_role("textbox", name="Message").fill(text)
        expect(dialog(page).get_by_role("table", name="What changes")).to_contain_text(text)
    dialog(first).get_by_role("button", name="Publish ").click()
    expect(dialog(first)).to_have_count(0)
    dialog(second).get_by_role("button", name="Publish ").click()
    conflict = dialog(second).get_by_role("table", name="Changed meanwhile")
    for text in ("Base.", "The first tab’s.", "The second tab’s."):
        expect(conflict).to_contain_text(text)
    expect(dialog(second)).to_contain_text("Changed by admin (dashboard)")
    # Nothing is overwritten before it was read, and the draft is whole.
    assert server.target(f"{app}/ios")["gate"]["alert"]["message"] == "The first tab’s."
    expect(dialog(second).get_by_role("textbox", name="Message")).to_have_value("The second tab’s.")
    dialog(second).get_by_role("button", name="Review mine again").click()
    review = dialog(second).get_by_role("table", name="Theirs → yours")
    expect(review.locator("del")).to_have_text("The first tab’s.")
    expect(review.locator("ins")).to_have_text("The second tab’s.")
    dialog(second).get_by_role("button", name="Publish ").click()
    expect(dialog(second)).to_have_count(0)
    assert server.target(f"{app}/ios")["gate"]["alert"]["message"] == "The second tab’s."


def test_point_22_a_window_reads_the_same_in_two_browser_zones_with_zone_offset_and_utc(windows, crowded):
    read = {}
    for zone in ("America/New_York", "Asia/Tokyo"):
        page = windows.open(crowded, timezone_id=zone)
        said = {}
        for route, place in (("/schedule", ".window-card"), ("/t/points/tvos", ".target-page"), ("/", ".target-row[data-target='points/tvos']")):
            go(page, crowded, route)
            holder = page.locator(place).filter(has_text="Sale starts at nine.").first
            said[route] = holder.locator(".window-line").inner_text()
            if route == "/schedule":
                said["full"] = holder.locator(".window-times").inner_text()
        read[zone] = said
    own = re.compile(r" = (?:\w{3} )?\d\d:\d\d for you")
    plain = [{place: own.sub("", text) for place, text in said.items()} for said in read.values()]
    # How far off it is counts down while the second zone is looked at.
    counted = re.compile(r"in\s\d+\s\w+(\s\d+\smin)?")
    assert {place: counted.sub("", text) for place, text in plain[0].items()} == {place: counted.sub("", text) for place, text in plain[1].items()}
    for said in read.values():
        assert re.search(r"20:00 Europe/Berlin \(UTC\+0[12]:00\) = 1[89]:00 UTC", said["full"])
        assert all("20:00 – 21:00 Berlin" in text for place, text in said.items() if place != "full")
    # What the reader's own clock will show is said beside it, and differs.
    assert own.findall(read["America/New_York"]["full"]) != own.findall(read["Asia/Tokyo"]["full"])


@pytest.mark.parametrize("width, height", [(390, 664), (1280, 800)])
@pytest.mark.parametrize("route", ["/", "/t/points/ios", "/schedule", "/history"])
def test_point_26_the_focus_is_never_hidden_on_the_way_by_tab(windows, crowded, route, width, height):
    page = windows.open(crowded, width=width, height=height)
    if route == "/":
        # With the bar of what is picked at the bottom.
        go(page, crowded, route)
        page.get_by_label("Pick Other 00 on iOS").check()
    else:
        go(page, crowded, route)
    page.evaluate("scrollTo(0, 0); document.activeElement.blur()")
    hidden, seen = [], set()
    for _ in range(150):
        page.keyboard.press("Tab")
        found = page.evaluate("""async () => {
            // A live update may put another element in its place, also while this looks: then that one has the focus.
            const isSeen = () => {
                const control = document.activeElement, box = control.getBoundingClientRect();
                return box.top >= -1 && box.bottom <= innerHeight + 1 && (%s)(control);
            };
            // A line that appears meanwhile moves the page, and the next frame moves it back: only what stays hidden is hidden.
            for (let frame = 0; frame < 120 && !isSeen(); frame += 1) await new Promise(requestAnimationFrame);
            const control = document.activeElement;
            if (control === document.body) return null;
            control.dataset.stop ??= String(Math.random());
            return [control.dataset.stop, isSeen(), control.outerHTML.slice(0, 120)];
        }""" % ON_TOP)
        if found is None:
            continue
        stop, in_view, html = found
        if stop in seen:
            break
        seen.add(stop)
        if not in_view:
            hidden.append(html)
    assert len(seen) > 8
    assert hidden == []


def test_point_26_the_focus_stays_in_view_when_the_preview_says_more(windows, crowded):
    crowded.add_app("wordy", "Wordy", "ios")
    page = windows.open(crowded, "/t/wordy/ios", width=1280, height=800)
    preview = page.locator(".target-side")
    expect(preview.get_by_text("version 1.0.0")).to_be_visible()
    controls = preview.locator("select, input").locator("visible=true")
    # The last control that the side has room for.
    in_view = [control for control in controls.all() if control.evaluate(f"(control) => ({ON_TOP})(control)")]
    in_view[-1].focus()
    crowded.change("wordy/ios", {"killSwitch": {"message": "Back soon. " * 30}, "requiredUpdate": {"minimumVersion": "4.2.0", "message": "x"},
                                 "optionalUpdate": {"optionalVersion": "5.0.0", "message": "x"}, "alert": {"message": "x", "blocking": False}})
    expect(preview.get_by_text("Not shown:").first).to_be_visible()
    assert page.evaluate(f"({ON_TOP})(document.activeElement)")


def test_point_26_kill_open_and_revert_by_keyboard_alone_give_the_focus_back(windows, crowded):
    page = windows.open(crowded, "/t/other01/ios", width=390, height=664)
    main = page.get_by_role("button", name=re.compile("^(Block|Open) Other 01 on iOS…$")).locator("visible=true")
    main.focus()
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_label("Message")).to_be_focused()
    page.keyboard.type("Back soon.")
    expect(dialog(page).get_by_label("to confirm")).to_be_visible()

    def to(label):
        for _ in range(30):
            page.keyboard.press("Tab")
            if dialog(page).get_by_label(label).evaluate("(control) => control === document.activeElement"):
                return
        raise AssertionError(label)

    to("Reason")
    page.keyboard.type("INC-7")
    to("to confirm")
    page.keyboard.type("other01/ios")
    page.keyboard.press("Control+Enter")
    expect(dialog(page)).to_have_count(0)
    expect(main).to_be_focused()
    expect(main).to_have_text("Open Other 01 on iOS…")
    assert main.evaluate(ON_TOP)
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_role("heading", name="Open Other 01")).to_be_focused()
    expect(dialog(page).get_by_role("button", name="Open Other 01")).to_be_enabled()
    page.keyboard.press("Control+Enter")
    expect(dialog(page)).to_have_count(0)
    expect(main).to_be_focused()
    expect(main).to_have_text("Block Other 01 on iOS…")
    # Back to before, from the change's own page: a block once more, and asked for like one.
    page.goto(f"{crowded.admin}/#/history/{crowded.changes('other01/ios')[0]['sequence']}")
    revert = page.get_by_role("button", name="Revert to before this… Other 01 on iOS")
    revert.focus()
    page.keyboard.press("Enter")
    expect(dialog(page).get_by_label("to confirm")).to_be_visible()
    to("Reason")
    page.keyboard.type("INC-7")
    to("to confirm")
    page.keyboard.type("other01/ios")
    page.keyboard.press("Control+Enter")
    expect(dialog(page)).to_have_count(0)
    # One look that is taken again: the page is painted anew under the button that had it, and only then does it go to the receipt.
    focused = page.locator(":is(.receipt, main) :focus")
    expect(focused).to_have_count(1)
    assert focused.evaluate(ON_TOP)
    assert crowded.target("other01/ios")["state"] == "blocked"


COVERED = """(controls) => controls.flatMap((control) => {
    if (!control.checkVisibility() || control.closest("[aria-hidden='true'], .visually-hidden, .skip") || control.matches("[type=file]")) return [];
    if (control.getBoundingClientRect().width === 0) return [];
    control.scrollIntoView({ block: "center", inline: "nearest" });
    return (%s)(control) ? [] : [control.outerHTML.slice(0, 160)];
})""" % ON_TOP
CONTROLS = "a[href], button, input, select, textarea, summary"


@pytest.mark.parametrize("text_size", [100, 200])
def test_point_28_at_320_pixels_no_control_is_covered_or_lost(windows, crowded, text_size):
    page = windows.open(crowded, width=320, height=640, has_touch=True, is_mobile=True)
    lost = {}
    for route in ROUTES + DIALOGS:
        go(page, crowded, route)
        page.evaluate("(size) => { document.documentElement.style.fontSize = `${size}%`; }", text_size)
        holder = dialog(page) if "/edit/" in route else page.locator("body")
        covered = holder.locator(CONTROLS).evaluate_all(COVERED)
        wide = page.evaluate("() => document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth + 1")
        if covered or wide:
            lost[route] = (wide, covered)
    assert lost == {}, "\n".join(f"{route} {found}" for route, found in lost.items())


@pytest.mark.parametrize("width", [320, 390])
def test_point_28_large_text_is_cut_nowhere_in_the_matrix_and_the_history(windows, server, app, width):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon.", "retryInterval": 45}})
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon.", "retryInterval": 30}, "forceUpdate": {"message": "Update."}})
    page = windows.open(server, path=None, width=width, height=640)
    for path, holder in ((f"/simulate?t={app}/ios&feed=both", ".sim-table"), (f"/history?app={app}", ".changes")):
        page.goto(f"{server.admin}/#{path}")
        page.locator(holder).first.wait_for()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        cut = page.locator(f"{holder}, {holder} *").evaluate_all("""(all) => all.filter((one) => one.checkVisibility() && !one.closest(".visually-hidden")
            && getComputedStyle(one).overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1).map((one) => `${one.className} ${one.textContent}`)""")
        assert cut == []


def test_point_28_every_target_is_44_pixels_on_touch(windows, crowded):
    page = windows.open(crowded, width=390, height=844, has_touch=True, is_mobile=True)
    small = {}
    for route in ROUTES + DIALOGS:
        go(page, crowded, route)
        # A link in a sentence is as high as its line; all else is as high and as wide as a thumb.
        found = page.evaluate("""() => [...document.querySelectorAll("a[href], button, input:not([type=file]), select, textarea, summary")]
            .filter((control) => control.checkVisibility() && !control.closest(".skip, .visually-hidden, [aria-hidden='true']"))
            .filter((control) => !(control.matches("a") && getComputedStyle(control).display === "inline"))
            .map((control) => [control, (control.closest("label") ?? (control.matches("[type=checkbox]") ? control.labels[0] : null) ?? control).getBoundingClientRect()])
            .filter(([, box]) => box.height > 0 && (box.height < 43.5 || box.width < 43.5))
            .map(([control, box]) => `${control.outerHTML.slice(0, 110)} ${Math.round(box.width)}x${Math.round(box.height)}`)""")
        if found:
            small[route] = found
    assert small == {}, "\n".join(f"{route} {found}" for route, found in small.items())


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_point_28_large_addresses_have_no_letters_one_below_the_other(windows, server, app, width):
    page = windows.open(server, f"/settings/apps/{app}", width=width)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.locator(".feed-row code").first).to_be_visible()
    assert min(page.locator(".feed-row dd > code").evaluate_all("(all) => all.map((one) => one.clientWidth || one.getBoundingClientRect().width)")) > 90


def test_point_28_the_code_of_a_rehearsal_fits_a_small_phone_with_large_text(windows, server, app):
    made = server.call("POST", "/rehearsals", {"app": app, "platform": "ios", "gate": {}, "for": "1h"})
    page = windows.open(server, f"/rehearsals/{made['id']}", width=320)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.get_by_role("img", name="QR code of the address")).to_be_visible()
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 320
