"""Apps, their settings, and taking over the file that an app polls today."""

import json
import re

import pytest
from playwright.sync_api import expect

from steps import dialog

LAUNCHGATE = {
    "ios": {"requiredUpdate": {"minimumVersion": "2.1", "message": "Please get version 2.1."}},
    "android": {"alert": {"message": "Deliveries are late today.", "blocking": False}},
}


def test_a_file_is_taken_over_with_its_plan_shown_first(windows, server, app):
    page = windows.open(server, f"/settings/import?app={app}")
    page.get_by_label("Choose a file").set_input_files({"name": "config.json", "mimeType": "application/json", "buffer": json.dumps(LAUNCHGATE).encode()})
    plan = page.get_by_role("table", name="What changes")
    expect(plan).to_contain_text("Please get version 2.1.")
    expect(plan).to_contain_text("Deliveries are late today.")
    assert server.target(f"{app}/ios")["revision"] == 1
    confirm = page.get_by_label("to confirm")
    if confirm.is_visible():
        confirm.fill(page.locator(".phrase").inner_text())
    page.get_by_role("button", name=f"Take over the file of {app.capitalize()} in STAGING").click()
    expect(page.get_by_role("heading", name="Taken over")).to_be_visible()
    assert server.target(f"{app}/ios")["gate"] == {"requiredUpdate": LAUNCHGATE["ios"]["requiredUpdate"]}
    assert server.feed(f"{app}/launchgate.json") == LAUNCHGATE


def test_a_file_says_itself_what_it_is_and_its_app_is_made_by_a_press(windows, start_server):
    server = start_server()
    page = windows.open(server, "/settings/import")
    page.get_by_label("Choose a file").set_input_files({"name": "config.json", "mimeType": "application/json", "buffer": json.dumps(LAUNCHGATE).encode()})
    expect(page.locator(".reading")).to_have_text("This is a file of LaunchGate / Gandalf, for iOS (LaunchGate) and Android (Gandalf).")
    expect(page.get_by_label("Name")).to_be_focused()
    page.get_by_label("Name").fill("Shop")
    page.get_by_role("button", name="Create Shop on iOS and Android").click()
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Please get version 2.1.")
    assert server.target("shop/ios")["settings"]["clients"] == ["launchgate"]
    assert server.target("shop/android")["settings"]["clients"] == ["gandalf"]
    assert server.target("shop/ios")["gate"] == {}
    page.get_by_role("button", name="Take over the file of Shop in STAGING").click()
    expect(page.get_by_role("heading", name="Taken over")).to_be_visible()
    assert server.feed("shop/launchgate.json") == LAUNCHGATE
    # The other half of taking a file over is its old address.
    page.get_by_label("Path").fill("/config.json")
    page.get_by_role("button", name="Add an alias").click()
    expect(page.locator(".alias-list")).to_contain_text("/config.json")
    assert server.call("GET", "/apps/shop")["aliases"] == [{"path": "/config.json", "feed": "launchgate.json"}]


def test_a_platform_that_the_file_has_and_the_app_lacks_is_made_by_a_press(windows, server):
    server.add_app("half", "Half", "ios")
    page = windows.open(server, "/settings/import?app=half")
    page.get_by_label("The file’s text").fill(json.dumps(LAUNCHGATE))
    page.get_by_role("button", name="Create Half on Android").click()
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Deliveries are late today.")
    assert list(server.call("GET", "/apps/half")["platforms"]) == ["android", "ios"]


