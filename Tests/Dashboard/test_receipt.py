"""The receipt of one's own change: whole where it belongs, one line elsewhere, in view, and there until it is dismissed or replaced."""

import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from steps import block, deaf, dialog, kill_switch, wait_until


def receipt(page):
    return page.get_by_role("region", name="Last change")


# Whether all of an element's text can be seen: as large as it is, in the window, cut by nothing around it, and with nothing over it.
SEEN = """(part) => [...part.getClientRects()].every((box) => {
    if (box.width < 1 || box.left < 0 || box.right > innerWidth || box.top < 0 || box.bottom > innerHeight) return false;
    for (let holder = part.parentElement; holder; holder = holder.parentElement) {
        if (getComputedStyle(holder).overflow === "visible") continue;
        const room = holder.getBoundingClientRect();
        if (box.left < room.left - 1 || box.right > room.right + 1 || box.top < room.top - 1 || box.bottom > room.bottom + 1) return false;
    }
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return part.scrollWidth <= part.clientWidth + 1 && (part.contains(there) || there?.contains(part));
}) && part.getClientRects().length > 0"""


@pytest.mark.parametrize("width, height", [(390, 664), (800, 800), (1024, 768), (1280, 800), (1440, 900), (1920, 1080)])
def test_wherever_it_stands_it_says_what_was_done_to_what_and_when_and_that_it_is_published(windows, server, app, width, height):
    server.call("PATCH", f"/apps/{app}", {"name": f"Newsroom reader {app}"})
    server.change(f"{app}/android", {"alert": {"message": "Slow.", "blocking": False}})
    page = windows.open(server, f"/?q={app}", width=width, height=height)
    block(page, f"{app}/android", "Back soon.")
    page.evaluate("scrollTo(0, 0)")
    expect(receipt(page)).to_contain_text("✓ feed published")
    expect(receipt(page).locator(".reach")).not_to_have_text("")

    def assert_seen(width=width):
        text = receipt(page).locator(".receipt-text")
        expect(text.locator(".receipt-revision")).to_be_visible(visible=width > 640)
        for part, words in ((".receipt-what", f"Blocked Newsroom reader {app} on Android"), (".receipt-when", "revision 3"), (".receipt-told", "feed published")):
            expect(text.locator(part)).to_contain_text(words)
            wait_until(page, f"() => ({SEEN})(document.querySelector('.receipt {part}'))", seconds=5)
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")

    assert_seen()
    # Where there is room it is at hand however far one has scrolled.
    expect(page.locator("header .receipt")).to_have_count(1 if width == 1920 else 0)
    for name in ("Schedule", "History"):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.get_by_role("heading", level=1, name=name, exact=True)).to_be_focused()
        assert_seen()
    # A window that becomes narrow, and wide again, finds it another place; whoever was in it stays there.
    receipt(page).get_by_role("button", name="Undo").focus()
    for other in (390, 1920, width):
        page.set_viewport_size({"width": other, "height": height})
        wait_until(page, "(width) => innerWidth === width", arg=other)
        # Giving it the focus may have scrolled the page.
        page.evaluate("scrollTo(0, 0)")
        assert_seen(other)
        expect(receipt(page).get_by_role("button", name="Undo")).to_be_focused()


@pytest.mark.parametrize("width", [390, 1280])
def test_its_check_marks_stand_beside_their_words(windows, server, app, width):
    page = windows.open(server, f"/t/{app}/ios", width=width)
    page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").locator("visible=true").first.click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(receipt(page)).to_contain_text("✓ feed published")
    marks = receipt(page).locator(".ticks .check-mark").evaluate_all("""(marks) => marks.map((mark) => {
        const words = document.createRange();
        words.selectNode(mark.parentElement.lastChild);
        const [one, other] = [mark.getBoundingClientRect(), words.getBoundingClientRect()];
        return [other.left - one.right, Math.abs((one.top + one.bottom) / 2 - (other.top + other.bottom) / 2), one.height];
    })""")
    assert len(marks) == 3
    for gap, off, height in marks:
        assert 0 <= gap <= 8 and off <= 3 and height <= 16, marks


