"""What phones show: the preview draws the server's answer and nothing of its own, for what is live and for what is being written."""

import datetime
import re

import pytest
from playwright.sync_api import expect

from steps import dialog, eventually

NAMES = {"bellerophon": "Bellerophon", "launchgate": "LaunchGate", "gandalf": "Gandalf", "prince-of-versions": "Prince of Versions"}
VERSIONS = {"ios": ("4.1.0", "4.2.0"), "android": ("41", "42")}

DRAWN = """(preview) => ({
    title: preview.querySelector("figure .phone-title")?.textContent ?? null,
    message: preview.querySelector("figure .phone-message")?.textContent ?? null,
    buttons: [...preview.querySelectorAll("figure .phone-buttons span")].map((button) => button.textContent),
    sentence: preview.querySelector(".preview-says").textContent,
    hidden: [...preview.querySelectorAll(".preview-hidden li")].map((item) => item.textContent),
    alternative: preview.querySelector("figcaption .visually-hidden").textContent,
    isDecoration: preview.querySelector("figure .phone").getAttribute("aria-hidden"),
})"""


def rules(version):
    return {
        "kill": {"killSwitch": {"message": "Closed."}}, "force": {"forceUpdate": {"message": "All must."}},
        "required": {"requiredUpdate": {"minimumVersion": version, "message": "Must."}}, "optional": {"optionalUpdate": {"optionalVersion": version, "message": "May."}},
        "alert": {"alert": {"message": "Slow.", "blocking": False}}, "blocking": {"alert": {"message": "Shut.", "blocking": True}},
    }


GATES = ["open", "kill", "force", "required", "optional", "alert", "blocking", "kill+force", "required+blocking", "optional+alert", "kill+force+required+alert"]


def preview(page):
    return page.locator(".target-side .preview")


def answer(server, app, platform, **question):
    return server.call("POST", "/simulate", {"app": app, "platform": platform, **question})


def check(page, shown, expected):
    """The drawing, its sentence and its list are what the server answered."""
    said = f"{NAMES[expected['client']]}, version {expected['version']}: {expected['detail']}"
    expect(shown.locator(".preview-says")).to_have_text(said)
    drawn = shown.evaluate(DRAWN)
    if expected["presentation"] == "app":
        assert drawn["message"] == "The app draws this itself."
    else:
        assert (drawn["title"], drawn["message"], drawn["buttons"]) == (expected["title"], expected["message"], expected["buttons"])
    assert [item.split(". ", 1)[1] for item in drawn["hidden"]] == [hidden["detail"] for hidden in expected["hidden"]]
    for text in [expected["title"], expected["message"], *expected["buttons"]]:
        assert text is None or text in drawn["alternative"]
    assert drawn["isDecoration"] == "true"


@pytest.mark.parametrize("platform, clients", [("ios", ["bellerophon", "launchgate", "prince-of-versions"]), ("android", ["gandalf", "prince-of-versions", "bellerophon"])])
def test_the_preview_is_the_servers_answer_for_every_gate_and_library(windows, server, app, platform, clients):
    below, version = VERSIONS[platform]
    server.call("PUT", f"/apps/{app}/platforms/{platform}", {"releases": [below, version]})
    page = windows.open(server, f"/t/{app}/{platform}")
    expect(preview(page).get_by_label("App version")).to_have_value(below)
    for gate in GATES:
        wanted = {rule: None for rule in ("killSwitch", "forceUpdate", "requiredUpdate", "optionalUpdate", "alert")}
        for name in gate.split("+"):
            wanted |= rules(version).get(name, {})
        server.change(f"{app}/{platform}", wanted)
        for client in clients:
            expected = answer(server, app, platform, client=client, version=below)
            if client in preview(page).get_by_label("Client library").locator("option").evaluate_all("options => options.map((option) => option.value)"):
                preview(page).get_by_label("Client library").select_option(client)
            check(page, preview(page), expected)