def test_an_operator_takes_a_file_over_and_makes_no_app(windows, server, app):
    server.call("POST", "/users", {"username": f"op-{app}", "password": "a long enough password", "role": "operator", "apps": [app]})
    page = windows.open(server, "/settings/import", signed_in=False)
    page.get_by_label("Username").fill(f"op-{app}")
    page.get_by_label("Password", exact=True).fill("a long enough password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_label("App", exact=True)).to_have_value(app)
    expect(page.get_by_label("Name")).to_be_hidden()
    page.get_by_label("The file’s text").fill(json.dumps(LAUNCHGATE))
    page.get_by_role("button", name="Show what it would do").click()
    expect(page.get_by_role("table", name="What changes")).to_contain_text("Deliveries are late today.")


def test_a_file_that_lets_everybody_in_still_gets_its_alias(windows, server, app):
    page = windows.open(server, f"/settings/import?app={app}")
    page.get_by_label("The file’s text").fill(json.dumps({"apiInactive": False, "forceUpdate": False, "retryInterval": 15, "userMessage": ""}))
    expect(page.locator(".reading")).to_have_text("This is a file of Bellerophon.")
    page.get_by_label("Platform of this file").select_option("android")
    page.get_by_role("button", name="Show what it would do").click()
    expect(page.get_by_text("Nothing would change.")).to_be_visible()
    page.get_by_label("Path").fill(f"/{app}/old.json")
    page.get_by_role("button", name="Add an alias").click()
    expect(page.locator(".alias-list")).to_contain_text(f"/{app}/old.json")
    assert server.call("GET", f"/apps/{app}")["aliases"] == [{"path": f"/{app}/old.json", "feed": "bellerophon.json", "platform": "android"}]


@pytest.mark.parametrize("text, formats, platforms", [
    ({"ios": {"alert": {"message": "x", "blocking": False}}}, ["launchgate"], [["ios", ["launchgate"]]]),
    ({"ios2": [{"required_version": "1.0.0"}], "android2": [], "macos2": None}, ["prince-of-versions"], [["ios", ["prince-of-versions"]], ["android", ["prince-of-versions"]]]),
    ({"android": {"required_version": 4}}, ["prince-of-versions"], [["android", ["prince-of-versions"]]]),
    ({"apiInactive": True, "ios": {}, "android": {}}, ["bellerophon", "launchgate"], [["ios", ["launchgate"]], ["android", ["gandalf"]]]),
    ({"some": {"thing": "else"}}, None, None), ([1], None, None), ("text", None, None),
])
def test_what_a_file_says_of_itself(windows, server, text, formats, platforms):
    page = windows.open(server)
    found = page.evaluate("""async (text) => {
        const found = (await import("/read-file.js")).readFile(text);
        return found && [found.formats, [...found.platforms]];
    }""", json.dumps(text))
    assert found == (None if formats is None else [formats, platforms])


def test_what_cannot_be_published_safely_is_named_and_left_out_only_when_told(windows, server, app):
    page = windows.open(server, f"/settings/import?app={app}")
    rule = {"requiredUpdate": {"minimumVersion": "2.1", "message": "Please update."}}
    page.get_by_label("The file’s text").fill(json.dumps({"ios": rule, "android": rule}))
    page.get_by_role("button", name="Show what it would do").click()
    refused = page.locator(".refused")
    expect(refused).to_contain_text("android.requiredUpdate.minimumVersion")
    expect(refused).to_contain_text('"2.1"')
    take = page.get_by_role("button", name="Take over the file of")
    expect(take).to_be_hidden()
    page.get_by_label("Leave these out and take over the rest").check()
    confirm = page.get_by_label("to confirm")
    if confirm.is_visible():
        confirm.fill(page.locator(".phrase").inner_text())
    take.click()
    expect(page.get_by_role("heading", name="Taken over")).to_be_visible()
    assert server.target(f"{app}/ios")["gate"] == rule
    assert server.target(f"{app}/android")["gate"] == {}


def test_what_may_be_overridden_in_a_file_is_taken_over_only_when_told(windows, server, app):
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["9.9.0", "10.0.0"]})
    rule = {"requiredUpdate": {"minimumVersion": "10.0.0", "message": "Please update."}}
    page = windows.open(server, f"/settings/import?app={app}")
    page.get_by_label("The file’s text").fill(json.dumps({"ios": rule}))
    page.get_by_role("button", name="Show what it would do").click()
    refused = page.locator(".refused")
    # In the words of a screen, where nothing is called "accept".
    expect(refused).to_contain_text("ios.requiredUpdate.minimumVersion")
    expect(refused).not_to_contain_text("accept")
    refused.get_by_label("Take them over all the same. The history will say so.").click()
    expect(page.get_by_role("table", name="What changes")).to_contain_text("10.0.0")
    expect(refused).to_have_count(0)
    confirm = page.get_by_label("to confirm")
    if confirm.is_visible():
        confirm.fill(page.locator(".phrase").inner_text())
    page.get_by_role("button", name="Take over the file of").click()
    expect(page.get_by_role("heading", name="Taken over")).to_be_visible()
    assert server.target(f"{app}/ios")["gate"] == rule
    assert "accepted:" in server.changes(f"{app}/ios")[0]["reason"]


