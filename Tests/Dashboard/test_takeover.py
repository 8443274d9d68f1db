"""Files of shapes of an app's own: said by pressing their values, compared with the feed that they become, and taken over."""

import json
import pathlib
import re

import pytest
from playwright.sync_api import expect

SHAPES = json.loads((pathlib.Path(__file__).parents[1] / "Shapes/own-shapes.json").read_text())
ON = {
    "killSwitch": {"message": "New kill.", "retryInterval": 15}, "forceUpdate": {"message": "New force."},
    "requiredUpdate": {"minimumVersion": "42", "message": "New require."}, "optionalUpdate": {"optionalVersion": "42", "message": "New offer."},
    "alert": {"message": "New alert.", "blocking": True},
}
WORDS = {"killSwitch": "kill", "forceUpdate": "force", "requiredUpdate": "required", "optionalUpdate": "optional", "alert": "alert"}


def meanings(shape):
    """What is meant, by the place as the screen spells it."""
    typed = (one.rsplit("=", 1) for one in shape["map"])
    return {re.sub(r"\['([\w-]+)'\]", r".\1", path): meaning for path, meaning in typed}


def open_file(windows, server, app, text, platform):
    page = windows.open(server, f"/settings/import?app={app}")
    page.get_by_label("The file’s text").fill(text)
    if not page.get_by_label("Platform of this file").is_visible():
        # It has a member that a library's file has, too.
        page.get_by_text("Read it differently").click()
        page.get_by_label("Format").select_option("own")
    page.get_by_label("Platform of this file").select_option(platform or "")
    page.get_by_role("button", name="Show what it would do").click()
    expect(page.get_by_role("heading", name="What its values mean")).to_be_visible()
    return page


def say(page, path, meaning):
    leaf = page.locator(f'.leaf[data-path="{path}"]')
    leaf.click()
    page.locator(".leaf-choice select").select_option(meaning)
    expect(leaf).to_be_focused()


def said(page):
    return {leaf.get_attribute("data-path"): leaf for leaf in page.locator(".leaf[data-means]").all()}


def take(page, server, app):
    # Another plan than the one that was read is not published by a press, so the last one is waited for.
    expect(page.locator(".import-plan[aria-busy]")).to_have_count(0)
    confirm = page.get_by_label("to confirm")
    if confirm.is_visible():
        confirm.fill(page.locator(".phrase").inner_text())
    page.get_by_role("button", name="Take over the file of").click()
    expect(page.get_by_role("heading", name="Taken over")).to_be_visible()


def value_at(document, path):
    for step in re.findall(r"\.([\w-]+)|\[(\d+)\]", path):
        document = document[step[0] or int(step[1])]
    return document


def is_on(value):
    return value.lower() in ("true", "on", "yes", "1") if isinstance(value, str) else bool(value)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape["name"])
def test_twelve_files_are_taken_over(windows, server, app, shape):
    # What may be null is said by the plan, and gone on over by a press.
    windows.expected = {422} if "accept" in shape else set()
    platform = shape.get("platform")
    page = open_file(windows, server, app, shape["file"], platform)
    wanted = meanings(shape)
    for path in said(page).keys() - wanted.keys():
        say(page, path, "")
    for path, meaning in wanted.items():
        say(page, path, meaning)
    if "accept" in shape:
        # The press is answered by a plan without the box, sooner than one could look whether it is checked.
        expect(page.locator(".import-plan[aria-busy]")).to_have_count(0)
        page.get_by_label("Publish it all the same. The history will say so.").click()
    expect(page.locator(".proof-match")).to_have_text("The feed is the file, byte for byte.")
    path = f"{app}/{platform + '/' if platform else ''}own/status.json"
    take(page, server, app)
    assert server.feed(path) == json.loads(shape["file"])

    for one in [platform] if platform else ["ios", "android"]:
        first = server.target(f"{app}/{one}")["gate"]
        for rule, content in ON.items():
            for value in (content, None):
                server.change(f"{app}/{one}", {rule: value})
                document = server.feed(path)
                for place, meaning in wanted.items():
                    word = meaning.removeprefix("!").removeprefix(f"{one}.")
                    if word == WORDS[rule]:
                        assert is_on(value_at(document, place)) == ((value is not None) != meaning.startswith("!")), (place, rule)
            server.change(f"{app}/{one}", {rule: first.get(rule)})
        assert server.feed(path) == json.loads(shape["file"])


def test_a_proposal_its_proof_and_the_old_address(windows, server, app):
    text = '{\n  "maintenance": false,\n  "message": "",\n  "limit": 3\n}\n'
    page = open_file(windows, server, app, text, "ios")
    assert {path: leaf.locator(".leaf-meaning").inner_text() for path, leaf in said(page).items()} == {
        "$.maintenance": "Kill switch, on when true", "$.message": "Text of the kill switch",
    }
    expect(page.locator(".proof-match")).to_have_text("The feed is the file, byte for byte.")
    flip = page.get_by_role("table", name="Once iOS is blocked")
    expect(flip.get_by_role("row")).to_have_text(["PlaceNowThen", "$.maintenancefalsetrue", '$.message"""We will be back soon."'])
    # Each word is answered at once, and nothing is written for it.
    say(page, "$.message", "")
    expect(flip.get_by_role("row")).to_have_text(["PlaceNowThen", "$.maintenancefalsetrue"])
    say(page, "$.message", "kill.message")
    page.get_by_label("Name of the feed").fill("state")
    page.get_by_label("Name of the feed").blur()
    expect(page.locator(".feed-path")).to_have_text(f"/feeds/{app}/ios/own/state.json")
    assert "ownFeeds" not in server.call("GET", f"/apps/{app}") or server.call("GET", f"/apps/{app}")["ownFeeds"] == []
    take(page, server, app)
    assert server.feed(f"{app}/ios/own/state.json") == json.loads(text)
    page.get_by_label("Path").fill(f"/{app}-state.json")
    page.get_by_role("button", name="Add an alias").click()
    expect(page.locator(".alias-list")).to_contain_text(f"/{app}-state.json")
    assert server.call("GET", f"/apps/{app}")["aliases"] == [{"path": f"/{app}-state.json", "feed": "own/state.json", "platform": "ios"}]