def test_version_and_what_was_seen_before_are_asked_about(windows, server, app):
    server.change(f"{app}/ios", {"optionalUpdate": {"optionalVersion": "4.3.0", "message": "4.3 is out."}})
    page = windows.open(server, f"/t/{app}/ios")
    shown = preview(page)
    shown.get_by_label("Client library").select_option("launchgate")
    shown.get_by_label("App version").fill("4.2.0")
    check(page, shown, answer(server, app, "ios", client="launchgate", version="4.2.0"))
    expect(shown.locator("figure .phone-message")).to_have_text("4.3 is out.")
    shown.get_by_label("Has seen it before").check()
    check(page, shown, answer(server, app, "ios", client="launchgate", version="4.2.0", seen=True))
    expect(shown.locator("figure .phone-message")).to_have_count(0)
    shown.get_by_label("App version").fill("4.3.0")
    expect(shown.locator(".preview-says")).to_contain_text("version 4.3.0")


def test_a_version_that_cannot_be_is_said_at_its_field_and_nothing_is_drawn(windows, server, app):
    windows.expected = {422}
    page = windows.open(server, f"/t/{app}/android")
    expect(preview(page).locator(".preview-says")).to_contain_text("Gandalf")
    version = preview(page).get_by_label("App version")
    version.fill("4.1.0")
    expect(version).to_have_attribute("aria-invalid", "true")
    expect(preview(page).locator("figure")).to_be_hidden()
    version.fill("41")
    expect(preview(page).locator("figure")).to_be_visible()
    expect(version).not_to_have_attribute("aria-invalid", "true")


def test_how_the_phone_is_set_changes_the_drawing_and_not_the_answer(windows, server, app):
    server.change(f"{app}/ios", {"killSwitch": {"message": "سنعود قريبا"}})
    page = windows.open(server, f"/t/{app}/ios")
    shown = preview(page)
    expect(shown.locator("figure .phone-message")).to_have_text("سنعود قريبا")
    before = shown.locator(".preview-says").text_content()
    expect(shown.locator("figure .phone-message")).to_have_attribute("dir", "auto")
    paper = lambda: shown.locator("figure .phone").evaluate("(phone) => getComputedStyle(phone).backgroundColor")
    light, small = paper(), shown.locator("figure .phone-message").evaluate("(text) => parseFloat(getComputedStyle(text).fontSize)")
    shown.get_by_label("Dark").check()
    assert paper() != light
    shown.get_by_label("Large text").check()
    assert shown.locator("figure .phone-message").evaluate("(text) => parseFloat(getComputedStyle(text).fontSize)") > small
    shown.get_by_label("Direction").select_option("right to left")
    expect(shown.locator("figure .phone")).to_have_attribute("dir", "rtl")
    shown.get_by_label("Language").select_option("ar")
    expect(shown.locator("figure .phone")).to_have_attribute("lang", "ar")
    expect(shown.locator(".preview-says")).to_have_text(before)