def test_whoever_leaves_while_a_file_is_looked_for_has_left(windows, server, app):
    windows.expected = {"lost"}
    page = windows.open(server, f"/settings/import?app={app}")
    page.get_by_label("The file’s text").fill(json.dumps({"ios": {"alert": {"message": "Hello.", "blocking": False}}}))
    page.get_by_role("button", name="Show what it would do").click()
    go = page.get_by_role("button", name="Take over the file of ")
    expect(go).to_be_visible()
    page.route("**/api/v1/import", lambda route: route.continue_() if route.request.post_data_json.get("dryRun") else route.abort())
    go.click()
    expect(page.get_by_role("button", name="Not confirmed – checking…")).to_be_visible()
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", level=1, name="History")).to_be_visible()
    # What was looking asks every two seconds, and finds that it is not wanted.
    page.wait_for_timeout(2500)


@pytest.mark.parametrize("text", ["this is no JSON", '{"ios": '])
def test_a_file_that_is_no_json_is_refused_in_words(windows, server, app, text):
    windows.expected = {400, 422}
    page = windows.open(server, f"/settings/import?app={app}")
    page.get_by_label("The file’s text").fill(text)
    page.get_by_role("button", name="Show what it would do").click()
    expect(page.locator("main .error:visible, main .problem:visible").first).not_to_be_empty()
    assert server.target(f"{app}/ios")["revision"] == 1


def test_settings_of_a_platform_and_the_name_are_saved(windows, server, app):
    page = windows.open(server, f"/settings/apps/{app}")
    page.get_by_label("Name").fill("Renamed")
    page.get_by_role("button", name="Save").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Renamed")
    ios = page.locator(".panel").filter(has=page.get_by_role("heading", name="iOS ios"))
    ios.get_by_label("Known releases").fill("4.1.0\n4.2.0")
    ios.get_by_label("Store address").fill("https://apps.apple.com/app/id1")
    ios.get_by_role("button", name="Save").click()
    expect(ios.get_by_text("Saved")).to_be_visible()
    settings = server.target(f"{app}/ios")["settings"]
    assert (settings["releases"], settings["storeURL"]) == (["4.1.0", "4.2.0"], "https://apps.apple.com/app/id1")
    assert server.call("GET", f"/apps/{app}")["name"] == "Renamed"


def test_what_is_saved_is_called_so_although_the_lists_cannot_be_read_again(windows, server, app):
    windows.expected = {"lost"}
    page = windows.open(server, f"/settings/apps/{app}")
    page.get_by_label("Name").fill("Renamed")
    page.route("**/api/v1/status", lambda route: route.abort())
    form = page.locator("form").filter(has=page.get_by_label("Name", exact=True)).first
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_text("Saved", exact=True)).to_be_visible()
    expect(form.locator(".problem")).to_be_empty()
    assert server.call("GET", f"/apps/{app}")["name"] == "Renamed"
    page.unroute("**/api/v1/status")
    expect(page.get_by_role("heading", level=1)).to_have_text("Renamed")


