"""How much the first load moves, and what a large installation costs. Figures are printed (`pytest -s`), only the size is a promise."""

from playwright.sync_api import expect

TARGETS = 100
LARGEST = 200 * 1024

SIZES = """() => performance.getEntriesByType("resource").concat(performance.getEntriesByType("navigation"))
    .filter((entry) => !entry.name.includes("/api/")).map((entry) => entry.decodedBodySize)"""


def test_the_first_load_is_small_and_one_hundred_targets_are_shown(windows, server):
    for number in range(TARGETS // 2):
        server.add_app(f"app{number:02}", f"App {number:02}", "ios", "android")
    page = windows.open(server, path=None)
    measures = page.context.new_cdp_session(page)
    measures.send("Performance.enable")
    page.goto(f"{server.admin}/#/")
    expect(page.locator(".target-row")).to_have_count(TARGETS)
    sizes = page.evaluate(SIZES)
    metrics = {metric["name"]: metric["value"] for metric in measures.send("Performance.getMetrics")["metrics"]}
    print(f"first load: {sum(sizes) / 1024:.0f} KiB in {len(sizes)} files; {TARGETS} targets: {metrics['ScriptDuration'] * 1000:.0f} ms of scripting")
    assert sum(sizes) <= LARGEST


def test_many_targets_are_found_by_typing(windows, server):
    page = windows.open(server)
    expect(page.locator(".target-row")).to_have_count(TARGETS)
    page.get_by_role("searchbox", name="Filter").fill("app 07 android")
    expect(page.locator(".target-row")).to_have_count(1)
    expect(page.locator(".target-row")).to_contain_text("app07/android")