@pytest.mark.parametrize("width, height", [(390, 664), (800, 800), (1280, 800)])
def test_it_is_a_line_or_two_on_the_overview_and_whole_on_its_targets_page(windows, own_server, width, height):
    page = windows.open(own_server, width=width, height=height)
    block(page, "shop/ios", "Back soon.")
    expect(receipt(page)).to_contain_text("✓ feed published")
    assert receipt(page).bounding_box()["height"] <= 56
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    expect(receipt(page).get_by_role("button", name="Undo")).to_be_in_viewport()
    # The first card is in view beside it, and nothing lies over its switch.
    card = page.locator(".app-row").first
    assert card.bounding_box()["y"] + card.bounding_box()["height"] <= height
    assert kill_switch(page, "shop/ios").evaluate("(box) => { const { x, y, width, height } = box.getBoundingClientRect(); return document.elementFromPoint(x + width / 2, y + height / 2) === box; }")
    receipt(page).get_by_role("link", name="Blocked Shop on iOS").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Shop · iOS")
    for text in ("Blocked Shop on iOS", "revision 2", "✓ saved", "✓ feed published", "✓ caches ≤ 2 s"):
        expect(receipt(page).get_by_text(text)).to_be_visible()
    for name in ("Undo", "Copy link", "Copy as gatectl", "Dismiss"):
        expect(receipt(page).get_by_role("button", name=name)).to_be_visible()


def test_it_lies_over_no_other_targets_controls_wherever_the_page_was(windows, server):
    for number in range(20):
        server.add_app(f"list{number:02}", f"List {number:02}", "ios", "android")
    page = windows.open(server, "/?q=list", width=1280, height=700)
    kill_switch(page, "list15/ios").scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 150)")
    seen = "() => [...document.querySelectorAll('.switch')].filter((box) => { const { x, y, width, height } = box.getBoundingClientRect(); return document.elementFromPoint(x + width / 2, y + height / 2) === box; }).map((box) => box.dataset.key)"
    before = page.evaluate(seen)
    assert len(before) > 10
    block(page, "list15/ios", "Back soon.")
    expect(receipt(page)).to_contain_text("✓ feed published")
    assert set(before) <= set(page.evaluate(seen))


@pytest.fixture(scope="module")
def long_list(server):
    for number in range(20):
        server.add_app(f"far{number:02}", f"Newsroom reader {number:02}", "ios", "android")
    return server


@pytest.mark.parametrize("width, height", [(390, 664), (800, 800), (1024, 768), (1280, 800), (1440, 900), (1280, 400)])
def test_however_far_down_the_block_was_made_the_way_back_is_in_view(windows, long_list, width, height):
    server, target = long_list, "far17/ios"
    server.change(target, {"killSwitch": None})
    page = windows.open(server, "/?q=far", width=width, height=height)
    kill_switch(page, target).scroll_into_view_if_needed()
    place = page.locator(f'[data-target="{target}"]').bounding_box()["y"]
    block(page, target, "Back soon.")
    expect(receipt(page)).to_contain_text("✓ feed published")
    undo = receipt(page).get_by_role("button", name="Undo")
    did = receipt(page).get_by_role("link", name="Blocked Newsroom reader 17 on ")

    def assert_in_view():
        expect(undo).to_be_in_viewport(ratio=1)
        expect(did).to_be_in_viewport(ratio=0.5)
        for part in (undo, receipt(page).locator(".receipt-what")):
            assert part.evaluate(SEEN)

    assert_in_view()
    assert abs(page.locator(f'[data-target="{target}"]').bounding_box()["y"] - place) < 3
    # It is whole where there is room, and moves nothing on the way there and back.
    bar = page.get_by_role("banner").bounding_box()["height"]
    undo.focus()
    for top in (0, 300, 5000, 0):
        page.evaluate("(top) => scrollTo(0, top)", top)
        wait_until(page, "(top) => Math.abs(scrollY - Math.min(top, document.documentElement.scrollHeight - innerHeight)) < 2", arg=top, seconds=5)
        wait_until(page, f"() => ({SEEN})(document.querySelector('.receipt [data-key=undo]'))", seconds=5)
        assert_in_view()
        expect(undo).to_be_focused()
        assert page.get_by_role("banner").bounding_box()["height"] == bar
    assert receipt(page).locator(".receipt-told").evaluate(SEEN)


