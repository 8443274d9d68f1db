"""How long one request keeps every other writer waiting: hostile bodies of at most 256 KiB, accepted, refused and as dry runs; the time is
the server's own metric. The bar is 50 ms for each, since anybody's kill may wait behind it."""
import datetime
import json
import time

from harness import Connection, Gatehouse, heading, report

BAR = 0.050
BODY = 262_144
APPS = 500
TARGETS = [(f"app-{number:04d}", platform) for number in range(APPS) for platform in ("ios", "android")]
EMOJI = "\U0001F512"


class Desk:
    """One caller of the server, and how long each of their requests held the lock."""

    def __init__(self, server):
        self.server, self.api, self.count, self.longest = server, server.api(), 0, 0.0

    def held(self):
        """Seconds that the lock was held since the start, by all together; how often; and the longest hold."""
        _, _, page = Connection(self.server.admin).get("/metrics")
        samples = dict(line.rsplit(" ", 1) for line in page.decode().splitlines() if not line.startswith("#"))
        name = "gatehouse_writers_lock_seconds"
        return float(samples[name + "_sum"]), int(samples[name + "_count"]), float(samples[name + "_max"])

    def call(self, method, path, body, key=None):
        self.count += 1
        if key:
            self.api.headers["Idempotency-Key"] = f"lock-{self.count}"
        status, answer = self.api.call(method, path, body)
        self.api.headers.pop("Idempotency-Key", None)
        return status, answer

    def measure(self, name, method, path, body, wanted):
        """One request: how long it held the lock, and how long the caller waited."""
        size = len(json.dumps(body))
        before, count, _ = self.held()
        begun = time.perf_counter()
        status, answer = self.call(method, path, body)
        took = time.perf_counter() - begun
        after, counted, longest = self.held()
        # Housekeeping takes the lock too; in that case the longest hold is the upper bound.
        hold = after - before if counted - count < 2 else min(after - before, longest)
        self.longest = max(self.longest, hold)
        code = answer.get("code", "") if isinstance(answer, dict) else ""
        right = status in wanted
        how = f"{status} {code}, {size >> 10} KiB sent, answered in {took * 1000:.0f} ms" + ("" if right else f": WANTED {sorted(wanted)}: {str(answer)[:300]}")
        report(name, f"{hold * 1000:.1f} ms", f"<= {BAR * 1000:.0f} ms", hold <= BAR and right and size <= BODY, how)
        return status, answer

    def both(self, name, body, wanted, path="/changes"):
        self.measure(name + ", dry run", "POST", path, {**body, "dryRun": True}, wanted)
        return self.measure(name, "POST", path, body, wanted)

    # What is there

    def revisions(self):
        found, cursor = {}, None
        while True:
            _, page = self.api.call("GET", "/targets?limit=10" + (f"&cursor={cursor}" if cursor else ""))
            for target in page["items"]:
                found[target["app"], target["platform"]] = target["revision"]
            cursor = page["next"]
            if not cursor:
                return found

    def named(self, targets):
        known = self.revisions()
        return [{"app": app, "platform": platform, "revision": known[app, platform]} for app, platform in targets]

    def everywhere(self, rules, targets=TARGETS, verb="kill", **more):
        count = len(targets)
        return {"targets": self.named(targets), "set": rules, "confirm": f"{verb} {count} targets", **more}


def languages(count, text):
    return {"default": text, **{f"x{a}{b}-{c:03d}": text for c in range(1000) for a in "abcdefghijklmnopqrst" for b in "abcdefghij"}} if count > 200_000 else \
        dict([("default", text)] + [(f"{'abcdefghij'[n // 1000 % 10]}{'abcdefghij'[n // 100 % 10]}-x{n:05d}", text) for n in range(count - 1)])


