"""After every dialog the focus is on something in view that has to do with what happened: the receipt, or what takes it back."""

import itertools
import re

import pytest
from playwright.sync_api import expect

from gatehouse_server import PASSWORD
from steps import dialog, kill_switch, wait_until

numbers = itertools.count(1)

# What has the focus, in one word; or why that is nowhere.
PLACE = """() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return "nowhere";
    const { top, bottom, left, right } = focused.getBoundingClientRect();
    const x = (left + right) / 2, y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return "out of view";
    const at = document.elementFromPoint(x, y);
    if (!at || !(focused.contains(at) || at.contains(focused))) return "covered";
    if (focused.closest(".receipt")) return "receipt";
    return focused.dataset.key?.split(" ")[0] ?? focused.tagName;
}"""

TAKES_BACK = {"receipt", "kill", "main", "switch", "undo", "link"}


def gate(page, name):
    return page.locator(".gate-row").filter(has=page.get_by_role("switch", name=name))


def write(page, **fields):
    for label, text in fields.items():
        dialog(page).get_by_role("textbox", name=label.replace("_", " ")).fill(text)
    tick = dialog(page).get_by_role("checkbox", name="can be downloaded")
    if tick.count():
        tick.check()


class Case:
    """One dialog: what is there before, where it is opened, how, what is written in it, and where the focus belongs afterwards."""

    def __init__(self, name, path, open, fields=None, *, before=None, phrase=None, after=TAKES_BACK, prepare=None):
        self.name, self.path, self.open, self.fields, self.before = name, path, open, fields or {}, before or {}
        self.phrase, self.after, self.prepare = phrase, after, prepare


KILLED = {"killSwitch": {"message": "Back soon."}}
ALERT = {"alert": {"message": "Slow.", "blocking": False}}
TEXT = {"Message": "Back soon."}


def all_of(page, verb):
    page.get_by_role("checkbox", name="Pick all of ").check()
    page.get_by_role("button", name=f"{verb} 2 targets…").click()


def by_key(page, app, key):
    page.locator(f'[data-target="{app}/ios"]').get_by_role("link").focus()
    page.keyboard.press(key)


def from_receipt(page, app):
    kill_switch(page, f"{app}/ios").click()
    write(page, **TEXT)
    dialog(page).locator("button[type=submit]").click()
    expect(dialog(page)).to_have_count(0)
    page.get_by_role("region", name="Last change").get_by_role("button", name="Undo").click()


def from_menu(page, rule, item):
    gate(page, rule).get_by_label(f"More: {rule}").click()
    gate(page, rule).get_by_role("button", name=item).click()


def window(server, app):
    server.call("POST", "/windows", {
        "targets": [{"app": app, "platform": "ios", "revision": server.target(f"{app}/ios")["revision"]}], "set": KILLED,
        "start": {"wallTime": "2099-03-30T09:00", "zone": "Europe/Berlin"}, "end": {"wallTime": "2099-03-30T09:30", "zone": "Europe/Berlin"},
    })


def of_window(page, app, name):
    page.locator(".panel").filter(has_text=app.capitalize()).get_by_role("button", name=name).click()


def delete_person(page, name):
    panel = page.locator(".panel").filter(has=page.get_by_role("heading", name=name, exact=True))
    panel.locator("details:not([open]) > summary").or_(panel.get_by_role("button", name="Delete ")).first.click()
    if not dialog(page).count():
        panel.get_by_role("button", name="Delete ").click()