def test_it_stays_until_it_is_dismissed_or_replaced(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    page.clock.install()
    page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").first.click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(receipt(page).get_by_text("✓ saved")).to_be_visible()
    # Leaving the page where it was read, and coming back, takes nothing from it.
    page.get_by_role("link", name="Overview").first.click()
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_focused()
    expect(receipt(page).get_by_role("button", name="Undo")).to_be_visible()
    page.clock.run_for(45 * 60_000)
    expect(receipt(page)).to_contain_text(f"Blocked {app.capitalize()} on iOS")
    page.go_back()
    expect(receipt(page).get_by_text("✓ saved")).to_be_visible()
    page.go_forward()
    block(page, f"{app}/android", "Back soon.")
    expect(receipt(page)).to_contain_text(f"Blocked {app.capitalize()} on Android")
    receipt(page).get_by_role("button", name="Dismiss").click()
    expect(receipt(page)).to_be_hidden()


def test_at_the_lower_edge_it_covers_nothing_that_sticks_there(windows, server, app):
    page = windows.open(server, f"/?q={app}", width=390, height=664)
    block(page, f"{app}/ios", "Back soon.")
    page.get_by_role("checkbox", name=f"Pick all of {app.capitalize()}").check()
    expect(page.get_by_role("button", name="Open 1 target…")).to_be_in_viewport(ratio=1)
    assert page.get_by_role("button", name="Open 1 target…").evaluate(SEEN)
    page.goto(f"{server.admin}/#/t/{app}/android")
    main = page.locator(".bottom-bar .button")
    expect(main).to_be_in_viewport(ratio=1)
    assert main.evaluate(SEEN)
    expect(receipt(page).get_by_role("button", name="Undo")).to_be_in_viewport(ratio=1)


def test_it_comes_although_its_code_was_out_of_reach_at_first(windows, server, app):
    windows.expected = {"lost"}
    page = windows.open(server, f"/?q={app}")
    expect(kill_switch(page, f"{app}/ios")).to_be_visible()
    page.route("**/components/receipt.js", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.mouse.move(5, 5)
    page.unroute("**/components/receipt.js")
    block(page, f"{app}/ios", "Back soon.")
    expect(receipt(page)).to_contain_text(f"Blocked {app.capitalize()} on iOS")


def test_what_was_done_to_several_targets_is_counted_and_undone_together(windows, server, app):
    server.change(f"{app}/ios", {"alert": {"message": "Slow.", "blocking": False}})
    page = windows.open(server, f"/?q={app}")
    page.get_by_role("checkbox", name=f"Pick all of {app.capitalize()}").check()
    page.get_by_role("button", name="Block 2 targets…").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_label("to confirm").fill("kill 2 targets")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(receipt(page)).to_contain_text("Blocked 2 targets")
    # What somebody does meanwhile to another gate is none of this change's.
    server.change(f"{app}/android", {"alert": {"message": "Theirs.", "blocking": False}})
    receipt(page).get_by_role("button", name="Undo").click()
    dialog(page).get_by_role("button", name="Undo the change of 2 targets in STAGING").click()
    expect(dialog(page)).to_have_count(0)
    assert set(server.target(f"{app}/ios")["gate"]) == set(server.target(f"{app}/android")["gate"]) == {"alert"}
    assert server.target(f"{app}/android")["gate"]["alert"]["message"] == "Theirs."


def poll(server, path, tag=None):
    """A phone's poll with what it has; returns the tag of what it then has."""
    request = urllib.request.Request(f"{server.feeds}/feeds/{path}", headers={"If-None-Match": tag} if tag else {})
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.headers["ETag"]
    except urllib.error.HTTPError as error:
        assert error.code == 304
        return tag


def test_a_bar_fills_with_the_share_of_polls_that_have_it(windows, server, app):
    feed = f"{app}/ios/bellerophon.json"
    old = poll(server, feed)
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").first.click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    bar = receipt(page).get_by_role("progressbar", name="Share of the last minute’s polls")
    expect(receipt(page)).to_contain_text("no poll since this revision")
    expect(bar).to_be_hidden()
    new = poll(server, feed, old)
    expect(bar).to_be_visible()
    share = lambda: bar.evaluate("(bar) => bar.value")
    assert share() < 1
    for _ in range(3):
        poll(server, feed, new)
    wait_until(page, "(before) => document.querySelector('.receipt progress').value > before", arg=share())
    expect(receipt(page)).to_contain_text("% of the last minute’s polls have it")


@pytest.mark.parametrize("when", ["before", "while open"])
def test_undo_takes_back_ones_own_change_and_leaves_a_colleagues_block(windows, server, app, when):
    page = windows.open(server, f"/t/{app}/ios/edit/alert")
    dialog(page).get_by_role("textbox", name="Message").fill("Slow payments today.")
    dialog(page).get_by_role("button", name="Publish ").click()
    expect(dialog(page)).to_have_count(0)
    undo = receipt(page).get_by_role("button", name="Undo")
    if when == "while open":
        undo.click()
        expect(dialog(page).get_by_role("table", name="What changes")).to_contain_text("Slow payments today.")
    server.change(f"{app}/ios", {"killSwitch": {"message": "Data leak."}}, reason="INC-999")
    if when == "while open":
        dialog(page).get_by_role("button", name="Review mine again").click()
    else:
        expect(page.locator(".state-card")).to_contain_text("Data leak.")
        undo.click()
    expect(dialog(page)).to_contain_text("Changed by tests")
    expect(dialog(page)).to_contain_text("Other gates stay as they are now.")
    expect(dialog(page).get_by_role("table")).to_contain_text("Slow payments today.")
    expect(dialog(page).get_by_role("table")).not_to_contain_text("Data leak.")
    dialog(page).get_by_role("button", name="Undo the change").click()
    expect(dialog(page)).to_have_count(0)
    gate = server.target(f"{app}/ios")["gate"]
    assert set(gate) == {"killSwitch"} and gate["killSwitch"]["message"] == "Data leak."


def test_undo_of_a_block_that_a_colleague_has_changed_names_them(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name="Block ").first.click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page)).to_have_count(0)
    server.change(f"{app}/ios", {"killSwitch": {"message": "Data leak."}}, reason="INC-999")
    expect(page.locator(".state-card")).to_contain_text("Data leak.")
    receipt(page).get_by_role("button", name="Undo").click()
    expect(dialog(page).locator(".callout").first).to_contain_text("Changed by tests")
    expect(dialog(page)).to_contain_text("Blocked by admin")
    expect(dialog(page).get_by_role("table", name="What changes")).to_contain_text("Data leak.")
    assert server.target(f"{app}/ios")["state"] == "blocked"