def changes(desk):
    heading("Changes of gates")
    kill = {"killSwitch": {"message": "Back at 09:30. " * 20, "retryInterval": 30}}
    desk.both("1,000 targets killed", desk.everywhere(kill), {200})
    desk.both("1,000 targets killed again with another text", desk.everywhere({"killSwitch": {"message": EMOJI * 300, "retryInterval": 30}}), {200})
    late = desk.everywhere({"killSwitch": None})
    late["targets"][-1]["revision"] -= 1
    desk.both("1,000 targets opened, the last of them stale", late, {412})
    desk.both("1,000 targets opened", desk.everywhere({"killSwitch": None}), {200})
    long = {"killSwitch": {"message": languages(50, "e\u0301\u0323" * 100), "retryInterval": 30}}
    desk.both("1,000 targets, a text in 50 languages", desk.everywhere(long), {200, 422})
    desk.both("20 targets, a text in 50 languages", desk.everywhere(long, TARGETS[:20]), {200, 422})
    invented = [{"app": "app-0001", "platform": f"p{number}", "revision": 1} for number in range(400)]
    desk.both("6,000 languages, 400 targets that there are not", {"targets": invented, "set": {"alert": {"message": languages(6_000, "x"), "blocking": False}}}, {404, 422})
    desk.both("6,000 languages, one target", desk.everywhere({"alert": {"message": languages(6_000, "x"), "blocking": False}}, TARGETS[:1]), {422})
    desk.both("6,000 languages, 400 targets", desk.everywhere({"alert": {"message": languages(6_000, "x"), "blocking": False}}, TARGETS[:400]), {422})
    versions = [f"{n // 1000}.{n % 1000}.0" for n in range(1, 20_001)]
    blocked = {"requiredUpdate": {"minimumVersion": "1.0.0", "blockedVersions": versions, "message": "Update."}}
    desk.both("20,000 blocked versions, one target", desk.everywhere(blocked, TARGETS[:1]), {422})
    desk.both("20,000 blocked versions, 100 targets that there are not", {"targets": invented[:100], "set": blocked}, {404, 422})
    own = [{**reference, "set": {"alert": {"message": f"Slow {number}.", "blocking": False}}} for number, reference in enumerate(desk.named(TARGETS))]
    desk.both("1,000 targets, each with a rule of its own", {"targets": own}, {200})
    wrong = [{**reference, "set": {"alert": {"message": "Slow.", "blocking": number == 999 and "yes"}}} for number, reference in enumerate(desk.named(TARGETS))]
    desk.both("1,000 targets, the last of them malformed", {"targets": wrong}, {400})


def releases(desk):
    heading("100 releases on each of 1,000 targets")
    known = [f"1.{n}.{n % 7}" for n in range(100)]
    for app, platform in TARGETS:
        status, answer = desk.call("PUT", f"/apps/{app}/platforms/{platform}", {"versionScheme": "dotted", "releases": known})
        if status != 200:
            raise SystemExit(f"the releases were refused: {status} {answer}")
    rule = {"requiredUpdate": {"minimumVersion": "1.9.0", "blockedVersions": known, "message": "Update."}}
    desk.both("1,000 targets, a minimum version and 100 blocked ones", desk.everywhere(rule, verb="require"), {422})
    small = {"requiredUpdate": {"minimumVersion": "1.9.0", "message": "Update."}, "forceUpdate": {"message": "Update."}}
    desk.both("1,000 targets forced, refused for the order of texts", desk.everywhere(small, verb="force"), {422})
    desk.both("1,000 targets forced", desk.everywhere(small, verb="force", accept=["text_order", "component_count", "above_newest_release"]), {200})
    desk.both("1,000 targets opened", desk.everywhere({"requiredUpdate": None, "forceUpdate": None}), {200})
    many = [f"{n}.0" for n in range(20_000)]
    desk.measure("20,000 releases of one platform", "PUT", "/apps/app-0001/platforms/ios", {"releases": many}, {400, 422})


def files(desk):
    heading("Imports and applies")
    platforms = {f"p{n}": {"requiredUpdate": {"minimumVersion": "1.0.0", "message": "Update. " * 20}, "alert": {"message": "Slow. " * 20, "blocking": False}} for n in range(400)}
    document = json.dumps(platforms)
    desk.both("an import of 400 platforms that there are not", {"app": "app-0001", "format": "auto", "document": document}, {404, 422}, "/import")
    desk.both("the same, skipping what is invalid", {"app": "app-0001", "format": "auto", "document": document, "skipInvalid": True}, {200, 404, 422}, "/import")
    lists = json.dumps({"ios2": [{"required_version": f"{n}.0.0"} for n in range(400)]})
    desk.both("an import of 400 configs of Prince of Versions", {"app": "app-0001", "format": "auto", "document": lists, "skipInvalid": True, "revisions": {"ios": desk.revisions()["app-0001", "ios"]}}, {200, 422}, "/import")

    new = [{"key": f"new-{n:04d}", "name": f"New {n}", "aliases": [{"path": f"/new/{n}/config.json", "feed": "launchgate.json"}],
            "platforms": {"ios": {"gate": {"killSwitch": {"message": "Closed."}}}}} for n in range(600)]
    document = {"schema": "gatehouse/export/v1", "apps": new}
    _, answer = desk.measure("an apply of 600 new apps, dry run", "POST", "/apply", {"document": document, "dryRun": True}, {200})
    desk.measure("an apply of 600 new apps", "POST", "/apply", {"document": document, "sequence": answer["sequence"], "confirm": "apply 600 targets"}, {200})
    _, answer = desk.measure("an apply that takes 599 of them away, dry run", "POST", "/apply", {"document": {**document, "apps": new[:1], "scope": [a["key"] for a in new]}, "prune": True, "dryRun": True}, {200})
    desk.measure("an apply that takes 599 of them away", "POST", "/apply", {"document": {**document, "apps": new[:1], "scope": [a["key"] for a in new]}, "prune": True, "sequence": answer["sequence"], "confirm": answer["plan"]["confirm"]}, {200})