CASES = [
    Case("block by switch", "/?q={app}", lambda page, app: kill_switch(page, f"{app}/ios").click(), TEXT),
    Case("open by switch", "/?q={app}", lambda page, app: kill_switch(page, f"{app}/ios").click(), before=KILLED),
    Case("block by key", "/?q={app}", lambda page, app: by_key(page, app, "b"), TEXT),
    Case("open by key", "/?q={app}", lambda page, app: by_key(page, app, "o"), before=KILLED),
    Case("block several", "/?q={app}", lambda page, app: all_of(page, "Block"), TEXT, phrase="kill 2 targets"),
    Case("undo", "/?q={app}", from_receipt),
    Case("block by button", "/t/{app}/ios", lambda page, app: page.get_by_role("button", name="Block ").filter(visible=True).first.click(), TEXT),
    Case("open by button", "/t/{app}/ios", lambda page, app: page.get_by_role("button", name="Open ").filter(visible=True).first.click(), before=KILLED),
    Case("block by row", "/t/{app}/ios", lambda page, app: gate(page, "Kill switch").get_by_role("button", name="Set").click(), TEXT),
    Case("set a minimum version", "/t/{app}/ios", lambda page, app: gate(page, "Minimum version").get_by_role("switch").click(), {"Minimum_version": "4.2.0", "Message": "Please update."}),
    Case("force an update", "/t/{app}/ios", lambda page, app: gate(page, "Forced update").get_by_role("button", name="Set").click(), {"Message": "Please update."}),
    Case("suggest a version", "/t/{app}/ios", lambda page, app: gate(page, "Optional update").get_by_role("switch").click(), {"Version_to_suggest": "4.2.0", "Message": "New."}),
    Case("edit an alert", "/t/{app}/ios", lambda page, app: gate(page, "Alert").get_by_role("button", name="Edit").click(), {"Message": "Slower."}, before=ALERT),
    Case("clear an alert", "/t/{app}/ios", lambda page, app: gate(page, "Alert").get_by_role("switch").click(), before=ALERT),
    Case("clear by menu", "/t/{app}/ios", lambda page, app: from_menu(page, "Alert", "Clear…"), before=ALERT),
    Case("revert", "/history/{sequence}", lambda page, app: page.get_by_role("button", name="Revert to before this…").click(), before=ALERT),
    Case("run a window", "/schedule", lambda page, app: of_window(page, app, "Run now…"), prepare=window, after={"H1", "receipt", "cancel"}),
    Case("cancel a window", "/schedule", lambda page, app: of_window(page, app, "Cancel this window…"), prepare=window, after={"H1"}),
    Case("delete a platform", "/settings/apps/{app}", lambda page, app: page.get_by_role("button", name=f"Delete {app.capitalize()} on iOS…").click(), phrase="delete {app}/ios", after={"H2"}),
    Case("delete an app", "/settings/apps/{app}", lambda page, app: page.get_by_role("button", name=f"Delete {app.capitalize()}…").click(), phrase="delete {app}", after={"H1"}),
    Case("open several", "/?q={app}", lambda page, app: all_of(page, "Open"), prepare=lambda server, app: [server.change(f"{app}/{platform}", KILLED) for platform in ("ios", "android")]),
    Case("revoke a token", "/settings/tokens", lambda page, app: page.get_by_role("button", name=f"Revoke {app}…").click(), prepare=lambda server, app: server.own_token(app), after={"UL"}),
    Case("delete a person", "/settings/people", lambda page, app: delete_person(page, app), prepare=lambda server, app: server.call("POST", "/users", {"username": app, "role": "viewer", "password": PASSWORD}), after={"UL"}),
    Case("keys", "/?q={app}", lambda page, app: by_key(page, app, "?"), after=None),
]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_focus_after_a_dialog_is_in_view_and_has_to_do_with_what_happened(windows, server, app, case, width):
    if case.before:
        server.change(f"{app}/ios", case.before)
    if case.prepare:
        case.prepare(server, app)
    path = case.path.format(app=app, sequence=server.changes(f"{app}/ios")[0]["sequence"])
    page = windows.open(server, path, width=width, height=664)
    page.locator("main h1").first.wait_for()

    case.open(page, app)
    expect(dialog(page)).to_be_visible()
    if case.after is not None:
        # The button says what it does, and to what.
        name = app if case.path.startswith(("/settings/tokens", "/settings/people")) else app.capitalize()
        expect(dialog(page).locator("button[type=submit]")).to_contain_text(re.compile(rf"^[A-Z][a-z]+ .*({name}|2 targets)"))
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    assert page.evaluate(PLACE) not in ("nowhere", "out of view", "covered")
    if case.after is None:
        return

    if case.name == "undo":
        page.get_by_role("region", name="Last change").get_by_role("button", name="Undo").click()
    else:
        case.open(page, app)
    write(page, **case.fields)
    if case.phrase:
        dialog(page).get_by_label("to confirm").fill(case.phrase.format(app=app))
    go = dialog(page).locator("button[type=submit]")
    expect(go).not_to_have_attribute("aria-disabled", "true")
    go.click()
    expect(dialog(page)).to_have_count(0)
    wait_until(page, f"(expected) => expected.includes(({PLACE})())", sorted(case.after), seconds=5)
    if case.after == TAKES_BACK:
        # What comes after it paints the receipt and the row anew.
        expect(page.get_by_role("region", name="Last change")).to_contain_text("✓ feed published")
        assert page.evaluate(PLACE) in case.after


def test_what_a_menu_of_a_row_opens_leaves_the_page_there_and_gives_the_focus_back(windows, server, app):
    server.change(f"{app}/ios", ALERT)
    page = windows.open(server, f"/t/{app}/ios", height=500)
    gate(page, "Alert").get_by_label("More: Alert").click()
    top = page.evaluate("scrollY")
    assert top > 0
    gate(page, "Alert").get_by_role("button", name="Clear…").click()
    expect(dialog(page)).to_be_visible()
    assert page.evaluate("scrollY") == top
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    expect(gate(page, "Alert").get_by_label("More: Alert")).to_be_focused()
    assert page.evaluate("scrollY") == top


