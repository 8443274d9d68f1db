"""The overview: an app a row, several targets by one dialog, and a list that stays where one has just looked at it."""

import datetime
import itertools
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from gatehouse_server import PASSWORD, Server
from steps import deaf, dialog, later, moment_in_utc

numbers = itertools.count(1)
MANY = 100


@pytest.fixture
def five(protected_server):
    """The keys of five apps of this test's own, on two platforms each, in an environment that wants a reason and a phrase."""
    stem = f"row{next(numbers)}"
    keys = [f"{stem}{letter}" for letter in "abcde"]
    for key in keys:
        protected_server.add_app(key, key.capitalize(), "ios", "android")
    return stem, keys


@pytest.fixture(scope="module")
def large_server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("large"), environment="staging")
    for number in range(MANY):
        server.add_app(f"app{number:02}", f"App {number:02}", "ios", "android")
    yield server
    server.stop()


def row(page, app):
    return page.locator(".app-row").filter(has=page.get_by_role("heading", level=2, name=re.compile(f"^{app}", re.IGNORECASE)))


def cell(page, target):
    return page.locator(f'.target-row[data-target="{target}"]')


def pick(page, target):
    return cell(page, target).get_by_role("checkbox", name="Pick ")


def bar(page):
    return page.get_by_role("region", name="Picked targets")


def find(page, text):
    page.get_by_role("searchbox", name="Filter").fill(text)


def commits(page):
    """What is sent that is no question."""
    sent = []
    page.on("request", lambda request: sent.append(request.post_data_json) if request.method == "POST" and request.url.endswith("/changes") and not request.post_data_json.get("dryRun") else None)
    return sent


def assert_all_blocked(server, page, keys, sent):
    expect(dialog(page)).to_have_count(0)
    names = [f"{key}/{platform}" for key in keys for platform in ("android", "ios")]
    assert [server.target(name)["gate"]["killSwitch"]["message"] for name in names] == ["Back soon."] * 10
    assert len(sent) == 1
    assert len({server.changes(name)[0]["sequence"] for name in names}) == 1
    for name in names:
        expect(cell(page, name)).to_contain_text("BLOCKED")


@pytest.mark.parametrize("width", [390, 1280])
def test_five_apps_on_both_platforms_are_blocked_by_one_dialog_and_one_phrase_by_mouse(windows, protected_server, five, width):
    stem, keys = five
    page = windows.open(protected_server, width=width, height=800)
    sent = commits(page)
    find(page, stem)
    for key in keys:
        row(page, key).get_by_role("checkbox", name="Pick all of ").check()
    bar(page).get_by_role("button", name="Block 10 targets…").click()
    shown = dialog(page)
    expect(shown.get_by_role("heading", name="Block 10 targets in PRODUCTION", exact=True)).to_be_visible()
    shown.get_by_label("Message").fill("Back soon.")
    shown.get_by_label("Reason").fill("INC-41")
    shown.get_by_label("Type kill 10 targets to confirm").fill("kill 10 targets")
    shown.get_by_role("button", name="Block 10 targets in PRODUCTION", exact=True).click()
    assert_all_blocked(protected_server, page, keys, sent)
    expect(bar(page)).to_be_hidden()


def test_five_apps_on_both_platforms_are_blocked_with_the_keyboard_alone(windows, protected_server, five):
    stem, keys = five
    page = windows.open(protected_server)
    sent = commits(page)
    expect(row(page, keys[0])).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type(stem)
    expect(page.locator(".app-row")).to_have_count(5)
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.target-row .pick-box')"):
            break
    expect(pick(page, f"{keys[0]}/android")).to_be_focused()
    page.keyboard.press("Space")
    for _ in range(9):
        page.keyboard.press("j")
        page.keyboard.press("x")
    expect(bar(page)).to_contain_text("10 targets picked")
    page.keyboard.press("b")
    expect(dialog(page).get_by_label("Message")).to_be_focused()
    page.keyboard.type("Back soon.")
    for label, text in (("Reason", "INC-42"), ("to confirm", "kill 10 targets")):
        field = dialog(page).get_by_label(label)
        expect(field).to_be_visible()
        for _ in range(30):
            page.keyboard.press("Tab")
            if field.evaluate("(field) => field === document.activeElement"):
                break
        expect(field).to_be_focused()
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    assert_all_blocked(protected_server, page, keys, sent)