RETURNING = "Phones blocked meanwhile return within"
SHUT_OUT = "Those who were let in are shut out again."


def test_undo_says_that_phones_return_only_where_it_lets_them_in(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name="Block ").first.click()
    dialog(page).get_by_label("Message").fill("Bakc soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page)).to_have_count(0)
    undo = receipt(page).get_by_role("button", name="Undo")
    undo.click()
    expect(dialog(page)).to_contain_text(RETURNING)
    expect(dialog(page)).not_to_contain_text(SHUT_OUT)
    dialog(page).get_by_role("button", name="Cancel", exact=True).click()

    # Another text: with the one before, everybody is kept out as well.
    page.goto(f"{server.admin}/#/t/{app}/ios/edit/kill")
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Change the block").click()
    expect(dialog(page)).to_have_count(0)
    undo.click()
    expect(dialog(page).get_by_role("table", name="What changes")).to_contain_text("Bakc soon.")
    expect(dialog(page)).not_to_contain_text(RETURNING)
    expect(dialog(page)).not_to_contain_text(SHUT_OUT)
    # And also once somebody else has changed something else.
    server.change(f"{app}/ios", {"alert": {"message": "Slow.", "blocking": False}})
    dialog(page).get_by_role("button", name="Review mine again").click()
    expect(dialog(page)).to_contain_text("Other gates stay as they are now.")
    expect(dialog(page)).not_to_contain_text(RETURNING)


def test_undo_of_a_gradual_opening_says_that_those_let_in_are_shut_out_again(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon."}})
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name="Open ").first.click()
    dialog(page).get_by_label("Let people in").select_option(label="gradually, over 10 minutes")
    expect(dialog(page)).to_contain_text("let in at a growing share")
    dialog(page).get_by_role("button", name="Open ").click()
    expect(dialog(page)).to_have_count(0)
    receipt(page).get_by_role("button", name="Undo").click()
    expect(dialog(page)).to_contain_text(SHUT_OUT)
    expect(dialog(page)).not_to_contain_text(RETURNING)
    dialog(page).get_by_role("button", name="Undo the change").click()
    expect(dialog(page)).to_have_count(0)
    kill = server.target(f"{app}/ios")["gate"]["killSwitch"]
    assert kill["message"] == "Back soon." and "opening" not in kill


@pytest.mark.parametrize("path", ["/", "/?state=open", "/schedule", "/t/{app}/ios"])
def test_dismissing_it_leaves_the_focus_at_its_target(windows, server, app, path):
    page = windows.open(server)
    block(page, f"{app}/ios", "Back soon.")
    path = path.format(app=app)
    page.goto(f"{server.admin}/#{path}")
    expect(page.locator("#main")).to_have_attribute("data-screen", path.split("?")[0])
    receipt(page).get_by_role("button", name="Dismiss").press("Enter")
    expect(receipt(page)).to_be_hidden()
    row = page.locator(f'[data-target="{app}/ios"] [data-row]')
    expect(row if path == "/" else page.get_by_role("heading", level=1)).to_be_focused()


def test_of_many_feeds_six_are_read_back_at_a_time(windows, start_server):
    """Those that wait in the browser's own line would run out of their time there, and the receipt would miss them."""
    server = start_server()
    for number in range(5):
        server.add_app(f"app{number}", f"App {number}", "ios", "android")
    page = windows.open(server)
    reading = []
    page.route("**/feeds/**", lambda route: reading.append(route))
    page.get_by_role("checkbox", name="Pick all that are shown").click()
    page.get_by_role("button", name="Block 10 targets").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_label("to confirm").fill("kill 10 targets")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page)).to_have_count(0)
    for answered in range(10):
        for _ in range(200):
            if len(reading) >= min(answered + 6, 10):
                break
            page.wait_for_timeout(20)
        assert len(reading) == min(answered + 6, 10)
        reading[answered].continue_()
    expect(receipt(page)).to_contain_text("feed published")