def test_saving_a_platform_leaves_alone_what_a_pipeline_wrote_meanwhile(windows, server, app):
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["1.0.0"], "clients": ["launchgate", "bellerophon"]})
    page = windows.open(server, f"/settings/apps/{app}")
    panel = page.locator(".panel").filter(has=page.get_by_role("heading", name="iOS ios"))
    panel.get_by_label("Store address").fill("https://apps.apple.com/app/id1")
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["1.0.0", "1.1.0"], "defaultRetryInterval": 60, "clients": ["gatekit"]})
    panel.get_by_role("button", name="Save").click()
    expect(panel.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    settings = server.target(f"{app}/ios")["settings"]
    assert settings["storeURL"] == "https://apps.apple.com/app/id1"
    assert (settings["releases"], settings["defaultRetryInterval"], settings["clients"]) == (["1.0.0", "1.1.0"], 60, ["gatekit"])
    # What was saved here is known here: it is sent once, and again when it is to be another.
    panel.get_by_label("Store address").fill("")
    with page.expect_request(lambda request: request.method == "PUT" and "dryRun" not in request.post_data_json) as written:
        panel.get_by_role("button", name="Save").click()
    assert written.value.post_data_json == {"storeURL": None, "seen": {"storeURL": "https://apps.apple.com/app/id1"}}


def test_a_release_that_a_pipeline_added_meanwhile_is_kept(windows, server, app):
    windows.expected = {412}
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["1.0.0", "1.1.0"]})
    page = windows.open(server, f"/settings/apps/{app}")
    panel = page.locator(".panel").filter(has=page.get_by_role("heading", name="iOS ios"))
    panel.get_by_label("Known releases").fill("1.1.0\n1.4.0")
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["1.0.0", "1.1.0", "1.3.0"]})
    panel.get_by_role("button", name="Save").click()
    problem = panel.locator("form > .problem")
    expect(problem).to_contain_text("was changed meanwhile: its known releases are not what you saw.")
    expect(problem).to_contain_text("Changed by")
    assert server.target(f"{app}/ios")["settings"]["releases"] == ["1.0.0", "1.1.0", "1.3.0"]
    # What was added and removed here is done to the list as it is now.
    expect(panel.get_by_label("Known releases")).to_have_value("1.1.0\n1.3.0\n1.4.0")
    panel.get_by_role("button", name="Save").click()
    expect(panel.get_by_role("status").filter(has_text="Saved")).to_be_visible()
    assert server.target(f"{app}/ios")["settings"]["releases"] == ["1.1.0", "1.3.0", "1.4.0"]


def test_an_alias_that_somebody_else_added_meanwhile_is_kept(windows, server, app):
    windows.expected = {412}
    page = windows.open(server, f"/settings/apps/{app}")
    page.get_by_label("Path").fill(f"/{app}/mine.json")
    theirs = {"path": f"/{app}/theirs.json", "feed": "launchgate.json"}
    server.call("PATCH", f"/apps/{app}", {"aliases": [theirs]})
    page.get_by_role("button", name="Add an alias").click()
    expect(page.locator(".alias-list + .problem")).to_contain_text("was changed meanwhile: its aliases are not what you saw.")
    expect(page.locator(".alias-list")).to_contain_text(f"/{app}/theirs.json")
    expect(dialog(page)).to_have_count(0)
    assert server.call("GET", f"/apps/{app}")["aliases"] == [theirs]
    page.get_by_role("button", name="Add an alias").click()
    expect(page.locator(".alias-list")).to_contain_text(f"/{app}/mine.json")
    expect(page.locator(".alias-list + .problem")).to_be_empty()
    assert server.call("GET", f"/apps/{app}")["aliases"] == [theirs, {"path": f"/{app}/mine.json", "feed": "launchgate.json"}]
    # The question is open, and its plan is no longer the whole truth.
    page.get_by_role("button", name=f"Remove the alias /{app}/mine.json").click()
    shown = dialog(page)
    press = shown.get_by_role("button", name=f"Remove the alias /{app}/mine.json")
    expect(press).to_have_attribute("aria-disabled", "false")
    third = {"path": f"/{app}/third.json", "feed": "launchgate.json"}
    added = []

    def overtake(route):
        if route.request.method == "PATCH" and "dryRun" not in route.request.post_data_json and not added:
            added.append(server.call("PATCH", f"/apps/{app}", {"aliases": [*server.call("GET", f"/apps/{app}")["aliases"], third]}))
        route.continue_()

    page.route("**/api/v1/apps/*", overtake)
    press.click()
    expect(shown.locator(".problem")).to_contain_text("was changed meanwhile")
    expect(press).to_have_attribute("aria-disabled", "false")
    press.click()
    expect(shown).to_have_count(0)
    assert server.call("GET", f"/apps/{app}")["aliases"] == [theirs, third]