def test_the_ring_of_a_row_is_whole_also_at_the_edge_of_its_panel(windows, server, app):
    page = windows.open(server, f"/?q={app}", width=390, height=800, has_touch=True, is_mobile=True)
    expect(page.locator(".target-row")).to_have_count(2)
    for _ in range(2):
        page.keyboard.press("j")
        assert page.evaluate("""() => {
            const [link, panel] = [document.activeElement, document.activeElement.closest(".app-row")].map((one) => one.getBoundingClientRect());
            const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(document.activeElement);
            const reach = parseFloat(outlineWidth) + parseFloat(outlineOffset);
            return outlineStyle === "solid" && link.top - reach >= panel.top && link.bottom + reach <= panel.bottom;
        }""")


def test_where_there_is_nothing_to_pick_no_words_ask_to_pick_all(windows, server, app):
    page = windows.open(server, f"/?q={app}", width=390, height=800)
    words = page.locator(".list-head").get_by_text("Pick all that are shown")
    expect(words).to_be_visible()
    page.get_by_role("searchbox", name="Filter").fill(f"{app} ios")
    expect(page.locator(".target-row")).to_have_count(1)
    expect(words).to_be_hidden()
    assert page.locator(".list-head").bounding_box()["height"] < 10


def test_the_wrong_phrase_sends_nothing(windows, protected_server, five):
    stem, keys = five
    page = windows.open(protected_server)
    sent = commits(page)
    find(page, stem)
    page.get_by_role("checkbox", name="Pick all that are shown").check()
    bar(page).get_by_role("button", name="Block 10 targets…").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_label("Reason").fill("INC-43")
    dialog(page).get_by_label("to confirm").fill("kill 9 targets")
    dialog(page).get_by_role("button", name="Block ").press("Enter")
    expect(dialog(page).get_by_label("to confirm")).to_be_focused()
    assert sent == []


def test_what_is_blocked_already_keeps_its_own_text_and_several_are_opened_by_one_confirm(windows, server):
    key = f"row{next(numbers)}"
    server.add_app(key, key.capitalize(), "ios", "android", "macos")
    server.change(f"{key}/ios", {"killSwitch": {"message": "Its own text."}})
    page = windows.open(server, f"/?q={key}")
    page.get_by_role("checkbox", name=f"Pick all of {key.capitalize()}").check()
    expect(bar(page).get_by_role("button", name="Open 1 target…")).to_be_visible()
    bar(page).get_by_role("button", name="Block 2 targets…").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    dialog(page).get_by_label("to confirm").fill("kill 2 targets")
    dialog(page).get_by_role("button", name="Block ").click()
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{key}/ios")["gate"]["killSwitch"]["message"] == "Its own text."
    # What was done is picked no more; what was not still is.
    expect(bar(page)).to_contain_text("1 target picked")
    page.get_by_role("checkbox", name=f"Pick all of {key.capitalize()}").check()
    bar(page).get_by_role("button", name="Open 3 targets…").click()
    expect(dialog(page)).to_contain_text("Its own text.")
    dialog(page).get_by_role("button", name="Open 3 targets in STAGING").click()
    expect(dialog(page)).to_have_count(0)
    assert {server.target(f"{key}/{platform}")["state"] for platform in ("ios", "android", "macos")} == {"open"}


@pytest.mark.parametrize("heard", [True, False])
def test_a_target_that_somebody_changes_meanwhile_is_named_and_all_is_planned_anew(windows, server, app, heard):
    windows.expected = {412, "lost"}
    page = windows.open(server, f"/?q={app}")
    expect(pick(page, f"{app}/ios")).to_be_visible()
    if not heard:
        deaf(page)
    page.get_by_role("checkbox", name=f"Pick all of {app.capitalize()}").check()
    bar(page).get_by_role("button", name="Block 2 targets…").click()
    dialog(page).get_by_label("Message").fill("Back soon.")
    phrase = dialog(page).get_by_label("to confirm")
    phrase.fill("kill 2 targets")
    expect(dialog(page).locator(".headline")).to_have_count(2)
    go = dialog(page).get_by_role("button", name="Block 2 targets")
    expect(go).to_be_enabled()
    server.change(f"{app}/android", {"alert": {"message": "Theirs.", "blocking": False}})
    if not heard:
        go.click()
    news = dialog(page).locator(".dialog-news")
    expect(news).to_contain_text(f"{app.capitalize()} on Android has moved: Changed by tests")
    expect(news).not_to_contain_text("iOS")
    # The facts are others, so what was typed for the old ones is void; what was written is not.
    expect(phrase).to_have_value("")
    expect(dialog(page).get_by_label("Message")).to_have_value("Back soon.")
    expect(dialog(page).locator(".headline").filter(has_text="NOTICE")).to_have_count(1)
    assert server.target(f"{app}/ios")["state"] == "open"
    phrase.fill("kill 2 targets")
    go.click()
    expect(dialog(page)).to_have_count(0)
    assert set(server.target(f"{app}/android")["gate"]) == {"alert", "killSwitch"}