def test_a_draft_is_seen_on_a_phone_while_it_is_written_and_publishes_nothing(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    page.get_by_role("button", name=f"Block {app.capitalize()} on iOS…").first.click()
    shown = dialog(page).locator(".preview")
    expect(shown.locator("figure .phone-message")).to_have_text("Your message will appear here.")
    dialog(page).get_by_label("Message").fill("Closed until nine.")
    expect(shown.locator("figure .phone-message")).to_have_text("Closed until nine.")
    check(page, shown, answer(server, app, "ios", version="1.0.0", set={"killSwitch": {"message": "Closed until nine."}}))
    expect(preview(page).locator(".preview-says")).to_contain_text("Shows nothing")
    shown.get_by_text("Which phone").click()
    shown.get_by_label("Client library").select_option("launchgate")
    check(page, shown, answer(server, app, "ios", version="1.0.0", client="launchgate", set={"killSwitch": {"message": "Closed until nine."}}))
    # Return in the phone's own fields is no press of the button.
    shown.get_by_label("App version").press("Enter")
    expect(dialog(page)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(dialog(page)).to_have_count(0)
    assert server.target(f"{app}/ios")["revision"] == 1


def test_a_rule_is_seen_once_its_draft_is_complete(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios/edit/optional")
    shown = dialog(page).locator(".preview")
    expect(shown.get_by_text("The preview appears when the draft is complete.")).to_be_visible()
    dialog(page).get_by_role("textbox", name="Version to suggest").fill("4.3.0")
    dialog(page).get_by_role("textbox", name="Message").fill("<b>4.3</b> is out.")
    # The first phone is one that can show it, and never a blank one.
    expect(shown.locator("figure .phone-message")).to_have_text("<b>4.3</b> is out.")
    shown.get_by_text("Which phone").click()
    shown.get_by_label("Client library").select_option("bellerophon")
    expect(shown.locator(".preview-hidden")).to_contain_text("Bellerophon has no word for the optional update.")


def test_on_a_phone_the_preview_is_one_tap_away_and_asks_for_nothing_before(windows, server, app):
    asked = []
    page = windows.open(server, path=None, width=390, height=844, has_touch=True)
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/simulate") else None)
    page.goto(f"{server.admin}/#/t/{app}/ios")
    expect(page.get_by_role("heading", level=2, name="Last changes")).to_be_visible()
    expect(page.locator(".change").first).to_be_visible()
    expect(preview(page)).to_be_hidden()
    assert asked == []
    page.locator(".target-preview > summary").tap()
    expect(preview(page).locator(".preview-says")).to_have_text(re.compile("Bellerophon, version 1.0.0: Shows nothing"))


def test_the_strip_of_the_day_is_decoration_beside_the_list(windows, server, app):
    page = windows.open(server, f"/t/{app}/ios")
    strip = page.locator(".day-strip")
    expect(strip).to_have_attribute("aria-hidden", "true")
    expect(strip.locator(".strip-now-label")).to_have_text("now")
    expect(strip.locator(".strip-bar")).to_have_count(0)
    server.change(f"{app}/ios", {"alert": {"message": "Slow.", "blocking": False}})
    expect(strip.locator(".strip-live")).to_have_count(1)
    begin = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=3)
    for number, start in enumerate([begin, begin + datetime.timedelta(days=2)], start=1):
        server.call("POST", "/windows", {
            "targets": [{"app": app, "platform": "ios", "revision": 2}], "set": {"killSwitch": {"message": f"Sale {number}."}},
            "start": {"at": start.isoformat(timespec="milliseconds")}, "end": {"at": (start + datetime.timedelta(hours=1)).isoformat(timespec="milliseconds")},
        })
    # The list has both; the line has the one that is within its day.
    expect(page.locator(".window-line")).to_have_count(2)
    expect(strip.locator(".strip-window")).to_have_count(1)
    now, window = strip.locator(".strip-now").bounding_box(), strip.locator(".strip-window").bounding_box()
    assert window["x"] > now["x"]


def thumbs(shown):
    return shown.locator(".thumb")


def test_the_small_phones_are_the_oldest_and_newest_of_what_the_targets_phones_have(windows, server, app):
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["4.3.0", "4.1.0", "4.2.0"], "clients": ["launchgate", "bellerophon"]})
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Must."}})
    page = windows.open(server, f"/t/{app}/ios")
    shown = preview(page)
    expect(thumbs(shown)).to_have_count(4)
    for number, (client, version) in enumerate([("launchgate", "4.1.0"), ("launchgate", "4.3.0"), ("bellerophon", "4.1.0"), ("bellerophon", "4.3.0")]):
        said = answer(server, app, "ios", client=client, version=version)
        expect(thumbs(shown).nth(number)).to_have_attribute("title", f"{NAMES[client]}, version {version}: {said['detail']}")
        box = thumbs(shown).nth(number).locator(".phone").bounding_box()
        assert abs(box["height"] / box["width"] - 19.5 / 9) < 0.05
    # The large one is one that the rule in force is seen on, and another is one press away.
    expect(shown.locator("figure .phone-message")).to_have_text("Must.")
    thumbs(shown).nth(2).click()
    expect(shown.locator(".preview-hidden")).to_contain_text("Bellerophon has no word for the minimum version.")
    expect(thumbs(shown).nth(2)).to_have_attribute("aria-pressed", "true")
    expect(thumbs(shown).nth(2)).to_be_focused()