@pytest.mark.parametrize("path", ["/t/{app}/ios", "/schedule"])
def test_what_somebody_else_has_changed_since_is_said_at_once_and_is_not_the_receipts(windows, server, app, path):
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name="Block ").first.click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(receipt(page)).to_contain_text("feed published")
    page.goto(f"{server.admin}/#{path.format(app=app)}")
    expect(receipt(page)).to_have_attribute("data-state", "blocked")
    shape = receipt(page).locator(".receipt-what .shape").evaluate("(shape) => shape.innerHTML")
    server.change(f"{app}/ios", {"killSwitch": None})
    expect(receipt(page)).to_contain_text("since changed by tests, now OPEN")
    # Going elsewhere paints it again.
    page.goto(f"{server.admin}/#/history")
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    expect(receipt(page)).to_contain_text("since changed by tests, now OPEN")
    expect(receipt(page)).to_have_attribute("data-state", "blocked")
    expect(receipt(page)).to_have_attribute("data-superseded", "")
    assert receipt(page).locator(".receipt-what .shape").evaluate("(shape) => shape.innerHTML") == shape


def test_what_is_gone_meanwhile_is_said_and_cannot_be_undone(windows, server, app):
    windows.expected = {404}
    page = windows.open(server, f"/?q={app}")
    block(page, f"{app}/ios", "Back soon.")
    expect(receipt(page).get_by_role("button", name="Undo")).to_be_visible()
    server.call("DELETE", f"/apps/{app}", {"confirm": f"delete {app}"})
    expect(receipt(page)).to_contain_text("on iOS · no longer there")
    expect(receipt(page)).to_have_attribute("data-superseded", "")
    expect(receipt(page).get_by_role("button", name="Undo")).to_have_count(0)
    expect(receipt(page).get_by_role("button", name="Dismiss")).to_be_visible()