def test_a_range_is_picked_with_shift_and_what_is_filtered_away_stays_picked_and_is_counted(windows, protected_server, five):
    stem, keys = five
    page = windows.open(protected_server, f"/?q={stem}")
    pick(page, f"{keys[0]}/ios").check()
    pick(page, f"{keys[2]}/android").click(modifiers=["Shift"])
    expect(bar(page)).to_contain_text("4 targets picked")
    for name, on in (("0/android", False), ("0/ios", True), ("1/android", True), ("1/ios", True), ("2/android", True), ("2/ios", False)):
        number, platform = name.split("/")
        expect(pick(page, f"{keys[int(number)]}/{platform}")).to_be_checked(checked=on)
    some = row(page, keys[2]).get_by_role("checkbox", name="Pick all of ")
    assert some.evaluate("(box) => box.indeterminate")
    find(page, keys[4])
    expect(bar(page)).to_contain_text("4 targets picked, 4 of them not shown")
    bar(page).get_by_role("button", name="Pick none").click()
    expect(bar(page)).to_be_hidden()
    # None of them is shown, so the focus goes to the heading.
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    find(page, keys[1])
    pick(page, f"{keys[1]}/ios").check()
    bar(page).get_by_role("button", name="Pick none").press("Enter")
    expect(page.locator(f'[data-target="{keys[1]}/ios"] [data-row]')).to_be_focused()


def test_only_what_somebody_may_change_can_be_picked(windows, server, app):
    windows.expected = {401}
    server.call("POST", "/users", {"username": f"v{app}", "password": PASSWORD, "role": "viewer", "apps": None})
    server.call("POST", "/users", {"username": f"o{app}", "password": PASSWORD, "role": "operator", "apps": [app]})
    for username, count in ((f"v{app}", 0), (f"o{app}", 2)):
        page = windows.open(server, f"/?q={app}", signed_in=False)
        page.get_by_label("Username").fill(username)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.locator(".target-row")).to_have_count(2)
        expect(page.get_by_role("checkbox", name="Pick ").filter(visible=True)).to_have_count(count + 2 if count else 0)
        page.get_by_role("link", name="iOS").focus()
        page.keyboard.press("x")
        expect(bar(page)).to_be_visible(visible=count > 0)


def test_one_hundred_apps_are_rows_of_one_line_that_use_the_width(windows, large_server):
    page = windows.open(large_server, width=1280, height=800)
    expect(page.locator(".app-row")).to_have_count(MANY)
    boxes = page.locator(".app-row").evaluate_all("rows => rows.map((row) => row.getBoundingClientRect()).map(({ height, width }) => [height, width])")
    assert max(height for height, _ in boxes) <= 38
    assert min(width for _, width in boxes) >= 1280 * 0.95
    # A column for each platform, so that one can look down it.
    assert len(set(page.get_by_role("link", name="iOS").evaluate_all("links => links.map((link) => Math.round(link.getBoundingClientRect().x))"))) == 1


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_it_is_one_column_without_sideways_scroll_while_targets_are_picked_too(windows, large_server, width):
    page = windows.open(large_server, width=width, height=664, has_touch=True)
    pick(page, "app00/ios").check()
    pick(page, "app00/android").check()
    expect(bar(page).get_by_role("button", name="Block 2 targets…")).to_be_in_viewport()
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert page.locator(".target-row").first.bounding_box()["width"] > width * 0.85
    bar(page).get_by_role("button", name="Block 2 targets…").click()
    expect(dialog(page).get_by_label("Message")).to_be_focused()
    assert dialog(page).evaluate("(dialog) => [dialog, ...dialog.querySelectorAll('.dialog-body')].every((box) => box.scrollWidth <= box.clientWidth + 1)")