def test_what_says_nothing_can_be_said_all_the_same(windows, server, app):
    page = open_file(windows, server, app, '{"zustand": 0, "x": [1, {"y": null}]}', "android")
    assert said(page) == {}
    expect(page.get_by_text("says nothing about the kill switch")).to_be_visible()
    say(page, "$.zustand", "kill")
    expect(page.get_by_role("table", name="Once Android is blocked")).to_contain_text("$.zustand01")
    page.get_by_label("Name of the feed").fill("gate")
    windows.expected = {422}
    page.get_by_label("Name of the feed").blur()
    expect(page.locator(".error:visible")).to_contain_text("is no name of a feed")
    expect(page.get_by_role("button", name="Take over the file of")).to_have_count(0)


def test_a_proposal_that_is_refused_does_not_keep_one_from_saying_it(windows, server, app):
    # A text that is null while the rule is off: the proposal is refused as one that changes types.
    windows.expected = {422}
    page = open_file(windows, server, app, '{"maintenance": false, "message": null}', "ios")
    assert said(page) == {}
    say(page, "$.maintenance", "kill")
    expect(page.get_by_role("table", name="Once iOS is blocked")).to_contain_text("$.maintenancefalsetrue")


def hold_plans(page):
    """From now on the plans' answers wait to be let go."""
    waiting = []

    def hold(route):
        if not route.request.post_data_json.get("dryRun"):
            return route.continue_()
        answer = route.fetch()
        waiting.append(lambda: route.fulfill(response=answer))

    page.route("**/api/v1/import", hold)
    return waiting


def test_a_press_before_the_last_word_is_answered_takes_over_with_that_word(windows, server, app):
    page = open_file(windows, server, app, '{"maintenance": false, "message": "", "limit": 3}', "ios")
    expect(page.locator(".import-plan[aria-busy]")).to_have_count(0)
    waiting = hold_plans(page)
    say(page, "$.message", "")
    page.get_by_role("button", name="Take over the file of").click()
    expect(page.get_by_role("button", name="Publishing…")).to_be_visible()
    waiting[0]()
    expect(page.get_by_role("heading", name="Taken over")).to_be_visible()
    server.change(f"{app}/ios", {"killSwitch": {"message": "Not in the file."}})
    assert server.feed(f"{app}/ios/own/status.json") == {"maintenance": True, "message": "", "limit": 3}


def test_a_plan_that_nobody_has_seen_is_not_published(windows, server, app):
    page = open_file(windows, server, app, '{"maintenance": false, "locked": true}', "ios")
    if "$.locked" in said(page):
        say(page, "$.locked", "")
    expect(page.locator(".import-plan[aria-busy]")).to_have_count(0)
    waiting = hold_plans(page)
    say(page, "$.maintenance", "")
    say(page, "$.locked", "kill")
    page.get_by_role("button", name="Take over the file of").click()
    expect(page.get_by_role("button", name="Publishing…")).to_be_visible()
    for answer in waiting:
        answer()
    expect(page.get_by_text("What it would do has changed since you pressed")).to_be_visible()
    expect(page.get_by_role("heading", name="What changes")).to_be_focused()
    assert "killSwitch" not in server.target(f"{app}/ios")["gate"]
    page.unroute("**/api/v1/import")
    take(page, server, app)
    assert "killSwitch" in server.target(f"{app}/ios")["gate"]


def test_a_word_that_gets_no_answer_leaves_no_plan_to_press(windows, server, app):
    windows.expected = {"lost"}
    page = open_file(windows, server, app, '{"maintenance": false, "message": "", "limit": 3}', "ios")
    page.route("**/api/v1/import", lambda route: route.abort())
    say(page, "$.message", "")
    expect(page.get_by_text("The server does not answer.")).to_be_visible()
    expect(page.get_by_role("button", name="Take over the file of")).to_have_count(0)
    page.unroute("**/api/v1/import")
    say(page, "$.message", "kill.message")
    take(page, server, app)


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_file_that_is_not_utf_8_is_refused_and_its_letters_are_not_replaced(windows, server, app, encoding):
    page = windows.open(server, f"/settings/import?app={app}")
    alert = json.dumps({"ios": {"alert": {"message": "Wir öffnen um neun.", "blocking": False}}}, ensure_ascii=False)
    picker = page.get_by_label("Choose a file")
    picker.set_input_files({"name": "config.json", "mimeType": "application/json", "buffer": alert.encode(encoding)})
    expect(picker).to_have_accessible_description(re.compile("not UTF-8"))
    expect(page.get_by_label("The file’s text")).to_have_value("")
    picker.set_input_files({"name": "config.json", "mimeType": "application/json", "buffer": alert.encode("utf-8-sig")})
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Wir öffnen um neun.")
    expect(picker).not_to_have_accessible_description(re.compile("not UTF-8"))