def test_an_alias_is_added_and_removed(windows, server, app):
    page = windows.open(server, f"/settings/apps/{app}")
    page.get_by_label("Path").fill(f"/{app}.json")
    page.get_by_label("Feed", exact=True).select_option("bellerophon.json")
    page.get_by_label("Platform", exact=True).select_option("android")
    page.get_by_role("button", name="Add an alias").click()
    expect(page.locator(".alias-list")).to_contain_text(f"/{app}.json")
    assert server.call("GET", f"/apps/{app}")["aliases"] == [{"path": f"/{app}.json", "feed": "bellerophon.json", "platform": "android"}]
    page.get_by_role("button", name=f"Remove the alias /{app}.json").click()
    # Nobody is kept out now, but the next gate would not reach who polls there.
    dialog(page).get_by_role("button", name=f"Remove the alias /{app}.json").click()
    expect(page.locator(".alias-list")).to_contain_text("No aliases.")
    assert server.call("GET", f"/apps/{app}")["aliases"] == []


def test_deleting_an_app_takes_its_phrase(windows, server, app):
    page = windows.open(server, f"/settings/apps/{app}")
    page.get_by_role("button", name=f"Delete {app.capitalize()}…").click()
    dialog(page).get_by_role("button", name="Delete ").press("Enter")
    expect(dialog(page).get_by_text(f"Type delete {app} exactly to confirm.")).to_be_visible()
    dialog(page).get_by_label("to confirm").fill(f"delete {app}")
    dialog(page).get_by_role("button", name="Delete ").click()
    expect(page.get_by_role("heading", level=1, name="Apps")).to_be_visible()
    assert app not in [item["key"] for item in server.call("GET", "/apps")["items"]]


def test_deleting_a_blocked_app_says_what_phones_keep_showing(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "Closed."}})
    page = windows.open(server, f"/settings/apps/{app}")
    page.get_by_role("button", name=f"Delete {app.capitalize()}…").click()
    expect(dialog(page)).to_contain_text(f"{app.capitalize()} on iOS is blocked now. Phones that show the block keep showing it")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=f"Delete {app.capitalize()} on Android…").click()
    expect(dialog(page)).to_contain_text("Its feeds stop answering.")
    expect(dialog(page)).not_to_contain_text("is blocked now")


@pytest.mark.parametrize("screen", ["/settings/apps/new", "/settings/import"])
def test_an_app_whose_answer_is_lost_may_be_there_and_nobody_says_otherwise(windows, server, screen):
    windows.expected = {"lost"}
    key = f"lost-{screen.split('/')[-1]}"
    page = windows.open(server, screen)

    def lose(route):
        if route.request.method != "POST":
            return route.continue_()
        route.fetch()
        route.abort()

    page.route("**/api/v1/apps", lose)
    if screen == "/settings/import":
        page.get_by_label("The file’s text").fill(json.dumps(LAUNCHGATE))
        page.get_by_label("App", exact=True).select_option(label="A new app…")
    else:
        page.get_by_label("iOS").check()
    page.get_by_label("Name").fill(key)
    page.get_by_role("button", name="Create " if screen == "/settings/import" else "Add app").click()
    expect(page.locator("main").get_by_role("alert").filter(has_text="It is not known whether it was done")).to_be_visible()
    assert key in [item["key"] for item in server.call("GET", "/apps")["items"]]


def test_a_file_that_was_corrected_on_the_disk_can_be_chosen_again(windows, server, app, tmp_path):
    path = tmp_path / "config.json"
    path.write_text("{")
    page = windows.open(server, "/settings/import")
    picker = page.get_by_label("Choose a file")
    with page.expect_file_chooser() as first:
        picker.click()
    first.value.set_files(path)
    expect(page.get_by_label("The file’s text")).to_have_value("{")
    # The browser tells no change while the same file is still chosen.
    with page.expect_file_chooser():
        picker.click()
    assert picker.evaluate("input => input.files.length") == 0