@pytest.mark.parametrize(("width", "text_size"), [(320, 100), (320, 200), (390, 100), (390, 200)])
def test_on_a_phone_the_buttons_for_what_is_picked_are_whole_and_apart(windows, start_server, width, text_size):
    server = start_server()
    for number in range(22):
        server.add_app(f"app{number:02}", f"App {number:02}", "ios")
    for number in range(10):
        server.change(f"app{number:02}/ios", {"killSwitch": {"message": "Back soon."}})
    page = windows.open(server, width=width, height=664, has_touch=True)
    expect(page.locator(".target-row")).to_have_count(22)
    page.evaluate("(size) => { document.documentElement.style.fontSize = `${size}%`; }", text_size)
    for number in range(22):
        pick(page, f"app{number:02}/ios").check()
    buttons = bar(page).get_by_role("button", name="targets…")
    expect(buttons).to_have_text(["Block 12 targets…", "Open 10 targets…"])
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    # With the text itself, which may stand out of its button.
    boxes = buttons.evaluate_all("""(buttons) => buttons.map((button) => {
        const text = document.createRange();
        text.selectNodeContents(button);
        return [button.getBoundingClientRect(), text.getBoundingClientRect()].map(({ left, right, top, bottom }) => [left, right, top, bottom]);
    })""")
    for (left, right, top, bottom), (text_left, text_right, text_top, text_bottom) in boxes:
        assert 0 <= left <= text_left and text_right <= right <= width and top <= text_top and text_bottom <= bottom
    (first, _), (second, _) = boxes
    assert first[1] <= second[0] or first[3] <= second[2]


def test_a_changed_row_stays_in_its_place_until_the_next_visit(windows, large_server):
    page = windows.open(large_server)
    expect(page.locator(".app-row").nth(70)).to_contain_text("App 70")
    large_server.change("app70/ios", {"killSwitch": {"message": "Back soon."}})
    expect(cell(page, "app70/ios")).to_contain_text("BLOCKED")
    expect(page.locator(".app-row").nth(70)).to_contain_text("App 70")
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    page.get_by_role("link", name="Overview").click()
    expect(page.locator(".app-row").first).to_contain_text("App 70")
    # Or when somebody wants it: opened again it is the first still, until it is asked for.
    large_server.change("app70/ios", {"killSwitch": None})
    expect(cell(page, "app70/ios")).to_contain_text("OPEN")
    expect(page.locator(".app-row").first).to_contain_text("App 70")
    page.get_by_role("button", name="Worst first again").click()
    expect(page.locator(".app-row").nth(70)).to_contain_text("App 70")
    expect(page.get_by_role("button", name="Worst first again")).to_be_hidden()


def test_back_returns_to_where_the_overview_was_left(windows, large_server):
    page = windows.open(large_server)
    link = cell(page, "app60/ios").get_by_role("link")
    link.scroll_into_view_if_needed()
    top = page.evaluate("scrollY")
    assert top > 500
    link.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("App 60 · iOS")
    assert page.evaluate("scrollY") == 0
    page.go_back()
    expect(link).to_be_focused()
    expect(link).to_be_in_viewport()
    assert page.evaluate("scrollY") == top
    # The way by a link is another visit, and begins at the top.
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", level=1, name="History")).to_be_focused()
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", level=1, name="Overview")).to_be_focused()
    assert page.evaluate("scrollY") == 0


def test_enter_in_the_filter_opens_the_only_match(windows, large_server):
    page = windows.open(large_server)
    expect(page.locator(".app-row")).to_have_count(MANY)
    count = page.get_by_role("status").filter(has_text="targets")
    expect(count).to_have_text("200 targets of 100 apps")
    page.keyboard.press("/")
    page.keyboard.type("app 07")
    expect(count).to_have_text("2 of 200 targets shown")
    # Two platforms are two matches: the first is only gone to.
    page.keyboard.press("Enter")
    expect(cell(page, "app07/android").get_by_role("link")).to_be_focused()
    find(page, "app 07 ios")
    expect(count).to_have_text("1 of 200 targets shown")
    page.get_by_role("searchbox", name="Filter").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("App 07 · iOS")