def platforms(desk):
    heading("An app of many platforms")
    desk.call("POST", "/apps", {"key": "wide", "name": "Wide"})
    made = []
    for number in range(100):
        status, _ = desk.measure("", "PUT", f"/apps/wide/platforms/p{number:02d}", {}, {201, 422}) if number in (31, 99) else desk.call("PUT", f"/apps/wide/platforms/p{number:02d}", {})
        if status == 201:
            made.append(("wide", f"p{number:02d}"))
    text = {"killSwitch": {"message": EMOJI * 500, "retryInterval": 30}}
    desk.both(f"its {len(made)} platforms killed with the longest text", desk.everywhere(text, made), {200})
    body = {"aliases": [{"path": f"/old/{'x' * 400}/{n}.json", "feed": "launchgate.json"} for n in range(100)]}
    desk.measure("100 aliases", "PATCH", "/apps/wide", body, {200})
    desk.measure("it is deleted", "DELETE", "/apps/wide", {"confirm": "delete wide"}, {200})


def windows(desk):
    heading("Windows over 1,000 targets")
    start = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=300)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    end = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=301)).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    desk.call("POST", "/apps", {"key": "short", "name": "Short"})
    desk.call("PUT", "/apps/short/platforms/ios", {})
    about = desk.everywhere({"killSwitch": {"message": "Sale."}}, [("short", "ios")], start={"at": start}, end={"at": end})
    waiting = []
    while True:
        status, answer = desk.call("POST", "/windows", about)
        if status != 201:
            break
        waiting.append(answer["window"]["id"])
    # The other windows expect the present state: the start of this one alters each of them, and its end does so again.
    desk.measure(f"one of {len(waiting):,} windows about one target is run", "POST", f"/windows/{waiting[0]}/run", {"confirm": "short"}, {200})
    desk.measure("it is ended", "POST", f"/windows/{waiting[0]}/run", {"step": "end"}, {200})
    waiting = waiting[1:]
    desk.measure(f"an app that {len(waiting):,} windows are about is deleted", "DELETE", "/apps/short", {"confirm": "delete short"}, {422})
    for window in waiting[100:]:
        desk.call("DELETE", f"/windows/{window}", {})
    desk.measure("an app that 100 windows are about is deleted", "DELETE", "/apps/short", {"confirm": "delete short"}, {200})
    body = desk.everywhere({"killSwitch": {"message": "Sale."}}, start={"at": start}, end={"at": end})
    made, begun = 0, time.perf_counter()
    for number in range(1_000):
        status, answer = desk.call("POST", "/windows", body)
        if status != 201:
            break
        made += 1
        if time.perf_counter() - begun > 120:
            break
    print(f"{made} windows of 1,000 targets, {time.perf_counter() - begun:.0f} s; then {status} {answer.get('code', '')}", flush=True)
    desk.both("one more", body, {200, 201, 422}, "/windows")
    kill = {"killSwitch": {"message": "Back at 09:30.", "retryInterval": 30}}
    desk.both("1,000 targets killed under them", desk.everywhere(kill), {200})
    desk.both("1,000 targets opened under them", desk.everywhere({"killSwitch": None}), {200})


if __name__ == "__main__":
    import sys

    server = Gatehouse(apps=APPS)
    server.wait_for_writes()
    desk = Desk(server)
    for part in (changes, releases, files, platforms, windows):
        if len(sys.argv) < 2 or part.__name__ in sys.argv[1:]:
            part(desk)
    _, count, longest = desk.held()
    heading(f"All {count} holds")
    report("the longest", f"{longest * 1000:.1f} ms", f"<= {BAR * 1000:.0f} ms", longest <= BAR)
    server.stop()