def test_a_file_that_cannot_be_read_is_called_so(windows, server, app, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LAUNCHGATE))
    page = windows.open(server, "/settings/import")
    picker = page.get_by_label("Choose a file")
    page.evaluate("() => { Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('', 'NotReadableError')); }")
    picker.set_input_files(path)
    expect(picker).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("The file cannot be read.")).to_be_visible()


def test_an_app_that_was_added_is_called_so_although_the_lists_cannot_be_read_again(windows, server):
    windows.expected = {"lost"}
    page = windows.open(server, "/settings/apps/new")
    page.get_by_label("Name").fill("Heard")
    page.get_by_label("iOS").check()
    page.route("**/api/v1/status", lambda route: route.abort())
    page.get_by_role("button", name="Add app").click()
    expect(page.get_by_role("heading", name="Heard is ready")).to_be_focused()
    page.unroute("**/api/v1/status")


def test_a_key_that_is_taken_is_said_beside_the_field(windows, server, app):
    windows.expected = {409}
    page = windows.open(server, "/settings/apps/new")
    page.get_by_label("Name").fill("Again")
    page.get_by_label("Key", exact=True).fill(app)
    page.get_by_label("iOS").check()
    page.get_by_role("button", name="Add app").click()
    expect(page.get_by_label("Key", exact=True)).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Key", exact=True)).to_be_focused()


def test_until_the_first_poll_the_page_says_of_the_feed_what_is_so(windows, own_server):
    own_server.change("shop/ios", {"killSwitch": {"message": "Back soon."}})
    page = windows.open(own_server)
    hint = page.locator(".beginning > .hint")
    expect(hint).to_contain_text("The feed says what is in force: iOS blocked.")
    own_server.change("shop/ios", {"killSwitch": None})
    expect(hint).to_contain_text("Nobody is blocked: the feed says “open”.")


def test_a_new_app_waits_for_the_first_poll_of_each_platform_and_names_who_asked(windows, server):
    page = windows.open(server, "/settings/apps/new")
    page.get_by_label("Name").fill("Fresh")
    page.get_by_label("iOS").check()
    page.get_by_label("Android").check()
    page.get_by_role("button", name="Add app").click()
    expect(page.get_by_role("heading", name="Fresh is ready")).to_be_focused()
    ios, android = (page.locator(f".first-poll[data-target='fresh/{platform}']") for platform in ("ios", "android"))
    expect(android.locator("pre")).to_contain_text("Gandalf.Installer()")
    expect(ios.get_by_role("status")).to_have_text("Waiting for the first poll of iOS…")
    server.feed("fresh/ios/bellerophon.json")
    expect(ios.get_by_role("status")).to_contain_text("✓ Bellerophon, just now")
    # The one document that both platforms read names nobody more precisely than it can.
    expect(android.get_by_role("status")).to_have_text("Waiting for the first poll of Android…")
    server.feed("fresh/launchgate.json")
    expect(android.get_by_role("status")).to_contain_text("✓ LaunchGate or Gandalf, just now")
    page.get_by_role("link", name="Go to Fresh on iOS").click()
    expect(page.get_by_role("heading", level=1, name="Fresh · iOS")).to_be_focused()