def test_escape_leaves_the_filter_and_the_next_key_is_for_what_was_found(windows, large_server):
    page = windows.open(large_server)
    expect(page.locator(".app-row")).to_have_count(MANY)
    page.keyboard.press("/")
    page.keyboard.type("app 07")
    expect(page.locator(".app-row")).to_have_count(1)
    page.keyboard.press("Escape")
    field = page.get_by_role("searchbox", name="Filter")
    expect(field).not_to_be_focused()
    page.keyboard.press("j")
    expect(cell(page, "app07/android").get_by_role("link")).to_be_focused()
    expect(field).to_have_value("app 07")
    # Back in it one goes on where one was.
    page.keyboard.press("/")
    expect(field).to_be_focused()
    page.keyboard.type(" ios")
    expect(page.locator(".target-row")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing_in_picked_rows_and_in_their_dialog(windows, large_server, width, scheme):
    page = windows.open(large_server, "/?q=app%201", width=width, height=800, color_scheme=scheme)
    page.get_by_role("checkbox", name="Pick all that are shown").check()

    def look():
        found = Axe().run(page, options={"rules": {"target-size": {"enabled": True}}}).response["violations"]
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []

    look()
    bar(page).get_by_role("button", name="Block ").click()
    dialog(page).get_by_role("button", name="Block ").press("Enter")
    expect(dialog(page).locator("[aria-invalid=true]").first).to_be_visible()
    expect(dialog(page).locator(".outcome").first).to_be_visible()
    look()


@pytest.mark.parametrize("rules", [
    {"killSwitch": {"message": "Back soon."}}, {"forceUpdate": {"message": "Back soon."}}, {"alert": {"message": "Back soon.", "blocking": True}},
], ids=["kill switch", "forced update", "blocking alert"])
def test_a_block_that_lasts_asks_whether_it_is_still_needed_while_the_page_stays_open(overview, server, app, rules):
    page, row = overview
    server.change(f"{app}/ios", rules)
    expect(row).to_contain_text("Back soon.")
    expect(row.get_by_text("Still needed?")).to_be_hidden()
    later(page, minutes=61)
    expect(row.get_by_text("Still needed?")).to_be_visible()


@pytest.mark.parametrize("opening", [False, True], ids=["at once", "gradually"])
def test_a_block_that_ends_another_day_says_which(windows, server, app, opening):
    now = datetime.datetime.now(datetime.timezone.utc)
    # An app opens gradually within a day at most.
    until = now + (datetime.timedelta(hours=23, minutes=30) if opening else datetime.timedelta(days=3, hours=4, minutes=30))
    said = lambda at: at.strftime("%Y-%m-%dT%H:%M:%SZ")
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon.", "until": said(until)} | ({"opening": said(now)} if opening else {})})
    page = windows.open(server, f"/?q={app}")
    row = cell(page, f"{app}/ios")
    if opening:
        expect(row).to_contain_text(f"until {moment_in_utc(until)}")
    else:
        expect(row).to_contain_text(f"opens by itself {moment_in_utc(until)} (in\u00a03\u00a0d\u00a04\u00a0h)")


def test_a_message_written_for_some_targets_is_not_filled_in_for_others(windows, server, app):
    other = f"{app}x"
    server.add_app(other, other.capitalize(), "ios")
    page = windows.open(server)

    def open_for(*names):
        page.goto(f"{server.admin}/#/schedule")
        page.goto(f"{server.admin}/#/")
        for name in names:
            pick(page, name).check()
        page.get_by_role("button", name="Block 2 targets…").click()
        return dialog(page).get_by_label("Message")

    open_for(f"{app}/ios", f"{app}/android").fill("Shop is closed for inventory.")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    expect(open_for(f"{app}/ios", f"{other}/ios")).to_have_value("")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    expect(open_for(f"{app}/android", f"{app}/ios")).to_have_value("Shop is closed for inventory.")


@pytest.mark.parametrize("width", [390, 1280])
def test_a_long_reason_and_a_long_text_of_a_window_do_not_push_the_next_app_out_of_sight(windows, server, app, width):
    long = "Waiting for the payment provider to confirm that the incident is over. " * 4
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon."}}, reason=long.strip())
    server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": server.target(f"{app}/ios")["revision"]}], "set": {"alert": {"message": long.strip(), "blocking": False}},
        "start": {"wallTime": "2099-03-30T09:00", "zone": "Europe/Berlin"}, "end": {"wallTime": "2099-03-30T09:30", "zone": "Europe/Berlin"},
    })
    page = windows.open(server, f"/?q={app}", width=width)
    texts = cell(page, f"{app}/ios").locator("bdi")
    expect(texts).to_have_count(2)
    lines = texts.evaluate_all("(texts) => texts.map((text) => Math.round(text.clientHeight / parseFloat(getComputedStyle(text).lineHeight)))")
    assert lines == [2, 2]
    assert [long.strip() in title for title in texts.evaluate_all("(texts) => texts.map((text) => text.title)")] == [True, True]
    # How far off it is stays to be read.
    expect(cell(page, f"{app}/ios").locator(".window-line gh-ago")).to_be_visible()