def test_the_password_over_the_page_gives_the_focus_back(windows, server, app):
    windows.expected = {401}
    page = windows.open(server, f"/?q={app}", signed_in=False)
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    kill_switch(page, f"{app}/ios").focus()
    page.context.clear_cookies()
    again = page.get_by_role("dialog", name="Your session has ended")
    again.get_by_label("Password", exact=True).fill(PASSWORD)
    again.get_by_role("button", name="Sign in").click()
    expect(dialog(page)).to_have_count(0)
    expect(kill_switch(page, f"{app}/ios")).to_be_focused()


def test_a_key_on_a_row_leaves_the_focus_there_for_the_next(windows, server, app):
    page = windows.open(server, f"/?q={app}")
    row = page.locator(f'[data-target="{app}/ios"]').get_by_role("link")
    row.focus()
    page.keyboard.press("b")
    write(page, **TEXT)
    dialog(page).locator("button[type=submit]").click()
    expect(dialog(page)).to_have_count(0)
    expect(row).to_be_focused()
    expect(page.get_by_role("region", name="Last change")).to_contain_text("✓ feed published")
    page.keyboard.press("o")
    dialog(page).get_by_role("button", name="Open ").click()
    expect(dialog(page)).to_have_count(0)
    expect(row).to_be_focused()


def test_a_dialog_of_the_bar_at_the_lower_edge_leaves_the_page_where_it_was(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios", width=390, height=664)
    main = page.locator(".bottom-bar .button")
    expect(main).to_be_visible()
    page.evaluate("scrollTo(0, 200)")
    wait_until(page, "() => scrollY === 200")
    box = main.bounding_box()
    for _ in range(3):
        # Playwright's own click may scroll first.
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(dialog(page)).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog(page)).to_have_count(0)
        expect(main).to_be_focused()
    assert page.evaluate("scrollY") == 200


def test_what_was_done_is_read_above_the_button_that_takes_it_back(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios", width=390, height=844)
    gate(page, "Alert").get_by_role("button", name="Set: Alert of ").press("Enter")
    write(page, Message="Slow today.")
    dialog(page).get_by_role("button", name="Publish ").click()
    receipt = page.get_by_role("region", name="Last change")
    expect(receipt.get_by_role("button", name="Undo the change of ")).to_be_focused()
    expect(receipt.locator("strong")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("rule", ["killSwitch", "alert"])
def test_a_switch_keeps_the_focus_and_stays_in_view_when_somebody_else_changes_the_target(windows, server, app, rule):
    page = windows.open(server, f"/t/{app}/ios", width=900, height=500)
    switch = page.locator(f"[data-key='switch {rule}']")
    switch.focus()
    switch.evaluate("(switch_) => switch_.scrollIntoView({ block: 'center' })")
    server.change(f"{app}/ios", {"optionalUpdate": {"optionalVersion": "4.3.0", "message": "4.3 is out."}})
    expect(gate(page, "Optional update").get_by_role("switch")).to_be_checked()
    expect(switch).to_be_focused()
    assert page.evaluate(PLACE) not in ("nowhere", "out of view", "covered")


# What is used for a while, where it stands, and what says that the page has been painted anew.
KEPT = {
    "edit of a window": ("/schedule", "a[href*='new?w=']", ".window-card >> nth=1"),
    "copy of a window": ("/schedule", "a[href*='new?copy=']", ".window-card >> nth=1"),
    "address of a feed": ("/t/{app}/ios", ".feed-row button", ".change >> nth=1"),
    "code to paste": ("/t/{app}/ios", ".feed-code summary", ".change >> nth=1"),
    "last change": ("/t/{app}/ios", ".changes a", ".change >> nth=1"),
    "change before": ("/history/{sequence}", ".pager a", "[role=status]:has-text('changed by tests')"),
    "what phones saw": ("/history/{sequence}", "a[href*='revision=']", "[role=status]:has-text('changed by tests')"),
    "link to a question": ("/simulate?t={app}/ios", "[data-key='copy link']", ".sim-cell:has-text('OFFERED')"),
}


@pytest.mark.parametrize("name", KEPT)
def test_what_somebody_else_changes_takes_the_focus_from_nothing(windows, start_server, name):
    path, control, painted = KEPT[name]
    server = start_server()
    server.add_app("shop", "Shop", "ios")
    window(server, "shop")
    page = windows.open(server, path.format(app="shop", sequence=server.changes("shop/ios")[0]["sequence"]))
    used = page.locator(control).first
    used.focus()
    unfolds = used.evaluate("(used) => used.tagName === 'SUMMARY'")
    if unfolds:
        page.keyboard.press("Enter")
    label = used.evaluate("(used) => used.getAttribute('aria-label') ?? used.textContent")
    window(server, "shop")
    server.change("shop/ios", {"optionalUpdate": {"optionalVersion": "4.3.0", "message": "4.3 is out."}})
    expect(page.locator(painted).first).to_be_visible()
    focused = page.locator(":focus")
    expect(focused).to_have_count(1)
    assert focused.evaluate("(used) => used.getAttribute('aria-label') ?? used.textContent") == label
    if unfolds:
        assert focused.evaluate("(used) => used.parentElement.open")