def test_feed_addresses_are_where_phones_poll(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    expect(page.locator(".feed-row").filter(has_text="Bellerophon").locator("dd code")).to_have_text(f"{server.feeds}/feeds/{app}/ios/bellerophon.json")
    expect(page.get_by_text("If phones reach the feeds under another host than this page")).to_be_visible()


def test_code_to_paste_begins_with_gatekit_where_there_is_one(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    first = page.locator(".feed-row").first
    expect(first.locator("dt")).to_have_text("GateKit")
    first.get_by_text("Code to paste").click()
    expect(first.locator("pre")).to_contain_text(f'GateConfiguration(feed: URL(string: "{server.feeds}/feeds/{app}/ios/gate.json")!)')
    first.get_by_role("button", name="Copy the code: GateKit").click()
    assert page.evaluate("navigator.clipboard.readText()").startswith("import GateKit\n")


@pytest.mark.parametrize("options", [["--origin", "http://gate.example.com"], ["--trusted-proxy", "127.0.0.0/8"]])
def test_behind_a_proxy_the_address_shown_is_the_pages_own_and_answers(windows, start_server, options):
    # The page's own address is not the one that this server was told of, so that its questions are refused; what is read is not.
    windows.expected = {403}
    server = start_server(options=options)
    server.add_app("shop", "Shop", "ios")
    page = windows.open(server, "/t/shop/ios")
    code = page.locator(".feed-row").filter(has_text="Bellerophon").locator("dd code")
    expect(code).to_have_text(f"{server.admin}/feeds/shop/ios/bellerophon.json")
    assert page.request.get(code.text_content()).json()["apiInactive"] is False


def test_all_apps_stand_equally_far_apart(windows, start_server):
    server = start_server()
    for key, platforms in (("apple", ["ios"]), ("bare", []), ("cherry", ["ios"]), ("date", ["ios"])):
        server.add_app(key, key.capitalize(), *platforms)
    page = windows.open(server, "/settings/apps")
    expect(page.locator(".app-list > li")).to_have_count(4)
    boxes = [app.bounding_box() for app in page.locator(".app-list > li").all()]
    gaps = {round(below["y"] - above["y"] - above["height"]) for above, below in zip(boxes, boxes[1:])}
    assert len(gaps) == 1, gaps


@pytest.mark.parametrize("written", ["", "  ", "mac/os", ".."])
def test_a_platforms_key_that_is_no_part_of_an_address_is_asked_for_at_its_field(windows, server, app, written):
    page = windows.open(server, f"/settings/apps/{app}")
    sent = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
    key = page.get_by_label("Key of the platform")
    key.fill(written)
    page.get_by_role("button", name="Add a platform").click()
    expect(key).to_be_focused()
    expect(key).to_have_attribute("aria-invalid", "true")
    expect(key).to_have_accessible_description(re.compile("Write the platform’s key, such as macos."))
    assert sent == []


def test_a_platform_that_is_added_leaves_alone_what_is_being_written(windows, server, app):
    page = windows.open(server, f"/settings/apps/{app}")
    store = page.get_by_label("Store address").first
    store.fill("https://example.com/half")
    page.get_by_label("Key of the platform").fill("tvos")
    page.get_by_role("button", name="Add a platform").click()
    expect(page.get_by_role("heading", name="tvOS tvos")).to_be_focused()
    expect(store).to_have_value("https://example.com/half")
    expect(page.get_by_label("Key of the platform")).to_have_value("")
    page.get_by_role("button", name=re.compile("^Delete .* on tvOS")).click()
    dialog(page).get_by_role("textbox").last.fill(f"delete {app}/tvos")
    dialog(page).get_by_role("button", name="Delete ").click()
    expect(page.get_by_role("heading", name="tvOS tvos")).to_have_count(0)
    expect(store).to_have_value("https://example.com/half")


def test_a_platform_that_is_there_is_not_added_again(windows, server, app):
    page = windows.open(server, f"/settings/apps/{app}")
    key = page.get_by_label("Key of the platform")
    key.fill(" ios ")
    page.get_by_role("button", name="Add a platform").click()
    expect(page.get_by_text("The app has the platform “ios”")).to_be_visible()
    expect(key).to_be_focused()
    expect(key).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text("Saved", exact=True)).to_have_count(0)
    key.fill("tvos")
    page.get_by_role("button", name="Add a platform").click()
    expect(page.get_by_role("heading", name="tvOS tvos")).to_be_focused()


@pytest.mark.parametrize("name, key", [("Laden Größe", "laden-grosse"), ("GROẞ", "gross"), ("Smørrebrød Æble", "smorrebrod-aeble"), ("Łódź", "lodz"), ("Shop 24!", "shop-24")])
def test_the_key_that_is_proposed_keeps_the_letters_of_the_name(windows, server, name, key):
    page = windows.open(server, "/settings/apps/new")
    page.get_by_label("Name", exact=True).fill(name)
    expect(page.locator("input[name=key]")).to_have_value(key)