def test_a_reason_from_right_to_left_leaves_its_dot_before_it(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon."}}, reason="صيانة مجدولة")
    page = windows.open(server, f"/?q={app}")
    for path, facts in ((None, f".target-row[data-target='{app}/ios'] .facts"), (f"/history?app={app}", ".change .facts")):
        if path:
            page.goto(f"{server.admin}/#{path}")
        fact = page.locator(f"{facts} > *").filter(has_text="صيانة").first
        expect(fact).to_be_visible()
        assert fact.evaluate("(fact) => [fact, fact.firstElementChild].map((part) => part && getComputedStyle(part).direction)") == ["ltr", "rtl"]


@pytest.mark.parametrize("locale", ["ar-EG", "en-GB", "en-US"])
def test_times_stay_apart_from_the_words_around_them(windows, server, app, locale):
    server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": server.target(f"{app}/ios")["revision"]}], "set": {"killSwitch": {"message": "نعود قريبا."}},
        "start": {"wallTime": "2027-12-30T20:00", "zone": "America/Sao_Paulo"}, "end": {"wallTime": "2028-01-02T09:00", "zone": "America/Sao_Paulo"},
    })
    page = windows.open(server, "/schedule", locale=locale)
    card = page.locator(".window-card").filter(has_text=app.capitalize())
    line = card.locator(".window-line")
    expect(line).to_be_visible()
    assert line.evaluate("(line) => [line, ...line.querySelectorAll('*')].every((part) => part.tagName === 'BDI' || getComputedStyle(part).direction === 'ltr')")
    said = line.inner_text()
    if locale == "ar-EG":
        assert re.match(r"\u2068[^\u2069]+\u2069 – \u2068[^\u2069]+\u2069 Sao Paulo: block", said), said
    elif locale == "en-GB":
        # The weekday is written alike with a year and without one.
        assert said.startswith("Thu 30 Dec 2027, 20:00 – Sun 2 Jan 2028, 09:00 Sao Paulo: block"), said
    else:
        assert said.startswith("Thu, Dec 30, 2027, 08:00 PM – Sun, Jan 2, 2028"), said
    # Neither an offset nor a span of time is parted by the end of a line.
    times = card.locator(".window-times").inner_text()
    assert re.search(r"\(UTC−03:00\)", times), times
    assert re.search(r"in\u00a0\d+\u00a0d", times), times


@pytest.mark.parametrize("width", [900, 1024, 1200, 1280, 1440, 1920])
def test_when_an_open_target_last_changed_can_be_read_whole_at_every_width(windows, server, app, width):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Back soon."}})
    long_ago = (datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(hours=23, minutes=24)).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def aged(route):
        answer = route.fetch().json()
        for target in answer["items"]:
            target["since"] = target["lastChange"]["at"] = long_ago
        route.fulfill(json=answer)

    page = windows.open(server, path=None, width=width)
    page.route("**/api/v1/targets*", aged)
    page.goto(f"{server.admin}/#/?q={app}")
    facts = page.locator(".target-row[data-state=open] .facts").first
    expect(facts).to_contain_text("last change 23 h ago")
    cut = facts.evaluate("""(facts) => {
        const words = document.createRange();
        words.selectNodeContents(facts);
        const [said, room, button] = [words, facts.closest(".target-row"), facts.closest(".target-row").querySelector(".switch")].map((one) => one.getBoundingClientRect());
        const beside = said.bottom > button.top && said.top < button.bottom && said.right > button.left;
        return facts.scrollWidth > facts.clientWidth + 1 || said.right > room.right || said.bottom > room.bottom + 1 || said.width < 100 || beside;
    }""")
    assert not cut