def test_the_libraries_are_those_that_polled_where_the_settings_name_none(windows, server, app):
    server.feed(f"{app}/ios/bellerophon.json")
    server.feed(f"{app}/prince-of-versions.json")
    eventually(lambda: len(server.target(f"{app}/ios").get("reach", {}).get("feeds", [])) == 2, "both polls are counted")
    page = windows.open(server, f"/t/{app}/ios")
    expect(thumbs(preview(page))).to_have_count(2)
    expect(thumbs(preview(page)).nth(0)).to_contain_text("Bellerophon")
    expect(thumbs(preview(page)).nth(1)).to_contain_text("Prince of Versions")


def test_without_an_answer_it_says_so_and_is_drawn_once_there_is_one(windows, server, app):
    windows.expected = {"lost"}
    page = windows.open(server, path=None)
    page.route("**/api/v1/simulate", lambda route: route.abort())
    page.goto(f"{server.admin}/#/t/{app}/ios")
    expect(page.get_by_text("The server does not answer; there is no preview.")).to_be_visible()
    page.unroute("**/api/v1/simulate")
    expect(page.locator(".preview figure")).to_be_visible()


def test_it_is_never_blank_beside_a_version_that_must_update(windows, server, app):
    # Of the releases that are known none has to update; the rule is shown to older ones.
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["4.2.0", "4.3.0"]})
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": "Must."}})
    page = windows.open(server, f"/t/{app}/ios")
    expect(preview(page).locator("figure .phone-message")).to_have_text("Must.")
    expect(preview(page).get_by_label("App version")).to_have_value("4.1.0")
    expect(thumbs(preview(page))).to_have_count(3)


def test_a_draft_is_seen_before_and_after(windows, server, app):
    server.change(f"{app}/ios", {"alert": {"message": "Slow.", "blocking": True}})
    server.call("PUT", f"/apps/{app}/platforms/ios", {"clients": ["launchgate"]})
    page = windows.open(server, f"/t/{app}/ios/edit/kill")
    dialog(page).get_by_role("textbox", name="Message").fill("Closed until nine.")
    pair = thumbs(dialog(page).locator(".preview"))
    expect(pair).to_have_count(1)
    expect(pair.locator(".phone-message")).to_have_text(["Slow.", "Closed until nine."])
    expect(pair).to_have_attribute("title", re.compile("Before: "))


@pytest.mark.parametrize("message, said", [
    ("Please update.", "Please update. Buttons: "), ("Please update", "Please update. Buttons: "), ("Update now!", "Update now! Buttons: "),
    ("We said “please update.”", "We said “please update.” Buttons: "), ("更新してください。", "更新してください。 Buttons: "),
])
def test_what_is_read_out_ends_a_sentence_once(windows, server, app, message, said):
    server.call("PUT", f"/apps/{app}/platforms/ios", {"releases": ["4.1.0", "4.2.0"], "clients": ["launchgate"]})
    server.change(f"{app}/ios", {"requiredUpdate": {"minimumVersion": "4.2.0", "message": message}})
    page = windows.open(server, f"/t/{app}/ios")
    preview(page).get_by_label("App version").fill("4.1.0")
    expect(preview(page).locator("figcaption .visually-hidden")).to_contain_text(f"On the screen: {said}")


@pytest.mark.parametrize("large", [False, True])
@pytest.mark.parametrize("rule", ["killSwitch", "alert"])
def test_a_long_text_is_shown_from_its_beginning(windows, server, app, rule, large):
    text = "Beginning. " + "We are doing some maintenance, please come back in a little while. " * 6
    server.change(f"{app}/android", {rule: {"message": text} | ({"blocking": False} if rule == "alert" else {})})
    page = windows.open(server, f"/t/{app}/android")
    if large:
        preview(page).get_by_label("Large text").check()
    message = preview(page).locator("figure .phone-message")
    expect(message).to_contain_text("Beginning.")
    phone, shown = preview(page).locator("figure .phone").bounding_box(), message.bounding_box()
    assert shown["y"] > phone["y"] + 12 and shown["y"] + shown["height"] < phone["y"] + phone["height"]
    assert message.evaluate("(message) => message.scrollHeight > message.clientHeight && getComputedStyle(message).webkitLineClamp !== 'none'")