def test_a_press_on_undo_that_finds_nothing_there_says_so(windows, server, app):
    windows.expected = {404, "lost"}
    page = windows.open(server, f"/?q={app}")
    block(page, f"{app}/ios", "Back soon.")
    expect(receipt(page)).to_contain_text("feed published")
    # Somebody is faster by less than a poll.
    deaf(page)
    server.call("DELETE", f"/apps/{app}", {"confirm": f"delete {app}"})
    receipt(page).get_by_role("button", name="Undo").click()
    expect(receipt(page)).to_contain_text("no longer there")
    expect(receipt(page).get_by_role("button", name="Undo")).to_have_count(0)
    expect(dialog(page)).to_have_count(0)


def test_of_several_targets_what_is_left_is_undone_and_what_is_gone_is_named(windows, server, app):
    windows.expected = {404}
    name = app.capitalize()
    server.call("PUT", f"/apps/{app}/platforms/macos", {})
    page = windows.open(server, f"/?q={app}")
    page.get_by_role("checkbox", name=f"Pick all of {name}").check()
    page.get_by_role("button", name="Block 3 targets…").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_label("to confirm").fill("kill 3 targets")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(receipt(page)).to_contain_text("Blocked 3 targets")
    expect(receipt(page)).to_contain_text("feed published")
    server.change(f"{app}/ios", {"alert": {"message": "Theirs.", "blocking": False}})
    expect(receipt(page)).to_contain_text("1 of them since changed")
    server.call("DELETE", f"/apps/{app}/platforms/android", {"confirm": f"delete {app}/android"})
    expect(receipt(page)).to_contain_text("1 of them since changed, 1 no longer there")
    receipt(page).get_by_role("button", name="Undo").click()
    expect(dialog(page).get_by_role("heading", level=2)).to_have_text("Undo the change of 2 targets in STAGING")
    expect(dialog(page).locator(".callout").first).to_have_text(f"{name} on Android: no longer there, so nothing is taken back there.")
    dialog(page).get_by_role("button", name="Cancel").click()
    server.call("DELETE", f"/apps/{app}/platforms/macos", {"confirm": f"delete {app}/macos"})
    expect(receipt(page)).to_contain_text("2 no longer there")
    receipt(page).get_by_role("button", name="Undo").click()
    expect(dialog(page).locator(".callout").first).to_have_text(f"{name} on Android and macOS: no longer there, so nothing is taken back there.")
    dialog(page).get_by_role("button", name="Undo the change of 1 target in STAGING").click()
    expect(dialog(page)).to_have_count(0)
    assert set(server.target(f"{app}/ios")["gate"]) == {"alert"}
